import { expect, test } from "vitest";
import { numberText } from "./typed-number.ts";

test.each([
  ["1,5", "1.5"],
  ["64,000.50", "64000.50"],
  ["64,000", "64000"],
  ["0,125", "0.125"],
  [" 1 000 ", "1000"],
  ["abc", "abc"],
])("typed %s reads as %s", (typed, read) => {
  expect(numberText(typed)).toBe(read);
});

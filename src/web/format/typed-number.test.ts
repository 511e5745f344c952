import { expect, test } from "vitest";
import { numberText, stepNumber } from "./typed-number.ts";

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

test.each([
  ["100.00", 1, "100.05"],
  ["100.00", -1, "99.95"],
  ["100.02", 1, "100.05"],
  ["100.02", -1, "100.00"],
  ["100", 10, "100.50"],
  ["0.05", -1, "0.05"],
  ["0", -5, "0.05"],
])("from %s by %i steps of 0.05 comes %s", (text, steps, next) => {
  expect(stepNumber(text, steps, { size: "0.05", decimals: 2, start: "99.00" })).toBe(next);
});

test("an empty field starts where it is told, or stays empty", () => {
  const step = { size: "0.05", decimals: 2 };
  expect(stepNumber("", 1, { ...step, start: "99.00" })).toBe("99.00");
  expect(stepNumber("abc", 1, { ...step, start: null })).toBeNull();
});

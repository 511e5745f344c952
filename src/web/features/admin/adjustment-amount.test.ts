import { afterEach, expect, test } from "vitest";
import { DEFAULT_FORMATS } from "#contract/formats.ts";
import { followFormats } from "../../format/formats.ts";
import { amountProblem, parseAmount } from "./adjustment-amount.ts";

test("a typed amount loses its grouping and keeps its sign", () => {
  expect(["1,250.50", "−12.5", "+3", " -0.1 "].map(parseAmount)).toEqual([
    "1250.50",
    "-12.5",
    "3",
    "-0.1",
  ]);
});

test("it is read by the viewer's number format", () => {
  followFormats(() => ({ ...DEFAULT_FORMATS, numbers: "pointComma" }));
  expect(["1.250,50", "-12,5", "12.5"].map(parseAmount)).toEqual(["1250.50", "-12.5", "12.5"]);
  expect(amountProblem("", 6)).toBe("Enter an amount such as 250 or −12,50");
});
afterEach(() => followFormats(() => DEFAULT_FORMATS));

test.each([
  ["12.50", 6, null],
  ["-0.000001", 6, null],
  ["9007199254.740991", 6, null],
  ["-9007199254.740992", 6, "This is too much"],
  ["0.0", 6, "Enter more or less than zero"],
  ["0.0000001", 6, "At most 6 decimals"],
  ["", 6, "Enter an amount such as 250 or −12.50"],
  ["1e5", 6, "Enter an amount such as 250 or −12.50"],
])("%j with %i decimals: %j", (typed, scale, problem) => {
  expect(amountProblem(typed, scale)).toBe(problem);
});

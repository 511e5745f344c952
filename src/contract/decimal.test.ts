import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DecimalError,
  addDecimals,
  compareDecimals,
  decimalsOf,
  divide,
  divideDecimals,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  subtractDecimals,
  trimDecimal,
  groupThousands,
} from "./decimal.ts";

const units = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const scale = fc.integer({ min: 0, max: 18 });

describe("parseDecimal", () => {
  test.each([
    ["0", 2, 0n],
    ["1.5", 2, 150n],
    ["-1.5", 2, -150n],
    ["1.500", 1, 15n],
    ["007", 0, 7n],
    ["9007199254740993", 0, 9_007_199_254_740_993n],
    ["-0", 2, 0n],
  ])("reads %s at scale %i", (text, decimals, expected) => {
    expect(parseDecimal(text, decimals)).toBe(expected);
  });

  test.each([
    ["", "is not a number"],
    ["NaN", "is not a number"],
    ["Infinity", "is not a number"],
    ["1e5", "is not a number"],
    ["0x10", "is not a number"],
    ["1,000", "is not a number"],
    [" 1", "is not a number"],
    ["1\n", "is not a number"],
    ["+1", "is not a number"],
    ["--1", "is not a number"],
    [".5", "is not a number"],
    ["5.", "is not a number"],
    ["١", "is not a number"],
    ["1.234", "has more than 2 decimals"],
    ["1".repeat(61), "is too long"],
    ["9".repeat(10_000), "is too long"],
  ])("refuses %j with a reason", (text, reason) => {
    expect(() => parseDecimal(text, 2)).toThrow(new DecimalError(reason));
  });

  test("names a single decimal and a whole number as such", () => {
    expect(() => parseDecimal("1.23", 1)).toThrow(new DecimalError("has more than 1 decimal"));
    expect(() => parseDecimal("1.2", 0)).toThrow(new DecimalError("must be a whole number"));
  });

  test("reads back exactly what formatDecimal wrote", () => {
    fc.assert(
      fc.property(units, scale, (value, decimals) => {
        expect(parseDecimal(formatDecimal(value, decimals), decimals)).toBe(value);
      }),
    );
  });
});

test("formatDecimal always writes all decimals", () => {
  expect(formatDecimal(0, 2)).toBe("0.00");
  expect(formatDecimal(5, 3)).toBe("0.005");
  expect(formatDecimal(-5n, 3)).toBe("-0.005");
  expect(formatDecimal(-1234n, 2)).toBe("-12.34");
  expect(formatDecimal(7, 0)).toBe("7");
});

test("trimDecimal drops only zeros that say nothing", () => {
  expect(trimDecimal("1.50")).toBe("1.5");
  expect(trimDecimal("100.00")).toBe("100");
  expect(trimDecimal("100")).toBe("100");
  expect(decimalsOf("1.50")).toBe(1);
  expect(decimalsOf("100")).toBe(0);
});

test("arithmetic is exact beyond the range of floats", () => {
  expect(addDecimals("0.1", "0.2")).toBe("0.3");
  expect(addDecimals("9007199254740993", "0.01")).toBe("9007199254740993.01");
  expect(subtractDecimals("1", "1.01")).toBe("-0.01");
  expect(multiplyDecimals("64250.12", "0.00012345")).toBe("7.9316773140");
  expect(compareDecimals("1.10", "1.1")).toBe(0);
  expect(compareDecimals("-2", "1")).toBe(-1);
  expect(compareDecimals("10", "9.99")).toBe(1);
});

test.each([
  ["down", "2.5", "2", "-2"],
  ["up", "2.1", "3", "-3"],
  ["nearest", "2.5", "3", "-3"],
  ["nearest", "2.4", "2", "-2"],
] as const)("rounding %s takes %s to %s, and its negative to %s", (rounding, text, up, down) => {
  expect(roundDecimal(text, 0, rounding)).toBe(up);
  expect(roundDecimal(`-${text}`, 0, rounding)).toBe(down);
});

test("division names its rounding and refuses zero", () => {
  expect(divideDecimals("49", "0.0017", 2, "up")).toBe("28823.53");
  expect(divideDecimals("1", "3", 4, "down")).toBe("0.3333");
  expect(() => divideDecimals("1", "0.00", 2, "down")).toThrow(DecimalError);
});

test("a rounded quotient lies within one unit of the exact one, on the named side", () => {
  const divisor = units.filter((value) => value !== 0n);
  const size = (value: bigint) => (value < 0n ? -value : value);
  fc.assert(
    fc.property(units, divisor, (dividend, by) => {
      expect(size(divide(dividend, by, "down") * by)).toBeLessThanOrEqual(size(dividend));
      expect(size(divide(dividend, by, "up") * by)).toBeGreaterThanOrEqual(size(dividend));
      const error = size(divide(dividend, by, "nearest") * by - dividend);
      expect(2n * error).toBeLessThanOrEqual(size(by));
    }),
  );
});

test("addition and subtraction undo each other", () => {
  fc.assert(
    fc.property(units, units, scale, scale, (a, b, left, right) => {
      const x = formatDecimal(a, left);
      const y = formatDecimal(b, right);
      expect(compareDecimals(subtractDecimals(addDecimals(x, y), y), x)).toBe(0);
    }),
  );
});

test.each([
  ["0", "0"],
  ["999.5", "999.5"],
  ["1000", "1,000"],
  ["-1234567.891", "-1,234,567.891"],
  ["0.00012345", "0.00012345"],
])("%s reads %s with its thousands grouped", (text, grouped) => {
  expect(groupThousands(text)).toBe(grouped);
});

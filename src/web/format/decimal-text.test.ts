import { describe, expect, test } from "vitest";
import {
  firstChange,
  formatCompact,
  formatDecimal,
  formatExact,
  formatExactSigned,
  formatSigned,
} from "./decimal-text.ts";

describe("formatDecimal", () => {
  test.each([
    ["0", 2, "0.00"],
    ["1234.5", 2, "1,234.50"],
    ["999.995", 2, "1,000.00"],
    ["0.994999999999999999999", 2, "0.99"],
    ["-1234567.891", 1, "−1,234,567.9"],
    ["-0.004", 2, "0.00"],
    ["0.00000001", 8, "0.00000001"],
    ["000123", 0, "123"],
    [
      "123456789012345678901234567890.123456789",
      9,
      "123,456,789,012,345,678,901,234,567,890.123456789",
    ],
    ["9.5", 0, "10"],
  ])("prints %s with %i decimals as %s", (value, decimals, text) => {
    expect(formatDecimal(value, decimals)).toBe(text);
  });

  test("cuts and raises where told to", () => {
    expect(formatDecimal("1.999", 2, "down")).toBe("1.99");
    expect(formatDecimal("1.001", 2, "up")).toBe("1.01");
    expect(formatDecimal("1.000", 2, "up")).toBe("1.00");
    expect(formatDecimal("-1.999", 2, "down")).toBe("−1.99");
  });

  test("refuses what is no number", () => {
    expect(() => formatDecimal("1e5", 2)).toThrow(RangeError);
    expect(() => formatDecimal("", 2)).toThrow(RangeError);
  });
});

test("formatSigned marks gains with a plus and losses with a true minus", () => {
  expect(formatSigned("1.25", 2)).toBe("+1.25");
  expect(formatSigned("-1.25", 2)).toBe("−1.25");
  expect(formatSigned("0.001", 2)).toBe("0.00");
});

test("formatExact drops trailing zeros only", () => {
  expect(formatExact("0.10500000")).toBe("0.105");
  expect(formatExact("1200.00")).toBe("1,200");
  expect(formatExact("-0.00")).toBe("0");
});

test("formatExactSigned says which way every digit points", () => {
  expect(formatExactSigned("0.10500000")).toBe("+0.105");
  expect(formatExactSigned("-1200.00")).toBe("−1,200");
  expect(formatExactSigned("-0.00")).toBe("0");
});

test.each([
  ["0", "0"],
  ["0.000012345", "0.00001235"],
  ["0.5", "0.5"],
  ["12.3456", "12.35"],
  ["999.96", "1.00K"],
  ["1234", "1.23K"],
  ["999999", "1.00M"],
  ["1234567.89", "1.23M"],
  ["98765432100", "98.77B"],
  ["-1500000", "−1.50M"],
  ["12345678901234567", "12,345.68T"],
])("formatCompact prints %s as %s", (value, text) => {
  expect(formatCompact(value)).toBe(text);
});

test("firstChange finds where the digits begin to differ", () => {
  expect(firstChange("64,123.50", "64,123.70")).toBe(7);
  expect(firstChange("64,123.50", "64,123.50")).toBe(9);
  expect(firstChange("999.00", "1,000.00")).toBe(0);
});

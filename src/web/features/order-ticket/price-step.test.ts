import { expect, test } from "vitest";
import { middlePrice, stepPrice } from "./price-step.ts";

test.each([
  ["100.00", 1, "100.05"],
  ["100.00", -1, "99.95"],
  ["100.02", 1, "100.05"],
  ["100.02", -1, "100.00"],
  ["100", 10, "100.50"],
  ["0.05", -1, "0.05"],
  ["0", -5, "0.05"],
])("from %s by %i ticks of 0.05 comes %s", (text, steps, price) => {
  expect(stepPrice(text, steps, "0.05", 2, "99.00")).toBe(price);
});

test("an empty field starts from the book", () => {
  expect(stepPrice("", 1, "0.05", 2, "99.00")).toBe("99.00");
  expect(stepPrice("abc", 1, "0.05", 2, null)).toBeNull();
});

test("the middle lies on the tick grid", () => {
  expect(middlePrice("99.90", "100.05", "0.05", 2)).toBe("99.95");
  expect(middlePrice("64000.00", "64000.01", "0.01", 2)).toBe("64000.00");
});

import { expect, test } from "vitest";
import { middlePrice } from "./middle-price.ts";

test("the middle lies on the tick grid", () => {
  expect(middlePrice("99.90", "100.05", "0.05", 2)).toBe("99.95");
  expect(middlePrice("64000.00", "64000.01", "0.01", 2)).toBe("64000.00");
});

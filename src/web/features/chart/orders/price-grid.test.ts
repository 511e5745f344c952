import { expect, test } from "vitest";
import { movedPrice, priceAt } from "./price-grid.ts";

const MARKET = { tickSize: "0.05", priceDecimals: 2 };

test("a place on the chart is the nearest price of the grid, and never below a tick", () => {
  expect(priceAt(10.02, MARKET)).toBe("10.00");
  expect(priceAt(10.031, MARKET)).toBe("10.05");
  expect(priceAt(-3, MARKET)).toBe("0.05");
  expect(priceAt(Number.NaN, MARKET)).toBeNull();
});

test("a price moves by ticks, however large it is", () => {
  expect(movedPrice("90071992547409.90", 1, MARKET)).toBe("90071992547409.95");
  expect(movedPrice("0.10", -5, MARKET)).toBe("0.05");
});

import { expect, test } from "vitest";
import { profitPercent } from "./profit.ts";

test("a profit is measured against what was paid, not against today's value", () => {
  expect(profitPercent("50.00", "150.00")).toBe("50.00");
  expect(profitPercent("-25.00", "75.00")).toBe("-25.00");
});

test("there is no percentage of nothing", () => {
  expect(profitPercent(null, "1.00")).toBeNull();
  expect(profitPercent("1.00", null)).toBeNull();
  expect(profitPercent("10.00", "10.00")).toBeNull();
});

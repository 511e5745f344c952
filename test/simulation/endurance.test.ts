/** A short version of `npm run simulate`, see endurance.ts. */
import { expect, test } from "vitest";
import { endure } from "./endurance.ts";

test.each([1, 2, 3])("seed %i holds every invariant over 60 000 commands", (seed) => {
  const { accepted } = endure(seed, 60_000, true);
  for (const type of [
    "placeOrder",
    "placeOrderList",
    "amendOrder",
    "replaceOrder",
    "cancelOrder",
    "cancelAllOrders",
    "setCancelTimer",
  ]) {
    expect(accepted[type], type).toBeGreaterThan(100);
  }
});

test("a seed is a life: run twice it ends in the same state", () => {
  expect(endure(7, 5_000, false)).toEqual(endure(7, 5_000, false));
});

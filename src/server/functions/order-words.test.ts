import { expect, test } from "vitest";
import { orderEnd } from "#contract/order-ends.ts";
import { ORDER_END_REASONS } from "#engine/events.ts";

test("each reason of the engine for which an order ends has a sentence of its own", () => {
  const sentences = ORDER_END_REASONS.map((endReason) => orderEnd({ endReason }));
  expect(new Set(sentences).size).toBe(ORDER_END_REASONS.length);
  expect(sentences).not.toContain(orderEnd({ endReason: "no such reason" }));
});

test("an order that ends because it is larger than orders may be, resting or waiting, is told so", () => {
  expect(orderEnd({ endReason: "quantityTooLarge" })).toBe(
    "Its quantity was larger than an order may have.",
  );
});

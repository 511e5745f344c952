import { expect, test } from "vitest";
import type { Order, OrderSpecial } from "#contract/types.ts";
import { lineOf, whyNotMovable } from "./order-line.ts";

function orderWith(price: string | null, special?: OrderSpecial): Order {
  const order: Order = {
    orderId: "1",
    clientOrderId: "",
    market: "BTC-USD",
    side: "buy",
    type: price === null ? "market" : "limit",
    timeInForce: "gtc",
    postOnly: false,
    price,
    quantity: "1",
    quoteAmount: null,
    filledQuantity: "0",
    filledQuote: "0",
    averagePrice: null,
    status: "open",
    makerFeeBps: 0,
    takerFeeBps: 0,
    feeSource: "plan",
    placedAt: 0,
    updatedAt: 0,
  };
  return special === undefined ? order : { ...order, special };
}

const STOP = { type: "stop", price: "90.00" } as const;
const TRAILING = { type: "trailingStop", trailBps: 50, price: "80.00" } as const;

test.each([
  ["a limit order is drawn at its price", orderWith("10.00"), { field: "price", price: "10.00" }],
  [
    "a waiting stop-limit at its trigger",
    orderWith("91.00", { trigger: STOP, waitsFor: "trigger" }),
    { field: "triggerPrice", price: "90.00" },
  ],
  [
    "an activated stop-limit at its price",
    orderWith("91.00", { trigger: STOP }),
    { field: "price", price: "91.00" },
  ],
  [
    "a trailing stop at its present trigger price",
    orderWith(null, { trigger: TRAILING, waitsFor: "trigger" }),
    { field: "triggerPrice", price: "80.00" },
  ],
  [
    "one that waits for its entry order nowhere",
    orderWith(null, {
      trigger: { type: "trailingStop", trailBps: 50 },
      waitsFor: "workingOrder",
    }),
    null,
  ],
] as const)("%s", (_, order, expected) => {
  expect(lineOf(order)).toEqual(expected);
});

test("every line can be moved but that of a trailing stop, whose price follows the market", () => {
  expect(whyNotMovable(orderWith("10.00", { listId: "7" }))).toBeNull();
  expect(whyNotMovable(orderWith(null, { trigger: STOP, waitsFor: "trigger" }))).toBeNull();
  expect(whyNotMovable(orderWith(null, { trigger: STOP, waitsFor: "workingOrder" }))).toBeNull();
  const trailing = orderWith(null, { trigger: TRAILING, waitsFor: "trigger" });
  expect(whyNotMovable(trailing)).toMatch(/change its distance/);
  expect(whyNotMovable(orderWith("10.00", { trigger: TRAILING }))).toBeNull();
});

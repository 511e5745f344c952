import { expect, test } from "vitest";
import type { Order } from "#contract/types.ts";
import { filledPercent, openQuantity, openValue, referencePrice } from "./order-progress.ts";

const ORDER: Order = {
  orderId: "1",
  clientOrderId: "",
  market: "BTC-USD",
  side: "buy",
  type: "limit",
  timeInForce: "gtc",
  postOnly: false,
  price: "100.50",
  quantity: "3",
  quoteAmount: null,
  filledQuantity: "2.9999",
  filledQuote: "300",
  averagePrice: "100",
  status: "open",
  makerFeeBps: 20,
  takerFeeBps: 25,
  feeSource: "plan",
  placedAt: 0,
  updatedAt: 0,
};

test("an order is 100 % filled only when all of it is", () => {
  expect(filledPercent(ORDER)).toBe(99);
  expect(filledPercent({ ...ORDER, filledQuantity: "3" })).toBe(100);
  expect(filledPercent({ ...ORDER, quantity: null, quoteAmount: "600" })).toBe(50);
});

test("a filled order is 100 % although its total left a rest", () => {
  const byTotal = { ...ORDER, type: "market", price: null, quantity: null } as const;
  const filled = { ...byTotal, quoteAmount: "300.01", filledQuote: "300" };
  expect(filledPercent({ ...filled, status: "filled" })).toBe(100);
  expect(filledPercent(filled)).toBe(99);
});

test("what is open is exact", () => {
  expect(openQuantity(ORDER)).toBe("0.0001");
  expect(openValue(ORDER)).toBe("0.010050");
  expect(openValue({ ...ORDER, price: null })).toBeNull();
});

test("a trigger's price comes before the limit", () => {
  expect(referencePrice(ORDER)).toBe("100.50");
  const special = { trigger: { type: "stop", price: "99.00" } } as const;
  expect(referencePrice({ ...ORDER, special })).toBe("99.00");
  expect(referencePrice({ ...ORDER, price: null })).toBeNull();
});

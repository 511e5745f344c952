import { describe, expect, test } from "vitest";
import type { Order } from "#contract/types.ts";
import { type MarketPrices, notFilledFacts } from "./not-filled.ts";

const BUY: Order = {
  orderId: "7",
  clientOrderId: "",
  market: "BTC-USD",
  side: "buy",
  type: "limit",
  timeInForce: "gtc",
  postOnly: false,
  price: "60000.00",
  quantity: "0.5000",
  quoteAmount: null,
  filledQuantity: "0.0000",
  filledQuote: "0.00",
  averagePrice: null,
  status: "open",
  makerFeeBps: 10,
  takerFeeBps: 20,
  feeSource: "plan",
  placedAt: 1,
  updatedAt: 1,
};
const NOW: MarketPrices = { bid: "61000.00", ask: "61200.00", last: "61100.00", isTrading: true };
const RANGE = { lowest: "60500.00", highest: "62000.00", from: 10, to: 20 };
const facts = (order: Order, now = NOW, tradedRange: typeof RANGE | null = null) =>
  notFilledFacts({ order, tradedRange }, now, (timeMs) => `t${timeMs}`);

describe("an open order", () => {
  test("is told its distance from the other side and what trades before it", () => {
    expect(facts(BUY)).toEqual([
      "The lowest ask is 61,200.00, 2.00% above the price of this order.",
      "Better bids up to 61,000.00 trade before it.",
    ]);
    expect(facts({ ...BUY, side: "sell", price: "62000.00" })).toEqual([
      "The highest bid is 61,000.00, 1.61% below the price of this order.",
      "Better asks down to 61,200.00 trade before it.",
    ]);
  });

  test("at the best price waits for those that came earlier", () => {
    expect(facts({ ...BUY, price: "61000.00" })[1]).toBe(
      "It is at the best price of its side: orders placed there earlier trade first.",
    );
  });

  test("that waits says for what, and where the price is", () => {
    const stop: Order = {
      ...BUY,
      special: { waitsFor: "trigger", trigger: { type: "stop", price: "63000.00" } },
    };
    expect(facts(stop)).toEqual([
      "Waits for the price to rise to 63,000.00.",
      "The last price is 61,100.00.",
    ]);
  });

  test("in a market that is closed or empty is told so", () => {
    expect(facts(BUY, { bid: null, ask: null, last: null, isTrading: false })).toEqual([
      "Nothing is offered in the book at the moment.",
      "The market is not trading at the moment.",
    ]);
  });
});

test("the range of trades says whether its price was ever met", () => {
  const range = "Since t10 the market traded from 60,500.00 to 62,000.00";
  expect(facts(BUY, NOW, RANGE).at(-1)).toBe(`${range}: never at the price of this order.`);
  expect(facts({ ...BUY, price: "60500.00" }, NOW, RANGE).at(-1)).toBe(`${range}.`);
  expect(facts({ ...BUY, side: "sell", price: "62000.01" }, NOW, RANGE).at(-1)).toBe(
    `${range}: never at the price of this order.`,
  );
});

test("an ended order says why; a filled one needs no facts", () => {
  expect(facts({ ...BUY, status: "expired", endReason: "expired" })).toEqual([
    "Its time was over.",
  ]);
  expect(facts({ ...BUY, status: "cancelled", endReason: "byOwner" }, NOW, RANGE)).toEqual([
    "Cancelled by you.",
    "Between t10 and t20 the market traded from 60,500.00 to 62,000.00: never at the price of this order.",
  ]);
  expect(facts({ ...BUY, status: "filled", endReason: "filled" }, NOW, RANGE)).toEqual([]);
});

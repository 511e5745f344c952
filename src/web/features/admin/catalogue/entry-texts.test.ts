import { expect, test } from "vitest";
import { fieldsOf, NEW_TEXTS } from "./entry-fields.ts";
import { entryOf, problemsOf, textsOf } from "./entry-texts.ts";

const MARKET = {
  symbol: "TEA-USD",
  status: "trading",
  priceStep: "0.01",
  quantityStep: "0.01",
  smallestOrder: "1",
  largestQuantity: "1000",
  priceBandBps: 500,
  passiveBandBps: 90_000,
  fees: { makerFeeBps: 0, takerFeeBps: 25 },
  breaker: { bps: 1_000, windowMs: 300_000, haltMs: 60_000, auctionMs: 30_500 },
};

test("a listed market is shown in percent and minutes, and read as it was", () => {
  const texts = textsOf("market", MARKET);
  expect(texts).toMatchObject({
    priceBandBps: "5",
    passiveBandBps: "900",
    "fees.takerFeeBps": "0.25",
    "breaker.windowMs": "5",
    "breaker.auctionMs": "0:30.500",
  });
  expect(problemsOf(fieldsOf("market", false, texts), texts)).toEqual({});
  expect(entryOf("market", texts, MARKET)).toEqual({ kind: "market", market: MARKET });
});

test("what cannot be sent is told at its fields", () => {
  const texts = {
    ...NEW_TEXTS.plan,
    slug: "tea",
    name: "Tea",
    makerFeeBps: "0,5",
    takerFeeBps: "101",
    openOrdersMax: "many",
    volumeLadder: "1000 0.1 0.2\n5000 0.1",
  };
  expect(problemsOf(fieldsOf("plan", true, texts), texts)).toEqual({
    makerFeeBps: "Enter percent such as 0.25",
    takerFeeBps: "At most 100",
    openOrdersMax: "Enter a whole number",
    volumeLadder: "Line 2 is not a volume and two fees",
  });
});

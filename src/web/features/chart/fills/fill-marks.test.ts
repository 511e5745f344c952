import { expect, test } from "vitest";
import type { Fill } from "#contract/types.ts";
import { fillMarks, mergeFills } from "./fill-marks.ts";

const MINUTE = 60_000;

function fill(terms: Partial<Fill>): Fill {
  return {
    tradeId: 1,
    orderId: "1",
    market: "BTC-USD",
    side: "buy",
    price: "100.00",
    quantity: "1",
    quoteAmount: "100.00",
    fee: "0",
    feeCoin: "BTC",
    feeBps: 0,
    feeSource: "plan",
    role: "taker",
    time: 0,
    sequence: 1,
    ...terms,
  };
}

test("fills of one side within a candle are one mark at their average price", () => {
  const fills = [
    fill({ time: 10, quantity: "1", quoteAmount: "100" }),
    fill({ time: MINUTE - 1, quantity: "2", quoteAmount: "203" }),
    fill({ time: MINUTE, quantity: "1", quoteAmount: "90" }),
    fill({ time: 20, side: "sell", quantity: "0.5", quoteAmount: "55" }),
  ];
  expect(fillMarks(fills, "1m", 2)).toEqual([
    { side: "buy", openTime: 0, fills: 2, quantity: "3", averagePrice: "101.00" },
    { side: "buy", openTime: MINUTE, fills: 1, quantity: "1", averagePrice: "90.00" },
    { side: "sell", openTime: 0, fills: 1, quantity: "0.5", averagePrice: "110.00" },
  ]);
});

test("a fill that is live and in the history counts once, both sides of an own trade count", () => {
  const own = [fill({ orderId: "1" }), fill({ orderId: "2", side: "sell" })];
  expect(mergeFills(own, [fill({ orderId: "1" }), fill({ tradeId: 0 })])).toHaveLength(3);
});

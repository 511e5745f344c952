import { expect, test } from "vitest";
import type { Order } from "#contract/types.ts";
import { outcomeOf } from "./outcome.ts";
import { TEST_MARKET as MARKET } from "./test-market.ts";

const ORDER: Order = {
  orderId: "1",
  clientOrderId: "",
  market: "BTC-USD",
  side: "buy",
  type: "limit",
  timeInForce: "gtc",
  postOnly: false,
  price: "64000",
  quantity: "0.5",
  quoteAmount: null,
  filledQuantity: "0",
  filledQuote: "0",
  averagePrice: null,
  status: "open",
  makerFeeBps: 20,
  takerFeeBps: 25,
  feeSource: "plan",
  placedAt: 0,
  updatedAt: 0,
};

function sentence(changes: Partial<Order>): string {
  const { title, detail } = outcomeOf({ order: { ...ORDER, ...changes } }, MARKET);
  return `${title} | ${detail}`;
}

test("each ending of an order is told", () => {
  expect(sentence({})).toBe("Buy order placed | Buy 0.5 BTC · Limit 64,000. Rests in the book.");
  const special = { waitsFor: "trigger", trigger: { type: "stop", price: "65000.00" } } as const;
  expect(sentence({ type: "market", price: null, special })).toBe(
    "Buy order placed | Buy 0.5 BTC · Stop 65,000.00 → market. Waits for the price to rise to 65,000.00.",
  );
  expect(sentence({ status: "filled", filledQuantity: "0.5", averagePrice: "63999.5" })).toBe(
    "Bought 0.5000 BTC | Filled at an average of 63,999.50 USD.",
  );
  expect(
    sentence({
      status: "partiallyFilled",
      side: "sell",
      filledQuantity: "0.1",
      averagePrice: "64000",
    }),
  ).toBe(
    "Sold 0.1000 BTC so far | Filled at an average of 64,000.00 USD; the rest is in the book.",
  );
  expect(
    sentence({
      status: "expired",
      type: "market",
      price: null,
      quantity: null,
      quoteAmount: "100",
      endReason: "bookExhausted",
    }),
  ).toBe(
    "Nothing was traded | Buy BTC for 100 USD · Market. The book had nothing more to trade with.",
  );
  expect(
    sentence({
      status: "expired",
      filledQuantity: "0.2",
      averagePrice: "64000",
      endReason: "immediateOrCancel",
    }),
  ).toMatch("the rest ended. What could not trade at once ended.");
});

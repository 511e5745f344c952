import { expect, test } from "vitest";
import type { OrderStep } from "#contract/order-life.ts";
import type { Fill, Order } from "#contract/types.ts";
import { stepWords } from "./step-words.ts";

const ORDER: Order = {
  orderId: "7",
  clientOrderId: "",
  market: "BTC-USD",
  side: "sell",
  type: "limit",
  timeInForce: "gtc",
  postOnly: false,
  price: "61000.00",
  quantity: "0.4000",
  quoteAmount: null,
  filledQuantity: "0.1000",
  filledQuote: "6100.00",
  averagePrice: "61000.0000",
  status: "cancelled",
  endReason: "byOwner",
  makerFeeBps: 10,
  takerFeeBps: 20,
  feeSource: "plan",
  placedAt: 1,
  updatedAt: 2,
  special: { trigger: { type: "stop", price: "62000.00" } },
};
const AT = { time: 1, sequence: 1, postings: [] };
const before = { price: "60000.00", quantity: "0.5000" };
const fill: Fill = {
  tradeId: 1,
  orderId: "7",
  market: "BTC-USD",
  side: "sell",
  price: "61000.00",
  quantity: "0.1000",
  quoteAmount: "6100.000000",
  fee: "6.100000",
  feeCoin: "USD",
  feeBps: 10,
  feeSource: "plan",
  role: "maker",
  time: 1,
  sequence: 1,
};

const STEPS: readonly (readonly [OrderStep, title: string, detail: string | null])[] = [
  [
    { ...AT, kind: "placed", terms: before },
    "Placed",
    "Sell 0.5 BTC · Stop 62,000.00 → limit 60,000.00.",
  ],
  [
    { ...AT, kind: "waiting", waitsFor: "trigger", price: "63000.00" },
    "Waiting",
    "Waits for the price to fall to 63,000.00.",
  ],
  [
    { ...AT, kind: "waiting", waitsFor: "workingOrder", price: null },
    "Waiting",
    "Waits for its entry order to fill.",
  ],
  [
    { ...AT, kind: "activated", cause: "trigger", last: "61999.50" },
    "Triggered",
    "The last price was 61,999.50 USD.",
  ],
  [
    {
      ...AT,
      kind: "amended",
      before,
      after: { price: "61000.00", quantity: "0.4000" },
      keptPlace: false,
    },
    "Changed",
    "Price from 60,000 to 61,000 USD, quantity from 0.5 to 0.4 BTC. It went to the end of the queue at its price.",
  ],
  [
    {
      ...AT,
      kind: "amended",
      before,
      after: { price: "60000.00", quantity: "0.4000" },
      keptPlace: true,
    },
    "Changed",
    "Quantity from 0.5 to 0.4 BTC. It kept its place in the queue.",
  ],
  [
    {
      ...AT,
      kind: "amended",
      before: { ...before, triggerPrice: "62000.00" },
      after: { ...before, triggerPrice: "62500.00" },
      keptPlace: null,
    },
    "Changed",
    "Trigger price from 62,000 to 62,500 USD.",
  ],
  [
    {
      ...AT,
      kind: "amended",
      before: {
        price: null,
        quantity: null,
        quoteAmount: "500.00",
        triggerPrice: "1.00",
        trailBps: 250,
      },
      after: {
        price: null,
        quantity: null,
        quoteAmount: "600.00",
        triggerPrice: "2.00",
        trailBps: 300,
      },
      keptPlace: null,
    },
    "Changed",
    "Distance from 2.5 to 3 %, total from 500 to 600 USD.",
  ],
  [
    { ...AT, kind: "amended", before, after: before, keptPlace: null },
    "Changed",
    "It holds what it needs beside the order that it is linked with.",
  ],
  [
    { ...AT, kind: "placed", terms: { ...before, triggerPrice: "61500.00" } },
    "Placed",
    "Sell 0.5 BTC · Stop 61,500.00 → limit 60,000.00.",
  ],
  [
    { ...AT, kind: "decremented", quantity: "0.0200" },
    "Reduced",
    "It met an order of your own: both lost 0.02 BTC instead of trading.",
  ],
  [{ ...AT, kind: "filled", fill }, "Sold 0.1 BTC at 61,000.00", "6,100 USD, maker fee 6.1 USD."],
  [{ ...AT, kind: "ended" }, "Cancelled", "Cancelled by you."],
];

test.each(STEPS)("%j", (step, title, detail) => {
  expect(stepWords(step, ORDER)).toEqual({ title, detail });
});

test("a filled order needs no reason for its end", () => {
  const filled: Order = { ...ORDER, status: "filled", endReason: "filled" };
  expect(stepWords({ ...AT, kind: "ended" }, filled)).toEqual({ title: "Filled", detail: null });
});

import { expect, test } from "vitest";
import { orderTitle } from "#contract/order-words.ts";
import { findErrors } from "./errors.ts";
import { confirmedKind, requestOf } from "./order-request.ts";
import { ordersOf } from "./request-orders.ts";
import { summarize } from "./summary.ts";
import type { TicketContext } from "./ticket-context.ts";
import { INITIAL_TICKET, type TextField, type TicketState } from "./ticket-state.ts";
import { TEST_MARKET as MARKET } from "./test-market.ts";

const CONTEXT: TicketContext = {
  market: MARKET,
  book: { market: "BTC-USD", updateId: 1, asks: ["100.00", "9.0000"], bids: ["99.00", "9.0000"] },
  settlement: { coin: "USD", rate: "1" },
  last: "99.50",
  available: { base: "5", quote: "10000" },
  fees: { makerFeeBps: 20, takerFeeBps: 25 },
  scales: { base: 8, quote: 6 },
};

function texts(changes: Partial<Record<TextField, string>>): Pick<TicketState, "texts"> {
  return { texts: { ...INITIAL_TICKET.texts, ...changes } };
}
function ticket(changes: Partial<TicketState>): TicketState {
  return { ...INITIAL_TICKET, sizing: { kind: "quantity", text: "1" }, ...changes };
}
function requested(changes: Partial<TicketState>) {
  const state = ticket(changes);
  const request = requestOf(state, summarize(state, CONTEXT), MARKET);
  return request.kind === "order" ? request.order : request.list;
}
function errors(changes: Partial<TicketState>): string[] {
  const state = ticket(changes);
  return findErrors(state, CONTEXT, summarize(state, CONTEXT)).map(
    ({ field, message }) => `${field}: ${message}`,
  );
}

const COMMON = { market: "BTC-USD", side: "buy" } as const;
const LIMIT = { ...COMMON, type: "limit", postOnly: false, quantity: "1.0000" } as const;
const STOP = { type: "market", condition: "stop" } as const;

test("a limit order carries price, quantity and its conditions", () => {
  expect(requested({ priceText: "95", postOnly: true })).toEqual({
    ...LIMIT,
    timeInForce: "gtc",
    postOnly: true,
    price: "95.00",
  });
});

test("a market order is asked for by total or by quantity", () => {
  const byPercent = { kind: "percent", percent: 50 } as const;
  expect(requested({ type: "market", sizing: byPercent })).toEqual({
    ...COMMON,
    type: "market",
    quoteAmount: "5000.000000",
  });
  expect(requested({ type: "market" })).toEqual({ ...COMMON, type: "market", quantity: "1.0000" });
});

test("a market order with a cap is a limit order at the cap that never rests", () => {
  expect(requested({ type: "market", slippageBps: 100 })).toEqual({
    ...COMMON,
    type: "limit",
    timeInForce: "ioc",
    price: "101.00",
    quantity: "1.0000",
  });
});

test("stops and take-profits carry their trigger, and a limit where they have one", () => {
  expect(requested({ ...STOP, ...texts({ trigger: "110" }) })).toEqual({
    ...COMMON,
    type: "market",
    quantity: "1.0000",
    trigger: { type: "stop", price: "110.00" },
  });
  const limit = { condition: "takeProfit", type: "limit", priceText: "91" } as const;
  expect(requested({ ...limit, ...texts({ trigger: "90" }) })).toEqual({
    ...LIMIT,
    timeInForce: "gtc",
    price: "91.00",
    trigger: { type: "takeProfit", price: "90.00" },
  });
});

test("a trailing stop carries its distance", () => {
  const trailing = { type: "market", condition: "trailingStop" } as const;
  expect(requested({ ...trailing, ...texts({ trail: "2.5" }) })).toMatchObject({
    trigger: { type: "trailingStop", trailBps: 250 },
  });
});

test("an iceberg shows a part, and a GTD order ends", () => {
  const end = "2026-11-24T14:00";
  const state = { priceText: "95", isIceberg: true, timeInForce: "gtd" } as const;
  expect(requested({ ...state, ...texts({ display: "0.1", end }) })).toEqual({
    ...LIMIT,
    timeInForce: "gtd",
    price: "95.00",
    display: "0.1",
    expiresAt: new Date(end).getTime(),
  });
});

test("self-trade prevention is named only if it was chosen", () => {
  expect(requested({ priceText: "95", selfTradePrevention: "decrement" })).toMatchObject({
    selfTradePrevention: "decrement",
  });
});

test("an OCO is a limit order and a stop of the same size", () => {
  const oco = { condition: "oco", side: "sell", priceText: "120" } as const;
  expect(requested({ ...oco, ...texts({ trigger: "80" }) })).toMatchObject({
    market: "BTC-USD",
    kind: "oco",
    orders: [
      { side: "sell", type: "limit", price: "120.00", quantity: "1.0000" },
      {
        side: "sell",
        type: "market",
        quantity: "1.0000",
        trigger: { type: "stop", price: "80.00" },
      },
    ],
  });
});

test("exits follow the entry on the other side, one or both", () => {
  const entry = { priceText: "95", hasExits: true } as const;
  const profit = { side: "sell", type: "limit", price: "120.00" };
  const loss = { side: "sell", type: "market", trigger: { type: "stop", price: "80.00" } };
  expect(requested({ ...entry, ...texts({ takeProfit: "120", stopLoss: "80" }) })).toMatchObject({
    kind: "otoco",
    orders: [{ side: "buy", price: "95.00" }, profit, loss],
  });
  expect(requested({ ...entry, ...texts({ stopLoss: "80" }) })).toMatchObject({
    kind: "oto",
    orders: [{ side: "buy" }, loss],
  });
});

test.each<[Partial<TicketState>, string]>([
  [{ ...STOP, ...texts({}) }, "trigger: Trigger price is missing."],
  [
    { ...STOP, ...texts({ trigger: "90" }) },
    "trigger: Trigger price must be above the last price 99.50 USD.",
  ],
  [
    { ...STOP, side: "sell", ...texts({ trigger: "110" }) },
    "trigger: Trigger price must be below the last price 99.50 USD.",
  ],
  [
    { type: "market", condition: "trailingStop", ...texts({ trail: "100" }) },
    "trail: Distance must be between 0.01 % and 99.99 %.",
  ],
  [
    { priceText: "95", isIceberg: true, ...texts({ display: "1" }) },
    "display: Visible quantity must be less than the quantity.",
  ],
  [
    { priceText: "95", isIceberg: true, ...texts({ display: "0.0999" }) },
    "display: Visible quantity must be at least a tenth of the quantity.",
  ],
  [{ priceText: "95", timeInForce: "gtd" }, "end: End is missing."],
  [
    { priceText: "95", timeInForce: "gtd", ...texts({ end: "2020-01-01T00:00" }) },
    "end: End must be in the future.",
  ],
  [{ priceText: "95", hasExits: true }, "takeProfit: Enter a take-profit, a stop-loss or both."],
  [
    { priceText: "95", hasExits: true, ...texts({ takeProfit: "94" }) },
    "takeProfit: Take-profit must be above the entry price 95 USD.",
  ],
  [
    { priceText: "95", hasExits: true, ...texts({ stopLoss: "96" }) },
    "stopLoss: Stop-loss must be below the entry price 95 USD.",
  ],
])("%o is refused before it is sent", (changes, message) => {
  expect(errors(changes)).toEqual([message]);
});

test("the orders of a request have names; exits have no size until the entry has filled", () => {
  const state = ticket({
    priceText: "95",
    hasExits: true,
    ...texts({ takeProfit: "120", stopLoss: "80" }),
  });
  const request = requestOf(state, summarize(state, CONTEXT), MARKET);
  expect(ordersOf(request, MARKET).map((order) => orderTitle(order))).toEqual([
    "Buy 1 BTC · Limit 95.00",
    "Sell BTC · Limit 120.00",
    "Sell BTC · Stop 80.00 → market",
  ]);
});

test.each([
  [{}, "limit"],
  [{ type: "market" }, "market"],
  [{ condition: "trailingStop", type: "limit" }, "triggered"],
  [{ condition: "oco" }, "linked"],
  [{ hasExits: true }, "linked"],
] as const)("%j is asked about as %s", (changes, kind) => {
  expect(confirmedKind(ticket(changes))).toBe(kind);
});

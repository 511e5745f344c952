import { describe, expect, test } from "vitest";
import type { Market } from "#contract/types.ts";
import { deviationOf } from "./deviation.ts";
import { blockedReason, findErrors, shownErrors } from "./errors.ts";
import { summarize } from "./summary.ts";
import type { TicketContext } from "./ticket-context.ts";
import { INITIAL_TICKET, type TicketState } from "./ticket-state.ts";
import { TEST_MARKET } from "./test-market.ts";

const MARKET: Market = { ...TEST_MARKET, tickSize: "0.05" };
const CONTEXT: TicketContext = {
  market: MARKET,
  book: { market: "BTC-USD", updateId: 1, asks: ["100.00", "9.0000"], bids: ["99.00", "9.0000"] },
  settlement: { coin: "USD", rate: "1" },
  last: "100.00",
  available: { base: "2", quote: "1000" },
  fees: { makerFeeBps: 20, takerFeeBps: 25 },
  scales: { base: 8, quote: 6 },
};

function errors(changes: Partial<TicketState>, context = CONTEXT): string[] {
  const state = { ...INITIAL_TICKET, ...changes };
  return findErrors(state, context, summarize(state, context)).map(
    ({ field, message }) => `${field}: ${message}`,
  );
}
const quantity = (text: string) => ({ sizing: { kind: "quantity", text } }) as const;
const total = (text: string) => ({ sizing: { kind: "total", text } }) as const;

describe("price", () => {
  test.each([
    ["", "price: Price is missing."],
    ["abc", "price: Price is not a number."],
    ["1e5", "price: Price is not a number."],
    [".", "price: Price is not a number."],
    ["0.00", "price: Price must be more than zero."],
    ["-5", "price: Price must be more than zero."],
    ["99.01", "price: Price must be a multiple of 0.05 USD."],
    ["99.001", "price: Price must be a multiple of 0.05 USD."],
    ["9".repeat(40), "price: Price is too long."],
  ])("%s is refused", (priceText, message) => {
    expect(errors({ priceText, ...quantity("1") })).toEqual([message]);
  });

  test("further from the book than the market's band is refused before it is sent", () => {
    const priceBand = { tradingBps: 500, restingBps: 9_000 };
    const context = { ...CONTEXT, market: { ...MARKET, priceBand } };
    const refusal = (side: "buy" | "sell", priceText: string) =>
      errors({ side, priceText, ...quantity("1") }, context);
    const further = "this market takes no order further from its price.";
    expect(refusal("buy", "105")).toEqual([]);
    expect(refusal("buy", "105.05")).toEqual([`price: Price must be at most 105 USD: ${further}`]);
    expect(refusal("buy", "10")).toEqual([]);
    expect(refusal("sell", "94")).toEqual([`price: Price must be at least 94.05 USD: ${further}`]);
    expect(refusal("sell", "190")).toEqual([]);
    expect(refusal("sell", "190.05")).toEqual([`price: Price must be at most 190 USD: ${further}`]);
  });

  test("a post-only order that would trade is refused, naming the price it would meet", () => {
    expect(errors({ priceText: "100", postOnly: true, ...quantity("1") })).toEqual([
      "price: Price must be below the best ask 100: a post-only order may not trade at once.",
    ]);
    expect(errors({ side: "sell", priceText: "99", postOnly: true, ...quantity("1") })).toEqual([
      "price: Price must be above the best bid 99: a post-only order may not trade at once.",
    ]);
    expect(errors({ priceText: "99.95", postOnly: true, ...quantity("1") })).toEqual([]);
  });
});

describe("size", () => {
  test.each([
    [quantity(""), "quantity: Quantity is missing."],
    [quantity("0.00001"), "quantity: Quantity must be a multiple of 0.0001 BTC."],
    [quantity("0.01"), "quantity: Quantity is below the minimum order of 10 USD."],
    [quantity("11"), "quantity: Quantity costs 1,045.00 USD, but only 1,000.00 USD is available."],
    [total(""), "total: Total is missing."],
    [total("5"), "total: Total is below the minimum order of 10 USD."],
    [total("0.001"), "total: Total is less than one lot of 0.0001 BTC."],
    [total("1000.005"), null],
    [total("1100"), "total: Total costs 1,100.00 USD, but only 1,000.00 USD is available."],
    [{ sizing: { kind: "percent", percent: 100 } } as const, null],
  ])("%j at 95", (sizing, message) => {
    expect(errors({ priceText: "95", ...sizing })).toEqual(message === null ? [] : [message]);
  });

  test("more than is available cannot be sold", () => {
    expect(errors({ side: "sell", priceText: "101", ...quantity("2.0001") })).toEqual([
      "quantity: Quantity is more than the 2 BTC available.",
    ]);
    expect(errors({ side: "sell", type: "market", ...total("500") })).toEqual([
      "total: Total is more than the 2 BTC available.",
    ]);
  });

  test("more than the market's largest order is refused", () => {
    const rich = { ...CONTEXT, available: { base: "0", quote: "1000000" } };
    expect(errors({ priceText: "95", ...quantity("101") }, rich)).toEqual([
      "quantity: Quantity is above the largest order of 100 BTC.",
    ]);
  });

  test("an empty balance says which coin is missing", () => {
    const poor = { ...CONTEXT, available: { base: "0", quote: "0" } };
    expect(errors({ priceText: "95", ...quantity("1") }, poor)).toEqual([
      "quantity: Quantity needs USD, and you have none available.",
    ]);
    expect(errors({ side: "sell", priceText: "95", ...quantity("1") }, poor)).toEqual([
      "quantity: Quantity needs BTC, and you have none available.",
    ]);
  });

  test("a market order needs someone on the other side", () => {
    const empty = { ...CONTEXT, book: { market: "BTC-USD", updateId: 1, asks: [], bids: [] } };
    expect(errors({ type: "market", ...quantity("1") }, empty)).toEqual([
      "quantity: Quantity cannot be traded: no one is selling BTC right now.",
    ]);
  });
});

test("a ticket in order has no errors", () => {
  expect(errors({ priceText: "95", ...quantity("1") })).toEqual([]);
  expect(errors({ type: "market", ...total("500") })).toEqual([]);
});

test("an untouched ticket does not complain until it is tried", () => {
  const found = findErrors(INITIAL_TICKET, CONTEXT, summarize(INITIAL_TICKET, CONTEXT));
  expect(found).toHaveLength(2);
  expect(shownErrors(INITIAL_TICKET, found)).toEqual([]);
  expect(shownErrors({ ...INITIAL_TICKET, tried: true }, found)).toHaveLength(2);
  expect(shownErrors({ ...INITIAL_TICKET, visited: ["price"] }, found)).toHaveLength(1);
});

test("a market that does not trade says why", () => {
  expect(blockedReason(INITIAL_TICKET, CONTEXT)).toBeNull();
  expect(
    blockedReason(INITIAL_TICKET, { ...CONTEXT, market: { ...MARKET, status: "halted" } }),
  ).toMatch("halted");
  expect(blockedReason(INITIAL_TICKET, { ...CONTEXT, available: null })).toMatch("Loading");
});

test("prices on their way to being typed are read as far as they go", () => {
  const texts = { ...INITIAL_TICKET.texts, trigger: "101.", takeProfit: "120.", stopLoss: ".5" };
  const stop = {
    condition: "stop",
    type: "limit",
    priceText: "101",
    ...quantity("1"),
    texts,
  } as const;
  expect(errors(stop)).toEqual([]);
  expect(errors({ priceText: "100", hasExits: true, ...quantity("1"), texts })).toEqual([]);
  const state: TicketState = { ...INITIAL_TICKET, ...stop };
  expect(deviationOf(state, CONTEXT, summarize(state, CONTEXT))).toBe("0.00");
  const nonsense: TicketState = { ...state, texts: { ...texts, trigger: "1.2.3" } };
  expect(deviationOf(nonsense, CONTEXT, summarize(nonsense, CONTEXT))).toBeNull();
});

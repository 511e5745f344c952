import { describe, expect, test } from "vitest";
import {
  type NamedOrder,
  orderChips,
  orderKind,
  orderName,
  orderTitle,
  orderWait,
} from "./order-words.ts";
import { LIST_KINDS, type ListKind, type OrderSpecial } from "./types.ts";

const PLAIN = {
  market: "BTC-USD",
  side: "sell",
  type: "limit",
  timeInForce: "gtc",
  postOnly: false,
  price: "60900.00",
  quantity: "0.0100",
  quoteAmount: null,
} as const;
const MARKET = { ...PLAIN, type: "market", timeInForce: "ioc", price: null } as const;
const STOP: OrderSpecial = { waitsFor: "trigger", trigger: { type: "stop", price: "61000.00" } };
const PROFIT: OrderSpecial = {
  waitsFor: "trigger",
  trigger: { type: "takeProfit", price: "70000.00" },
};
const TRAILING: OrderSpecial = {
  waitsFor: "trigger",
  trigger: { type: "trailingStop", trailBps: 250, price: "60000.00" },
};

test.each<[NamedOrder, string, string]>([
  [PLAIN, "Limit", "Limit 60,900.00"],
  [MARKET, "Market", "Market"],
  [{ ...MARKET, special: STOP }, "Stop", "Stop 61,000.00 → market"],
  [{ ...PLAIN, special: STOP }, "Stop-limit", "Stop 61,000.00 → limit 60,900.00"],
  [{ ...MARKET, special: PROFIT }, "Take profit", "Take profit 70,000.00 → market"],
  [{ ...PLAIN, special: PROFIT }, "Take-profit limit", "Take profit 70,000.00 → limit 60,900.00"],
  [{ ...MARKET, special: TRAILING }, "Trailing stop", "Trailing 2.5 % → market"],
  [{ ...PLAIN, special: TRAILING }, "Trailing stop-limit", "Trailing 2.5 % → limit 60,900.00"],
  [{ ...PLAIN, special: { display: "0.0010" } }, "Iceberg", "Limit 60,900.00"],
])("%o is a %s order called %s", (order, kind, name) => {
  expect(orderKind(order)).toBe(kind);
  expect(orderName(order)).toBe(name);
});

describe("the title", () => {
  test("says side, size and name", () => {
    expect(orderTitle(PLAIN)).toBe("Sell 0.01 BTC · Limit 60,900.00");
    expect(orderTitle({ ...MARKET, side: "buy", quantity: null, quoteAmount: "1500.50" })).toBe(
      "Buy BTC for 1,500.5 USD · Market",
    );
  });

  test("invents no size for an order that takes what its entry brings", () => {
    expect(orderTitle({ ...MARKET, quantity: null, special: PROFIT })).toBe(
      "Sell BTC · Take profit 70,000.00 → market",
    );
  });
});

test("chips say what the name does not", () => {
  const at = () => "24 Nov, 14:00";
  const texts = (order: NamedOrder) => orderChips(order, at).map(({ text }) => text);
  expect(texts(PLAIN)).toEqual([]);
  expect(texts(MARKET)).toEqual([]);
  expect(texts({ ...PLAIN, timeInForce: "fok" })).toEqual(["FOK"]);
  expect(
    texts({
      ...PLAIN,
      timeInForce: "gtd",
      postOnly: true,
      special: { display: "0.0010", expiresAt: 1, selfTradePrevention: "decrement" },
    }),
  ).toEqual(["Iceberg 0.001", "Post-only", "GTD 24 Nov, 14:00", "STP decrement"]);
  const ofList = (listKind: ListKind) => texts({ ...PLAIN, special: { listId: "7", listKind } });
  expect(LIST_KINDS.flatMap(ofList)).toEqual(["OCO", "OTO", "Bracket"]);
});

test.each<[NamedOrder, string | null]>([
  [PLAIN, null],
  [{ ...MARKET, special: STOP }, "Waits for the price to fall to 61,000.00."],
  [{ ...MARKET, side: "buy", special: STOP }, "Waits for the price to rise to 61,000.00."],
  [{ ...MARKET, special: PROFIT }, "Waits for the price to rise to 70,000.00."],
  [{ ...MARKET, side: "buy", special: PROFIT }, "Waits for the price to fall to 70,000.00."],
  [{ ...MARKET, special: TRAILING }, "Waits for the price to fall 2.5 % from its highest."],
  [
    { ...PLAIN, special: { ...STOP, waitsFor: "workingOrder" } },
    "Waits for its entry order to fill.",
  ],
])("%o waits: %s", (order, sentence) => {
  expect(orderWait(order)).toBe(sentence);
});

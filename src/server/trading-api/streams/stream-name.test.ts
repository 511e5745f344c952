import { expect, test } from "vitest";
import { parseStreamName } from "./stream-name.ts";

test.each([
  ["btcusd@trade", { kind: "trade" }],
  ["btcusd@aggTrade", { kind: "aggTrade" }],
  ["btcusd@miniTicker", { kind: "miniTicker" }],
  ["btcusd@ticker", { kind: "ticker" }],
  ["btcusd@bookTicker", { kind: "bookTicker" }],
  ["btcusd@avgPrice", { kind: "avgPrice" }],
  ["btcusd@ticker_4h", { kind: "windowTicker", window: "4h" }],
  ["btcusd@kline_1m", { kind: "kline", interval: "1m" }],
  ["btcusd@kline_1s", { kind: "kline", interval: "1s" }],
  ["btcusd@kline_1M", { kind: "kline", interval: "1M" }],
  ["btcusd@depth", { kind: "depth", everyMs: 1_000 }],
  ["btcusd@depth@1000ms", { kind: "depth", everyMs: 1_000 }],
  ["btcusd@depth@100ms", { kind: "depth", everyMs: 100 }],
  ["btcusd@depth5", { kind: "partialDepth", everyMs: 1_000, levels: 5 }],
  ["btcusd@depth20@100ms", { kind: "partialDepth", everyMs: 100, levels: 20 }],
])("%s is a stream of BTCUSD", (name, stream) => {
  expect(parseStreamName(name)).toEqual({ symbol: "BTCUSD", stream });
});

test.each([
  ["!miniTicker@arr", { kind: "allMiniTickers" }],
  ["!ticker@arr", { kind: "allTickers" }],
  ["!ticker_1h@arr", { kind: "allWindowTickers", window: "1h" }],
])("%s is a stream of all markets", (name, stream) => {
  expect(parseStreamName(name)).toEqual({ symbol: undefined, stream });
});

test.each([
  "",
  "@trade",
  "btcusd",
  "BTCUSD@trade",
  "btcuſd@trade",
  "btcusd@Trade",
  "btcusd@kline_7m",
  "btcusd@ticker_2h",
  "!ticker_1h",
  "btcusd@kline_",
  "btcusd@depth7",
  "btcusd@depth@10ms",
  "btcusd@depth5@100ms@100ms",
  "!bookTicker@arr",
  `${"a".repeat(60)}@trade`,
])("%j is none", (name) => {
  expect(parseStreamName(name)).toBeUndefined();
});

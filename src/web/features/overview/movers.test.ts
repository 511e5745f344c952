import { expect, test } from "vitest";
import type { Ticker } from "#contract/types.ts";
import { moversOf } from "./movers.ts";

function ticker(market: string, change24h: string | null, quoteVolume24h: string): Ticker {
  return {
    market,
    last: "1",
    bid: null,
    ask: null,
    open24h: null,
    high24h: null,
    low24h: null,
    change24h,
    baseVolume24h: "0",
    quoteVolume24h,
  };
}

const tickers = [
  ticker("A", "-2.50", "9.00"),
  ticker("B", "10.00", "100.00"),
  ticker("C", "9.00", "20.00"),
  ticker("D", null, "30.00"),
  ticker("E", "0.00", "1.00"),
];
const markets = (list: Ticker[]) => list.map(({ market }) => market).join(" ");

test("gainers are those that rose, the strongest first", () => {
  expect(markets(moversOf(tickers, "gainers", 5))).toBe("B C");
});

test("losers are those that fell", () => {
  expect(markets(moversOf(tickers, "losers", 5))).toBe("A");
});

test("volume lists the liveliest, by value and not by text", () => {
  expect(markets(moversOf(tickers, "volume", 3))).toBe("B D C");
});

import { expect, test } from "vitest";
import type { Market, Ticker } from "#contract/types.ts";
import { listMarkets, type MarketFilter } from "./market-rows.ts";

function market(base: string, baseName: string): Market {
  return {
    symbol: `${base}-USD`,
    base,
    quote: "USD",
    baseName,
    tickSize: "0.01",
    lotSize: "0.01",
    notionalMin: "1",
    quantityMax: "100",
    priceDecimals: 2,
    quantityDecimals: 2,
    quoteDecimals: 2,
    status: "trading",
    closesAt: null,
    simulated: true,
    funds: null,
    notionalMax: null,
    priceBand: null,
    protectionBps: 500,
    fees: null,
  };
}
function ticker(
  base: string,
  last: string | null,
  change24h: string | null,
  volume: string,
): Ticker {
  return {
    market: `${base}-USD`,
    last,
    bid: null,
    ask: null,
    open24h: null,
    high24h: null,
    low24h: null,
    change24h,
    baseVolume24h: "0",
    quoteVolume24h: volume,
  };
}
const MARKETS = [market("BTC", "Bitcoin"), market("ETH", "Ethereum"), market("SOL", "Solana")];
const TICKERS = [
  ticker("BTC", "64000", "-1.50", "900"),
  ticker("ETH", "3000", "2.00", "10000"),
  ticker("SOL", null, null, "50"),
];
const ALL: MarketFilter = {
  search: "",
  favouritesOnly: false,
  sort: { key: "volume", descending: true },
};

function symbols(filter: Partial<MarketFilter>, favourites: string[] = []): string {
  return listMarkets(MARKETS, TICKERS, new Set(favourites), { ...ALL, ...filter })
    .map((row) => row.market.base)
    .join(" ");
}

test("markets are found by symbol, pair or name", () => {
  expect(symbols({ search: "bit" })).toBe("BTC");
  expect(symbols({ search: "ETHUSD" })).toBe("ETH");
  expect(symbols({ search: "sol/u" })).toBe("SOL");
  expect(symbols({ search: "xyz" })).toBe("");
});

test("numbers sort as numbers and missing ones come last either way", () => {
  expect(symbols({})).toBe("ETH BTC SOL");
  expect(symbols({ sort: { key: "change", descending: false } })).toBe("BTC ETH SOL");
  expect(symbols({ sort: { key: "price", descending: true } })).toBe("BTC ETH SOL");
  expect(symbols({ sort: { key: "symbol", descending: true } })).toBe("SOL ETH BTC");
});

test("favourites lead, or stand alone", () => {
  expect(symbols({}, ["SOL-USD"])).toBe("SOL ETH BTC");
  expect(symbols({ favouritesOnly: true }, ["SOL-USD"])).toBe("SOL");
});

import { describe, expect, test } from "vitest";
import type { Coin } from "#contract/types.ts";
import { filterAndSortCoins, liveliestMarket, tradedCoins, visibleCoins } from "./coin-order.ts";

function coin(symbol: string, name: string, values: Partial<Coin> = {}): Coin {
  return {
    symbol,
    name,
    kind: "crypto",
    status: "listed",
    scale: 8,
    displayDecimals: 8,
    description: "",
    website: "",
    riskNote: "",
    price: "1",
    priceSource: "simulated",
    change24h: "0.00",
    volume24h: "0",
    markets: [`${symbol}-USD`],
    sparkline: [],
    ...values,
  };
}

const coins = [
  coin("BTC", "Bitcoin", { price: "64000.00", volume24h: "900.00", change24h: "-1.00" }),
  coin("ETH", "Ethereum", { price: "3400.00", volume24h: "1000.00", change24h: "2.00" }),
  coin("NEW", "Newcomer", { price: null, change24h: null }),
];
const symbols = (list: Coin[]) => list.map(({ symbol }) => symbol).join(" ");

describe("filterAndSortCoins", () => {
  test("sorts numbers by value, not by their text", () => {
    expect(symbols(filterAndSortCoins(coins, "", { key: "volume24h", descending: true }))).toBe(
      "ETH BTC NEW",
    );
    expect(symbols(filterAndSortCoins(coins, "", { key: "change24h", descending: false }))).toBe(
      "BTC ETH NEW",
    );
  });

  test("coins without a price come last in both directions", () => {
    expect(symbols(filterAndSortCoins(coins, "", { key: "price", descending: true }))).toBe(
      "BTC ETH NEW",
    );
    expect(symbols(filterAndSortCoins(coins, "", { key: "price", descending: false }))).toBe(
      "ETH BTC NEW",
    );
  });

  test("finds coins by a part of the symbol or the name in any case", () => {
    const byName = { key: "name", descending: false } as const;
    expect(symbols(filterAndSortCoins(coins, " etH ", byName))).toBe("ETH");
    expect(symbols(filterAndSortCoins(coins, "coin", byName))).toBe("BTC");
    expect(symbols(filterAndSortCoins(coins, "nothing", byName))).toBe("");
  });
});

test("hidden coins are not shown, and the settlement coin is not offered for trading", () => {
  const all = [
    ...coins,
    coin("USD", "Dollar", { priceSource: "settlement" }),
    coin("OLD", "Old", { markets: [] }),
    coin("HID", "Hidden", { status: "hidden" }),
  ];
  expect(symbols(visibleCoins(all))).toBe("BTC ETH NEW USD OLD");
  expect(symbols(tradedCoins(all))).toBe("BTC ETH NEW");
});

test("the liveliest market is that of the coin with the most volume", () => {
  expect(liveliestMarket(coins)).toMatchObject({ coin: { symbol: "ETH" }, market: "ETH-USD" });
  expect(liveliestMarket([])).toBeUndefined();
});

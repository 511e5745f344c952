/** The markets that are open as tabs, stored in this browser. */
import { useEffect, useMemo } from "react";
import type { Market } from "#contract/types.ts";
import { storedChoice, useSharedValue } from "../../ui/shared-value.ts";

const TABS_MAX = 10;

const openMarkets = storedChoice<readonly string[]>("openbell.trade.tabs", (given) =>
  Array.isArray(given) ? given.filter((symbol) => typeof symbol === "string") : [],
);

/** Adds `symbol` as the last tab; if there are too many tabs, the oldest is removed. */
export function withMarket(symbols: readonly string[], symbol: string): readonly string[] {
  return symbols.includes(symbol) ? symbols : [...symbols, symbol].slice(-TABS_MAX);
}

/** The tab to show after `symbol` is closed: the next one, else the previous one. */
export function neighbourOf(symbols: readonly string[], symbol: string): string | undefined {
  const at = symbols.indexOf(symbol);
  return symbols[at + 1] ?? symbols[at - 1];
}

export function closeMarket(symbol: string): void {
  openMarkets.set(openMarkets.read().filter((each) => each !== symbol));
}

/** The open markets that still exist, including the current one. */
export function useOpenMarkets(markets: readonly Market[], current: Market): readonly Market[] {
  const stored = useSharedValue(openMarkets);
  const { symbol } = current;
  useEffect(() => {
    const next = withMarket(openMarkets.read(), symbol);
    if (next !== openMarkets.read()) openMarkets.set(next);
  }, [symbol]);
  return useMemo(() => {
    const bySymbol = new Map(markets.map((market) => [market.symbol, market]));
    return withMarket(stored, symbol).flatMap((each) => bySymbol.get(each) ?? []);
  }, [markets, stored, symbol]);
}

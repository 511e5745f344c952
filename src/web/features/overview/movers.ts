import type { Decimal, Ticker } from "#contract/types.ts";

export type MoverList = "gainers" | "losers" | "volume";

/** The first `count` markets of a list; markets without a value are omitted. */
export function moversOf(tickers: readonly Ticker[], list: MoverList, count: number): Ticker[] {
  const figure = (ticker: Ticker): Decimal | null =>
    list === "volume" ? ticker.quoteVolume24h : ticker.change24h;
  const sign = list === "losers" ? 1 : -1;
  return tickers
    .filter((ticker) => {
      const value = figure(ticker);
      if (value === null) return false;
      return list === "volume" || sign * Number(value) < 0;
    })
    .toSorted((left, right) => sign * (Number(figure(left)) - Number(figure(right))))
    .slice(0, count);
}

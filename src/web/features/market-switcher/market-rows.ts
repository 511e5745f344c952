/** Filters and sorts the markets of the switcher. */
import { compareDecimals } from "#contract/decimal.ts";
import type { Decimal, Market, Ticker } from "#contract/types.ts";

export interface MarketRow {
  readonly market: Market;
  readonly ticker: Ticker | undefined;
  readonly isFavourite: boolean;
}

export type MarketColumn = "symbol" | "price" | "change" | "volume";

export interface MarketFilter {
  readonly search: string;
  readonly favouritesOnly: boolean;
  readonly sort: { readonly key: MarketColumn; readonly descending: boolean };
}

/** Filters and sorts markets: favourites first, then in the chosen order; missing values come last. */
export function listMarkets(
  markets: readonly Market[],
  tickers: readonly Ticker[],
  favourites: ReadonlySet<string>,
  { search, favouritesOnly, sort }: MarketFilter,
): MarketRow[] {
  const bySymbol = new Map(tickers.map((ticker) => [ticker.market, ticker]));
  const words = search.trim().toLowerCase();
  return markets
    .map((market) => ({
      market,
      ticker: bySymbol.get(market.symbol),
      isFavourite: favourites.has(market.symbol),
    }))
    .filter((row) => (!favouritesOnly || row.isFavourite) && matches(row.market, words))
    .sort((left, right) => {
      if (left.isFavourite !== right.isFavourite) return left.isFavourite ? -1 : 1;
      return compareRows(left, right, sort);
    });
}

function matches({ symbol, baseName }: Market, words: string): boolean {
  const names = [symbol, symbol.replace("-", ""), symbol.replace("-", "/"), baseName];
  return names.some((name) => name.toLowerCase().includes(words));
}

function compareRows(
  left: MarketRow,
  right: MarketRow,
  { key, descending }: MarketFilter["sort"],
): number {
  const sign = descending ? -1 : 1;
  if (key === "symbol") return sign * left.market.symbol.localeCompare(right.market.symbol, "en");
  const [a, b] = [valueOf(left, key), valueOf(right, key)];
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return sign * compareDecimals(a, b);
}

const VALUES: Record<Exclude<MarketColumn, "symbol">, (ticker: Ticker) => Decimal | null> = {
  price: (ticker) => ticker.last,
  change: (ticker) => ticker.change24h,
  volume: (ticker) => ticker.quoteVolume24h,
};

function valueOf({ ticker }: MarketRow, key: Exclude<MarketColumn, "symbol">): Decimal | null {
  return ticker === undefined ? null : VALUES[key](ticker);
}

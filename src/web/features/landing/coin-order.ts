import type { Coin } from "#contract/types.ts";
import type { Sort } from "../../ui/table.tsx";

export type CoinColumn = "name" | "price" | "change24h" | "volume24h";

export function visibleCoins(coins: readonly Coin[]): Coin[] {
  return coins.filter(({ status }) => status !== "hidden");
}

/** The coins that users can trade: all but the settlement coin. */
export function tradedCoins(coins: readonly Coin[]): Coin[] {
  return visibleCoins(coins).filter(
    ({ markets, priceSource }) => markets.length > 0 && priceSource !== "settlement",
  );
}

/** Filters coins by symbol or name and sorts them; unknown values come last in either direction. */
export function filterAndSortCoins(
  coins: readonly Coin[],
  search: string,
  sort: Sort<CoinColumn>,
): Coin[] {
  const wanted = search.trim().toLowerCase();
  return coins
    .filter(
      ({ symbol, name }) =>
        symbol.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted),
    )
    .toSorted((left, right) => compareCoins(left, right, sort));
}

/** The market with the highest 24-hour volume, with its coin; undefined if none traded. */
export function liveliestMarket(
  coins: readonly Coin[],
): { readonly coin: Coin; readonly market: string } | undefined {
  const [coin] = filterAndSortCoins(tradedCoins(coins), "", { key: "volume24h", descending: true });
  const market = coin?.markets[0];
  return coin === undefined || market === undefined ? undefined : { coin, market };
}

function compareCoins(left: Coin, right: Coin, { key, descending }: Sort<CoinColumn>): number {
  const direction = descending ? -1 : 1;
  if (key === "name") return direction * left.name.localeCompare(right.name, "en");
  const [a, b] = [left[key], right[key]];
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  // A float's 15 digits are enough to sort rows.
  return direction * (Number(a) - Number(b)) || left.name.localeCompare(right.name, "en");
}

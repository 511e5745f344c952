/**
 * A visitor's watchlist, stored in this browser until sign-in, when it is merged into the user's
 * watchlist.
 */
import { storedChoice, useSharedValue } from "../ui/shared-value.ts";

const watchlist = storedChoice<readonly string[]>("openbell.trade.favourites", (given) =>
  Array.isArray(given) ? given.filter((symbol) => typeof symbol === "string") : [],
);

export function toggleVisitorMarket(symbol: string): void {
  const list = watchlist.read();
  watchlist.set(list.includes(symbol) ? list.filter((each) => each !== symbol) : [...list, symbol]);
}

/** Removes the visitor's watchlist from this browser and returns it. */
export function takeVisitorWatchlist(): readonly string[] {
  const list = watchlist.read();
  if (list.length > 0) watchlist.set([]);
  return list;
}

/** Stores a watchlist again that could not be merged into the user's. */
export function restoreVisitorWatchlist(list: readonly string[]): void {
  watchlist.set([...new Set([...list, ...watchlist.read()])]);
}

export function useVisitorWatchlist(): readonly string[] {
  return useSharedValue(watchlist);
}

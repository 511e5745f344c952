import type { PublicTrade } from "#contract/types.ts";

/** How many of the listed trades, newest first, are newer than a trade; all if it is no longer listed. */
export function newerThan(trades: readonly PublicTrade[], tradeId: number): number {
  const known = trades.findIndex((trade) => trade.tradeId <= tradeId);
  return known < 0 ? trades.length : known;
}

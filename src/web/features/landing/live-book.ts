import { convexQuery } from "@convex-dev/react-query";
import { functions } from "#contract/functions.ts";

export const LIVE_LEVELS = 5;

/** The top of a market's book. */
export function liveBookQuery(market: string) {
  return convexQuery(functions.markets.book, { market, levels: LIVE_LEVELS });
}

export const LIVE_LEVELS = 5;

/** Arguments of the query that reads a market's top levels. */
export function liveBookArgs(market: string): { readonly market: string; readonly levels: number } {
  return { market, levels: LIVE_LEVELS };
}

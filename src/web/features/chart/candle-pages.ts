/** Fetches pages of a market's candles; the newest can be requested before the chart exists. */
import type { ConvexReactClient } from "convex/react";
import { functions } from "#contract/functions.ts";
import type { Candle, CandleInterval } from "#contract/types.ts";
import { PAGE_SIZE } from "./candle-feed.ts";

export interface CandlePages {
  /** Requests the newest page early; the next `fetchPage` for the newest page returns that answer. */
  readonly start: () => void;
  readonly fetchPage: (before: number | undefined, limit: number) => Promise<readonly Candle[]>;
}

export function candlePages(
  backend: Pick<ConvexReactClient, "action">,
  market: string,
  interval: CandleInterval,
): CandlePages {
  let started: Promise<readonly Candle[]> | null = null;
  const request = (before: number | undefined, limit: number) =>
    backend.action(functions.markets.candles, {
      market,
      interval,
      limit,
      ...(before === undefined ? {} : { before }),
    });
  return {
    start() {
      started = request(undefined, PAGE_SIZE);
      // Avoids an unhandled rejection; `fetchPage` returns the same promise to its caller.
      started.catch(() => undefined);
    },
    fetchPage(before, limit) {
      const page = before === undefined ? started : null;
      if (page === null) return request(before, limit);
      started = null;
      return page;
    },
  };
}

/** Pages of a market's candles, the newest asked for before there is a chart to draw them. */
import type { ConvexReactClient } from "convex/react";
import { functions } from "#contract/functions.ts";
import type { Candle, CandleInterval } from "#contract/types.ts";
import { PAGE_SIZE } from "./candle-feed.ts";

export interface CandlePages {
  /** Requests the newest page; the next to fetch it gets that answer. */
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
      // `fetchPage` passes a failure on.
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

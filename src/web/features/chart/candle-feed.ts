/**
 * Feeds candles to the chart: pages of history on request, and the live candle on every update.
 * Answers to requests that the chart has abandoned are dropped.
 */
import type { Candle } from "#contract/types.ts";
import type { DataLoader, DataLoaderGetBarsParams, KLineData } from "klinecharts";

export type FeedStatus = "loading" | "ready" | "empty" | "failed";

export interface CandleFeedOptions {
  /** Returns up to `limit` candles that opened before `before` (the newest if undefined), oldest first. */
  readonly fetchPage: (before: number | undefined, limit: number) => Promise<readonly Candle[]>;
  readonly onStatus: (status: FeedStatus) => void;
  /** Called if candles are missing between the history and the live candles: the chart must reload. */
  readonly onGap: () => void;
}

export interface CandleFeed {
  readonly loader: DataLoader;
  /** Adds live candles, oldest first; the last one is still forming. */
  push(candles: readonly Candle[]): void;
}

export const PAGE_SIZE = 500;

export function createCandleFeed({ fetchPage, onStatus, onGap }: CandleFeedOptions): CandleFeed {
  let generation = 0;
  let isEmpty = true;
  let newest = Number.NEGATIVE_INFINITY;
  let live: readonly Candle[] = [];
  let draw: ((bar: KLineData) => void) | null = null;

  const drawLive = () => {
    if (draw === null) return;
    const first = live.find((candle) => candle.openTime >= newest);
    if (first !== undefined && !isEmpty && first === live[0] && first.openTime > newest) {
      draw = null;
      onGap();
      return;
    }
    for (const candle of live) {
      if (candle.openTime < newest) continue;
      newest = candle.openTime;
      draw(barOf(candle));
    }
    if (isEmpty && live.length > 0) {
      isEmpty = false;
      onStatus("ready");
    }
  };

  const load = async ({ type, timestamp, callback }: DataLoaderGetBarsParams) => {
    if (type === "init") {
      generation += 1;
      draw = null;
      onStatus("loading");
    } else if (type === "backward") {
      // No page to load: newer candles arrive live.
      callback([], { backward: false });
      return;
    }
    const requestGeneration = generation;
    try {
      const page = await fetchPage(
        type === "init" ? undefined : (timestamp ?? undefined),
        PAGE_SIZE,
      );
      if (requestGeneration !== generation) return;
      if (type === "init") {
        isEmpty = page.length === 0;
        newest = page.at(-1)?.openTime ?? Number.NEGATIVE_INFINITY;
      }
      // For the chart, "forward" means into the past.
      callback(page.map(barOf), { forward: page.length === PAGE_SIZE });
      if (type === "init") onStatus(isEmpty ? "empty" : "ready");
    } catch {
      if (requestGeneration !== generation) return;
      // A failed older page is requested again at the next scroll; without the first page, the chart
      // has failed.
      if (type === "init") onStatus("failed");
      else callback([], { forward: true });
    }
  };

  return {
    loader: {
      getBars: (params) => void load(params),
      subscribeBar: ({ callback }) => {
        draw = callback;
        drawLive();
      },
      unsubscribeBar: () => {
        generation += 1;
        draw = null;
        live = [];
      },
    },
    push(candles) {
      live = candles;
      drawLive();
    },
  };
}

function barOf({ openTime, open, high, low, close, volume }: Candle): KLineData {
  // A candle has no quote volume; estimated as volume times the typical price.
  const turnover = (volume * (high + low + close)) / 3;
  return { timestamp: openTime, open, high, low, close, volume, turnover };
}

/** The prices that alerts need, from the read models. */
import type { Views } from "../views/views.ts";
import type { MinuteCandle } from "./price-window.ts";

export interface Prices {
  /** 0 before the first trade. */
  readonly lastTicks: (marketId: number) => number;
  /** Up to `limit` one-minute candles that opened before `before`, oldest first. */
  readonly minutes: (marketId: number, before: number, limit: number) => readonly MinuteCandle[];
  /** The last price before a time; 0 if none. */
  readonly closeBefore: (marketId: number, timeMs: number) => number;
  readonly nowMs: () => number;
}

export function pricesOf(views: Views): Prices {
  const { candles, tickers } = views;
  return {
    lastTicks: (marketId) => tickers.lastTicks(marketId),
    minutes: (marketId, before, limit) => candles.read(marketId, "1m", before, limit),
    closeBefore: (marketId, timeMs) => candles.closeBefore(marketId, "1m", timeMs),
    nowMs: () => views.nowMs(),
  };
}

/**
 * When candles begin, in UTC: weeks on Monday, months on their first day, everything else at
 * multiples of the interval since 1970.
 */
import type { CandleInterval } from "./types.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** 1970-01-05 was the first Monday. */
const FIRST_MONDAY = 4 * DAY;

/** The length of each interval in milliseconds; of a month, which varies, the longest. */
export const INTERVAL_MS: Readonly<Record<CandleInterval, number>> = {
  "1s": SECOND,
  "1m": MINUTE,
  "3m": 3 * MINUTE,
  "5m": 5 * MINUTE,
  "15m": 15 * MINUTE,
  "30m": 30 * MINUTE,
  "1h": HOUR,
  "2h": 2 * HOUR,
  "4h": 4 * HOUR,
  "6h": 6 * HOUR,
  "8h": 8 * HOUR,
  "12h": 12 * HOUR,
  "1d": DAY,
  "3d": 3 * DAY,
  "1w": 7 * DAY,
  "1M": 31 * DAY,
};

/** The opening time of the candle that covers a moment, in milliseconds since 1970 UTC. */
export function candleOpenTime(interval: CandleInterval, timeMs: number): number {
  if (interval === "1M") {
    const date = new Date(timeMs);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
  const length = INTERVAL_MS[interval];
  const offset = interval === "1w" ? FIRST_MONDAY : 0;
  return Math.floor((timeMs - offset) / length) * length + offset;
}

/** The opening time of the candle after the one that began at `openTime`. */
export function nextCandleOpenTime(interval: CandleInterval, openTime: number): number {
  if (interval !== "1M") return openTime + INTERVAL_MS[interval];
  const date = new Date(openTime);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

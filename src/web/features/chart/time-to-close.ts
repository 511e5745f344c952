import { candleOpenTime, nextCandleOpenTime } from "#contract/candle-intervals.ts";
import type { CandleInterval } from "#contract/types.ts";

const SECONDS_IN_DAY = 86_400;

/**
 * Formats the time until the forming candle closes: "04:32", "3:04:32" or "2d 03:04".
 * @param nowMs the server's clock, milliseconds since 1970
 */
export function timeToClose(interval: CandleInterval, nowMs: number): string {
  const closesAt = nextCandleOpenTime(interval, candleOpenTime(interval, nowMs));
  const seconds = Math.ceil((closesAt - nowMs) / 1_000);
  const [days, hours, minutes] = [
    Math.floor(seconds / SECONDS_IN_DAY),
    Math.floor((seconds % SECONDS_IN_DAY) / 3_600),
    Math.floor((seconds % 3_600) / 60),
  ];
  if (days > 0) return `${days}d ${twoDigits(hours)}:${twoDigits(minutes)}`;
  const rest = `${twoDigits(minutes)}:${twoDigits(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

function twoDigits(value: number): string {
  return value.toString().padStart(2, "0");
}

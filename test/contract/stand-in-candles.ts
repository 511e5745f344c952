/** A short simulated history instead of the simulator's: two days of minutes before the start. */
import type { CandleColumns } from "#server/simulator/candle-history.ts";

const MINUTES = 2 * 1_440;
const MINUTE_MS = 60_000;

export function simulatedCandles(
  seed: number,
  marketSymbol: string,
  startedAtMs: number,
): CandleColumns {
  const firstMs = Math.floor(startedAtMs / MINUTE_MS) * MINUTE_MS - MINUTES * MINUTE_MS;
  const column = (value: (minute: number) => number) =>
    Float64Array.from({ length: MINUTES }, (_, minute) => value(minute));
  const open = (minute: number) =>
    1_000 + seed + marketSymbol.charCodeAt(0) + Math.round(100 * Math.sin(minute / 50));
  return {
    openTime: column((minute) => firstMs + minute * MINUTE_MS),
    open: column(open),
    high: column((minute) => Math.max(open(minute), open(minute + 1)) + (minute % 7)),
    low: column((minute) => Math.min(open(minute), open(minute + 1)) - (minute % 5)),
    close: column((minute) => open(minute + 1)),
    volume: column((minute) => 1 + (minute % 100)),
  };
}

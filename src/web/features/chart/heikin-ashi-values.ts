/** Prices of one candle. For drawing only, hence floats. */
export interface HeikinAshi {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/**
 * Converts candles to Heikin-Ashi: each closes at its average price and opens at the middle of the
 * previous candle.
 */
export function heikinAshiOf(candles: readonly HeikinAshi[]): HeikinAshi[] {
  const averaged: HeikinAshi[] = [];
  for (const { open, high, low, close } of candles) {
    const before = averaged.at(-1);
    const average = (open + high + low + close) / 4;
    const start = before === undefined ? (open + close) / 2 : (before.open + before.close) / 2;
    averaged.push({
      open: start,
      close: average,
      high: Math.max(high, start, average),
      low: Math.min(low, start, average),
    });
  }
  return averaged;
}

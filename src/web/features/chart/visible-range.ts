import type { KLineData, VisibleRange } from "klinecharts";

/** The times and prices in view. For drawing and screen readers only, hence floats. */
export interface ChartRange {
  readonly last: number;
  readonly high: number;
  readonly low: number;
  readonly from: number;
  readonly to: number;
}

/** Computes the range of the visible candles; null if there are none. */
export function visibleRange(
  candles: readonly KLineData[],
  { from, to }: Pick<VisibleRange, "from" | "to">,
): ChartRange | null {
  const inView = candles.slice(from, to);
  const first = inView[0];
  const newest = inView.at(-1);
  if (first === undefined || newest === undefined) return null;
  return {
    last: newest.close,
    high: Math.max(...inView.map((candle) => candle.high)),
    low: Math.min(...inView.map((candle) => candle.low)),
    from: first.timestamp,
    to: newest.timestamp,
  };
}

/** Scales another market's prices to a chart's price axis. For drawing only, hence floats. */
interface ClosedCandle {
  readonly timestamp: number;
  readonly close: number;
}

export interface ComparedPrice {
  /** The other market's price, scaled to this chart's axis; absent before its first trade. */
  readonly compared?: number;
  /** The other market's change since the base, in percent. */
  readonly percent?: number;
}

/**
 * Converts the other market's changes since `baseTime` to prices of the chart's own market, so that
 * both lines start at the same height. A candle that the other market lacks repeats its last price.
 */
export function comparedPrices(
  own: readonly ClosedCandle[],
  other: readonly ClosedCandle[],
  baseTime: number,
): ComparedPrice[] {
  const closes = alignedCloses(own, other);
  const base = own.findIndex(({ timestamp }) => timestamp >= baseTime);
  const start = closes.findIndex((close, index) => index >= base && close !== null);
  const ownBase = own[start]?.close;
  const otherBase = closes[start];
  if (base < 0 || ownBase === undefined || !otherBase) return own.map(() => ({}));
  return closes.map((close) =>
    close === null
      ? {}
      : { compared: (close / otherBase) * ownBase, percent: (close / otherBase - 1) * 100 },
  );
}

function alignedCloses(
  own: readonly ClosedCandle[],
  other: readonly ClosedCandle[],
): (number | null)[] {
  let at = 0;
  let last: number | null = null;
  return own.map(({ timestamp }) => {
    for (; at < other.length; at += 1) {
      const candle = other[at];
      if (candle === undefined || candle.timestamp > timestamp) break;
      last = candle.close;
    }
    return last;
  });
}

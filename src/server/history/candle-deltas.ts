/**
 * What trades, or short candles, add to the stored candles. A delta is a candle of only these; the
 * database merges it into the existing candle, so no candle needs to be kept in memory.
 */
import type { CandlesTable } from "../database/history-tables.ts";
import type { CandleColumns } from "../simulator/candle-history.ts";
import type { CandleRecord } from "../views/candles.ts";

/** Lengths of the stored candles in seconds; the others are derived from them on reading. */
export const STORED_INTERVAL_SECONDS = [60, 3_600, 86_400] as const;

export class CandleDeltas {
  readonly rows: CandlesTable[] = [];
  /** The newest delta of each stored length, by market. */
  readonly #newest = new Map<number, CandlesTable[]>();

  /** Adds candles of a market, each at most a minute long, in time order. */
  add(marketId: number, candle: CandleRecord): void {
    let newest = this.#newest.get(marketId);
    if (newest === undefined) this.#newest.set(marketId, (newest = []));
    for (const [index, seconds] of STORED_INTERVAL_SECONDS.entries()) {
      const openTime = candle.openTime - (candle.openTime % (seconds * 1_000));
      const delta = newest[index];
      if (delta?.open_time === openTime) merge(delta, candle);
      else {
        newest[index] = {
          market_id: marketId,
          interval_seconds: seconds,
          open_time: openTime,
          open_ticks: candle.openTicks,
          high_ticks: candle.highTicks,
          low_ticks: candle.lowTicks,
          close_ticks: candle.closeTicks,
          volume_lots: candle.volumeLots,
        };
        this.rows.push(newest[index]);
      }
    }
  }
}

function merge(delta: CandlesTable, candle: CandleRecord): void {
  delta.high_ticks = Math.max(delta.high_ticks, candle.highTicks);
  delta.low_ticks = Math.min(delta.low_ticks, candle.lowTicks);
  delta.close_ticks = candle.closeTicks;
  delta.volume_lots = Math.min(delta.volume_lots + candle.volumeLots, Number.MAX_SAFE_INTEGER);
}

/** The stored candles of a simulated history, sorted like their table: by length, then by time. */
export function simulatedCandleRows(marketId: number, minutes: CandleColumns): CandlesTable[] {
  const candles = new CandleDeltas();
  minutes.openTime.forEach((openTime, minute) => {
    candles.add(marketId, {
      openTime,
      openTicks: minutes.open[minute],
      highTicks: minutes.high[minute],
      lowTicks: minutes.low[minute],
      closeTicks: minutes.close[minute],
      volumeLots: minutes.volume[minute],
    });
  });
  return candles.rows.toSorted((a, b) => a.interval_seconds - b.interval_seconds);
}

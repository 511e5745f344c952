/**
 * What trades, or short candles, add to the stored candles. A delta is a candle of only these
 * trades; the database merges it into the stored candle, so no candle needs to be kept in memory.
 */
import type { CandlesTable } from "../database/history-tables.ts";
import { CANDLES, type CandleRecord, type CandleState, mergeLater } from "../records/candles.ts";
import type { CandleColumns } from "../simulator/candle-history.ts";
import { simulatedMinutes } from "../views/simulated-minutes.ts";

/**
 * Lengths of the stored candles in seconds; all other intervals are derived from these when read.
 */
export const STORED_INTERVAL_SECONDS = [60, 3_600, 86_400] as const;

interface Delta {
  readonly marketId: number;
  readonly seconds: number;
  readonly candle: CandleState;
}

export class CandleDeltas {
  readonly #deltas: Delta[] = [];
  /** The newest delta of each stored length, by market. */
  readonly #newest = new Map<number, Delta[]>();

  get rows(): CandlesTable[] {
    return this.#deltas.map(({ marketId, seconds, candle }) => ({
      market_id: marketId,
      interval_seconds: seconds,
      ...CANDLES.toRow(candle),
    }));
  }

  /** Adds candles of a market, each at most a minute long, in time order. */
  add(marketId: number, candle: CandleRecord): void {
    let newest = this.#newest.get(marketId);
    if (newest === undefined) this.#newest.set(marketId, (newest = []));
    for (const [index, seconds] of STORED_INTERVAL_SECONDS.entries()) {
      const openTime = candle.openTime - (candle.openTime % (seconds * 1_000));
      const delta = newest[index];
      if (delta?.candle.openTime === openTime) mergeLater(delta.candle, candle);
      else {
        newest[index] = { marketId, seconds, candle: { ...candle, openTime } };
        this.#deltas.push(newest[index]);
      }
    }
  }
}

/**
 * The stored candles of a simulated history, sorted like their table: by length, then by time.
 * @param tickLotUnits the market's quote units of one lot at a price of one tick
 */
export function simulatedCandleRows(
  marketId: number,
  minutes: CandleColumns,
  tickLotUnits: number,
): CandlesTable[] {
  const candles = new CandleDeltas();
  for (const minute of simulatedMinutes(minutes, tickLotUnits)) candles.add(marketId, minute);
  return candles.rows.toSorted((a, b) => a.interval_seconds - b.interval_seconds);
}

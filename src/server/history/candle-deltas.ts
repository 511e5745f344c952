/**
 * The additions of trades, or of short candles, to the stored candles. A delta is a candle of only these
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

/**
 * How many of its last days a simulated history keeps by the minute; before them hours and days are enough.
 * The views hold the newest 1 500 candles of every interval, and those of half an hour reach back 31 days.
 */
const SIMULATED_MINUTES_DAYS = 32;
const DAY_MS = 86_400_000;

interface Delta {
  readonly marketId: number;
  readonly seconds: number;
  readonly candle: CandleState;
}

export class CandleDeltas {
  readonly #lengths: readonly number[];
  readonly #deltas: Delta[] = [];
  /** The newest delta of each stored length, by market. */
  readonly #newest = new Map<number, Delta[]>();

  /** @param lengths of the candles to keep, in seconds */
  constructor(lengths: readonly number[] = STORED_INTERVAL_SECONDS) {
    this.#lengths = lengths;
  }

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
    for (const [index, seconds] of this.#lengths.entries()) {
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
  const older = new CandleDeltas(STORED_INTERVAL_SECONDS.filter((seconds) => seconds > 60));
  const newer = new CandleDeltas();
  // A whole day, so that no hour and no day is in both.
  const endMs = minutes.openTime.at(-1) ?? 0;
  const firstMs = endMs - (endMs % DAY_MS) - SIMULATED_MINUTES_DAYS * DAY_MS;
  for (const minute of simulatedMinutes(minutes, tickLotUnits)) {
    (minute.openTime < firstMs ? older : newer).add(marketId, minute);
  }
  return [...older.rows, ...newer.rows].toSorted((a, b) => a.interval_seconds - b.interval_seconds);
}

/**
 * Derives candles of every length from the three stored ones. Reads back from the newest row and
 * merges rows into candles until there are enough, a few thousand rows at a time, so that a long
 * chart never occupies the thread for long and gaps of any size cost nothing.
 */
import type { Kysely } from "kysely";
import { candleOpenTime, INTERVAL_MS, nextCandleOpenTime } from "#contract/candle-intervals.ts";
import type { CandleInterval } from "#contract/types.ts";
import type { Tables } from "../../database/tables.ts";
import {
  CANDLES,
  type CandleRecord,
  type CandleState,
  mergeEarlier,
} from "../../records/candles.ts";
import { STORED_INTERVAL_SECONDS } from "../candle-deltas.ts";

const ROWS_PER_READ_MAX = 4_000;

/** Candles of an interval that opened before a moment. @returns oldest first */
export async function readCandles(
  read: Kysely<Tables>,
  query: { marketId: number; interval: CandleInterval; before: number; limit: number },
): Promise<CandleRecord[]> {
  const { marketId, interval, before, limit } = query;
  const seconds = STORED_INTERVAL_SECONDS.findLast(
    (candidate) => candidate * 1_000 <= INTERVAL_MS[interval],
  );
  if (seconds === undefined) return [];
  const rowsPerCandle = Math.ceil(INTERVAL_MS[interval] / (seconds * 1_000));
  const rowsPerRead = Math.min(limit * rowsPerCandle, ROWS_PER_READ_MAX);

  /** Newest first; reversed when returned. */
  const candles: CandleState[] = [];
  // A candle that opened before the moment counts in full, even if it ends after the moment.
  let end = nextCandleOpenTime(interval, candleOpenTime(interval, before - 1));
  for (;;) {
    const rows = await read
      .selectFrom("candles")
      .selectAll()
      .where("market_id", "=", marketId)
      .where("interval_seconds", "=", seconds)
      .where("open_time", "<", end)
      .orderBy("open_time", "desc")
      .limit(rowsPerRead)
      .execute();
    for (const row of rows) {
      const openTime = candleOpenTime(interval, row.open_time);
      const candle = candles.at(-1);
      if (candle?.openTime === openTime) {
        mergeEarlier(candle, CANDLES.fromRow(row));
        continue;
      }
      if (candles.length === limit) return candles.reverse();
      candles.push({ ...CANDLES.fromRow(row), openTime });
    }
    if (rows.length < rowsPerRead) return candles.reverse();
    end = rows[rows.length - 1].open_time;
  }
}

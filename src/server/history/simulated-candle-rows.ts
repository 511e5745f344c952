/** Rows of the stored intervals for the simulated history of a market, which comes in minutes. */
import type { CandleColumns } from "../simulator/candle-history.ts";
import { STORED_INTERVAL_SECONDS } from "./candle-deltas.ts";
import type { CandlesTable } from "../database/history-tables.ts";

/** Sorted as the table is: by length, then by time. */
export function simulatedCandleRows(marketId: number, columns: CandleColumns): CandlesTable[] {
  const rows: CandlesTable[] = [];
  const { openTime, open, high, low, close, volume } = columns;
  for (const seconds of STORED_INTERVAL_SECONDS) {
    let candle: CandlesTable | undefined;
    for (let minute = 0; minute < openTime.length; minute += 1) {
      const start = openTime[minute] - (openTime[minute] % (seconds * 1_000));
      if (candle?.open_time === start) {
        candle.high_ticks = Math.max(candle.high_ticks, high[minute]);
        candle.low_ticks = Math.min(candle.low_ticks, low[minute]);
        candle.close_ticks = close[minute];
        candle.volume_lots = Math.min(candle.volume_lots + volume[minute], Number.MAX_SAFE_INTEGER);
      } else {
        candle = {
          market_id: marketId,
          interval_seconds: seconds,
          open_time: start,
          open_ticks: open[minute],
          high_ticks: high[minute],
          low_ticks: low[minute],
          close_ticks: close[minute],
          volume_lots: volume[minute],
        };
        rows.push(candle);
      }
    }
  }
  return rows;
}

/**
 * What a batch of trades adds to the stored candles. A delta is a candle of the batch's trades
 * alone; the database merges it into the candle that it has, so no candle needs to be remembered.
 */
import type { CandlesTable, TradesTable } from "../database/history-tables.ts";

/** Lengths of the stored candles in seconds; the others are made of them on reading. */
export const STORED_INTERVAL_SECONDS = [60, 3_600, 86_400] as const;

export class CandleDeltas {
  readonly rows: CandlesTable[] = [];
  /** The newest delta of each stored length, by market. */
  readonly #newest = new Map<number, CandlesTable[]>();

  /** Trades of a market come in the order of their times. */
  add(trade: TradesTable): void {
    let newest = this.#newest.get(trade.market_id);
    if (newest === undefined) {
      newest = [];
      this.#newest.set(trade.market_id, newest);
    }
    for (const [index, seconds] of STORED_INTERVAL_SECONDS.entries()) {
      const openTime = trade.time - (trade.time % (seconds * 1_000));
      const delta = newest[index];
      if (delta?.open_time === openTime) mergeTrade(delta, trade);
      else {
        newest[index] = deltaOf(trade, seconds, openTime);
        this.rows.push(newest[index]);
      }
    }
  }
}

function deltaOf(trade: TradesTable, seconds: number, openTime: number): CandlesTable {
  return {
    market_id: trade.market_id,
    interval_seconds: seconds,
    open_time: openTime,
    open_ticks: trade.price_ticks,
    high_ticks: trade.price_ticks,
    low_ticks: trade.price_ticks,
    close_ticks: trade.price_ticks,
    volume_lots: trade.quantity_lots,
  };
}

function mergeTrade(delta: CandlesTable, trade: TradesTable): void {
  delta.high_ticks = Math.max(delta.high_ticks, trade.price_ticks);
  delta.low_ticks = Math.min(delta.low_ticks, trade.price_ticks);
  delta.close_ticks = trade.price_ticks;
  delta.volume_lots = Math.min(delta.volume_lots + trade.quantity_lots, Number.MAX_SAFE_INTEGER);
}

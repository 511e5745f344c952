/**
 * What a batch of trades adds to the stored candles. A delta is a candle of the batch's trades
 * alone; the database merges it into the candle that it has, so no candle needs to be remembered.
 */
import type { TradeRecord } from "../records/trades.ts";
import type { CandlesTable } from "../database/history-tables.ts";

/** Lengths of the stored candles in seconds; the others are made of them on reading. */
export const STORED_INTERVAL_SECONDS = [60, 3_600, 86_400] as const;

export class CandleDeltas {
  readonly rows: CandlesTable[] = [];
  /** The newest delta of each stored length, by market. */
  readonly #newest = new Map<number, CandlesTable[]>();

  /** Trades of a market come in the order of their times. */
  add(trade: TradeRecord): void {
    let newest = this.#newest.get(trade.marketId);
    if (newest === undefined) {
      newest = [];
      this.#newest.set(trade.marketId, newest);
    }
    for (const [index, seconds] of STORED_INTERVAL_SECONDS.entries()) {
      const openTime = trade.timestampMs - (trade.timestampMs % (seconds * 1_000));
      const delta = newest[index];
      if (delta?.open_time === openTime) mergeTrade(delta, trade);
      else {
        newest[index] = deltaOf(trade, seconds, openTime);
        this.rows.push(newest[index]);
      }
    }
  }
}

function deltaOf(trade: TradeRecord, seconds: number, openTime: number): CandlesTable {
  return {
    market_id: trade.marketId,
    interval_seconds: seconds,
    open_time: openTime,
    open_ticks: trade.priceTicks,
    high_ticks: trade.priceTicks,
    low_ticks: trade.priceTicks,
    close_ticks: trade.priceTicks,
    volume_lots: trade.quantityLots,
  };
}

function mergeTrade(delta: CandlesTable, trade: TradeRecord): void {
  delta.high_ticks = Math.max(delta.high_ticks, trade.priceTicks);
  delta.low_ticks = Math.min(delta.low_ticks, trade.priceTicks);
  delta.close_ticks = trade.priceTicks;
  delta.volume_lots = Math.min(delta.volume_lots + trade.quantityLots, Number.MAX_SAFE_INTEGER);
}

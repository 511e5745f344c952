/**
 * The latest candles of every market in all intervals, from trades and from the simulated history.
 * Intervals without trades have no candle.
 */
import { candleOpenTime, nextCandleOpenTime } from "#contract/candle-intervals.ts";
import { CANDLE_INTERVALS, type CandleInterval } from "#contract/types.ts";
import type { EventOf } from "#engine/events.ts";
import {
  candleOfTrade,
  type CandleRecord,
  type CandleState,
  mergeLater,
  QUOTE_PART,
} from "../records/candles.ts";
import type { CandleColumns } from "../simulator/candle-history.ts";
import type { MarketView } from "./catalogue.ts";
import { simulatedMinutes } from "./simulated-minutes.ts";

/** Candles kept per market and interval. */
export const CANDLES_KEPT = 1_500;

/** The number of fields of a candle in a row of the ring; their order is that of the record. */
const FIELD_COUNT = 12;
const [OPEN_TIME, OPEN, HIGH, LOW, CLOSE, VOLUME] = [0, 1, 2, 3, 4, 5];
const [QUOTE_HIGH, QUOTE_LOW, TRADE_COUNT, BUY_LOTS, BUY_QUOTE_HIGH, BUY_QUOTE_LOW] = [
  6, 7, 8, 9, 10, 11,
];

class CandleSeries {
  readonly #interval: CandleInterval;
  /**
   * Rows of the ring, which grows up to its full size: most series of a young exchange are short.
   */
  #rows = new Float64Array(64 * FIELD_COUNT);
  #first = 0;
  #length = 0;
  /**
   * Offset of the newest candle's row, and when that candle ends; unset before the first candle.
   */
  #newest = 0;
  #endTime = Number.NEGATIVE_INFINITY;
  /** Whether a newer candle has replaced an older one. */
  #dropped = false;

  constructor(interval: CandleInterval) {
    this.#interval = interval;
  }

  /** Whether the series holds every candle since the first. */
  get isComplete(): boolean {
    return !this.#dropped;
  }

  /**
   * Merges a candle, no longer than the interval's own, into the one that covers its opening time.
   */
  merge(candle: CandleRecord): void {
    if (candle.openTime >= this.#endTime) {
      this.#append(candle);
      return;
    }
    const rows = this.#rows;
    const row = this.#newest;
    if (candle.highTicks > rows[row + HIGH]) rows[row + HIGH] = candle.highTicks;
    if (candle.lowTicks < rows[row + LOW]) rows[row + LOW] = candle.lowTicks;
    rows[row + CLOSE] = candle.closeTicks;
    rows[row + VOLUME] += candle.volumeLots;
    rows[row + TRADE_COUNT] += candle.tradeCount;
    rows[row + BUY_LOTS] += candle.takerBuyLots;
    this.#addQuote(row + QUOTE_HIGH, candle.quoteHigh, candle.quoteLow);
    this.#addQuote(row + BUY_QUOTE_HIGH, candle.takerBuyQuoteHigh, candle.takerBuyQuoteLow);
  }

  /** Up to `limit` candles that opened before `before`, oldest first. */
  read(before: number, limit: number): CandleRecord[] {
    const end = this.#countBefore(before);
    const start = Math.max(0, end - limit);
    return Array.from({ length: end - start }, (_, index) => this.#candle(start + index));
  }

  /** Closing price of the newest candle that opened before a moment, 0 if none. */
  closeBefore(timeMs: number): number {
    const count = this.#countBefore(timeMs);
    return count === 0 ? 0 : this.#rows[this.#rowAt(count - 1) + CLOSE];
  }

  state() {
    return {
      rows: this.#rows,
      first: this.#first,
      length: this.#length,
      newest: this.#newest,
      endTime: this.#endTime,
      dropped: this.#dropped,
    };
  }

  restore(state: ReturnType<CandleSeries["state"]>): void {
    this.#rows = state.rows;
    this.#first = state.first;
    this.#length = state.length;
    this.#newest = state.newest;
    this.#endTime = state.endTime;
    this.#dropped = state.dropped;
  }

  /** Adds to a quote volume, whose low part is stored after its high part. */
  #addQuote(at: number, high: number, low: number): void {
    const rows = this.#rows;
    const sum = rows[at + 1] + low;
    const isOver = sum >= QUOTE_PART;
    rows[at] += isOver ? high + 1 : high;
    rows[at + 1] = isOver ? sum - QUOTE_PART : sum;
  }

  #append(candle: CandleRecord): void {
    if (this.#length === CANDLES_KEPT) {
      this.#first = (this.#first + 1) % CANDLES_KEPT;
      this.#dropped = true;
    } else {
      this.#length += 1;
      if (this.#length * FIELD_COUNT > this.#rows.length) this.#grow();
    }
    const row = this.#rowAt(this.#length - 1);
    const openTime = candleOpenTime(this.#interval, candle.openTime);
    const rows = this.#rows;
    rows[row + OPEN_TIME] = openTime;
    rows[row + OPEN] = candle.openTicks;
    rows[row + HIGH] = candle.highTicks;
    rows[row + LOW] = candle.lowTicks;
    rows[row + CLOSE] = candle.closeTicks;
    rows[row + VOLUME] = candle.volumeLots;
    rows[row + QUOTE_HIGH] = candle.quoteHigh;
    rows[row + QUOTE_LOW] = candle.quoteLow;
    rows[row + TRADE_COUNT] = candle.tradeCount;
    rows[row + BUY_LOTS] = candle.takerBuyLots;
    rows[row + BUY_QUOTE_HIGH] = candle.takerBuyQuoteHigh;
    rows[row + BUY_QUOTE_LOW] = candle.takerBuyQuoteLow;
    this.#newest = row;
    this.#endTime = nextCandleOpenTime(this.#interval, openTime);
  }

  #grow(): void {
    const size = Math.min(this.#rows.length * 4, CANDLES_KEPT * FIELD_COUNT);
    const rows = new Float64Array(size);
    rows.set(this.#rows);
    this.#rows = rows;
  }

  #rowAt(index: number): number {
    return ((this.#first + index) % CANDLES_KEPT) * FIELD_COUNT;
  }

  /** The number of candles that opened before a moment. */
  #countBefore(timeMs: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#rows[this.#rowAt(middle) + OPEN_TIME] < timeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #candle(index: number): CandleRecord {
    const row = this.#rowAt(index);
    const rows = this.#rows;
    return {
      openTime: rows[row + OPEN_TIME],
      openTicks: rows[row + OPEN],
      highTicks: rows[row + HIGH],
      lowTicks: rows[row + LOW],
      closeTicks: rows[row + CLOSE],
      volumeLots: rows[row + VOLUME],
      quoteHigh: rows[row + QUOTE_HIGH],
      quoteLow: rows[row + QUOTE_LOW],
      tradeCount: rows[row + TRADE_COUNT],
      takerBuyLots: rows[row + BUY_LOTS],
      takerBuyQuoteHigh: rows[row + BUY_QUOTE_HIGH],
      takerBuyQuoteLow: rows[row + BUY_QUOTE_LOW],
    };
  }
}

type MarketCandles = Record<CandleInterval, CandleSeries>;

function emptyCandles(): MarketCandles {
  return Object.fromEntries(
    CANDLE_INTERVALS.map((interval) => [interval, new CandleSeries(interval)]),
  ) as MarketCandles;
}

export class Candles {
  readonly #markets: MarketCandles[] = [];
  /** The same series as arrays by market, for the loop over all intervals. */
  readonly #lists: CandleSeries[][] = [];

  /** Up to `limit` candles that opened before `before`, oldest first. */
  read(marketId: number, interval: CandleInterval, before: number, limit: number): CandleRecord[] {
    return this.#markets[marketId]?.[interval].read(before, limit) ?? [];
  }

  /** Whether no candle of the market was ever dropped, so that `read` has them all. */
  isComplete(marketId: number, interval: CandleInterval): boolean {
    return this.#markets[marketId]?.[interval].isComplete ?? true;
  }

  /** Closing price, in ticks, of the newest kept candle that opened before a moment; 0 if none. */
  closeBefore(marketId: number, interval: CandleInterval, timeMs: number): number {
    return this.#markets[marketId]?.[interval].closeBefore(timeMs) ?? 0;
  }

  foldTraded(event: EventOf<"traded">): void {
    const candle = candleOfTrade(event);
    for (const series of this.#list(event.marketId)) series.merge(candle);
  }

  /**
   * Folds the simulated minutes before the market's first trade, which contain no seconds. Longer candles
   * consist of whole quarters of an hour, of which there are few.
   */
  foldHistory({ marketId, definition }: MarketView, columns: CandleColumns): void {
    this.#list(marketId);
    const { "1s": _, "1m": one, "3m": three, "5m": five, ...rest } = this.#markets[marketId];
    const shorter = [one, three, five];
    const longer = Object.values(rest);
    let quarter: CandleState | undefined;
    for (const minute of simulatedMinutes(columns, definition.tickLotUnits)) {
      for (const series of shorter) series.merge(minute);
      if (quarter !== undefined && minute.openTime < nextCandleOpenTime("15m", quarter.openTime)) {
        mergeLater(quarter, minute);
        continue;
      }
      if (quarter !== undefined) for (const series of longer) series.merge(quarter);
      quarter = { ...minute, openTime: candleOpenTime("15m", minute.openTime) };
    }
    if (quarter !== undefined) for (const series of longer) series.merge(quarter);
  }

  /** All series by market, in the order of the intervals. */
  state() {
    return this.#lists.map((list) => list.map((series) => series.state()));
  }

  restore(state: ReturnType<Candles["state"]>): void {
    state.forEach((list, marketId) => {
      const restored = this.#list(marketId);
      list.forEach((series, index) => restored[index].restore(series));
    });
  }

  #list(marketId: number): CandleSeries[] {
    const list = this.#lists[marketId];
    if (list !== undefined) return list;
    const candles = emptyCandles();
    this.#markets[marketId] = candles;
    return (this.#lists[marketId] = Object.values(candles));
  }
}

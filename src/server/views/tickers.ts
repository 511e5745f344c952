/**
 * Each market's statistics of the last 24 hours, kept in one-minute buckets: a trade leaves the
 * window when its whole minute is a day old. Sums are exact; prices are in ticks.
 */
import type { EventOf } from "#engine/events.ts";
import type { CandleColumns } from "../simulator/candle-history.ts";
import type { MarketView } from "./catalogue.ts";
import { simulatedQuoteVolume } from "./simulated-minutes.ts";

const MINUTE_MS = 60_000;
const WINDOW_MINUTES = 1_440;
const SPARKLINE_POINTS = 48;
const MINUTES_PER_POINT = WINDOW_MINUTES / SPARKLINE_POINTS;

export interface TickerView {
  readonly lastTicks: number;
  readonly openTicks: number;
  readonly highTicks: number;
  readonly lowTicks: number;
  /** Volume in base units. */
  readonly baseVolume: bigint;
  /** Volume in quote units. */
  readonly quoteVolume: bigint;
  /**
   * The number of the last trade, 0 before the first; a market's trades are numbered without gaps.
   */
  readonly lastTradeId: number;
  /** The number of the last trade before the window. */
  readonly tradeIdBefore: number;
}

/** Statistics of the trades of some minutes. */
export interface TradedWindow {
  readonly openTicks: number;
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly closeTicks: number;
  /** Volume in base units. */
  readonly baseVolume: bigint;
  /** Volume in quote units. */
  readonly quoteVolume: bigint;
  /**
   * The numbers of the last trade, and of the trade before the first; equal if the minutes were
   * simulated.
   */
  readonly lastTradeId: number;
  readonly tradeIdBefore: number;
}

/** The statistics of the window's minutes before the last, 0 without trades. */
type MinutesBefore = Omit<TradedWindow, "lastTradeId">;

function emptyTicker() {
  const noVolumes = () => Array.from({ length: WINDOW_MINUTES }, () => 0n);
  return {
    lastTicks: 0,
    open: new Float64Array(WINDOW_MINUTES),
    high: new Float64Array(WINDOW_MINUTES),
    low: new Float64Array(WINDOW_MINUTES),
    close: new Float64Array(WINDOW_MINUTES),
    base: noVolumes(),
    quote: noVolumes(),
    /** The newest minute of the window; buckets hold it and the 1439 before it. */
    minute: 0,
    baseVolume: 0n,
    quoteVolume: 0n,
    /** Price at the start of the window: the last price that left it. */
    ticksBefore: 0,
    /** The number of each minute's last trade; 0 for a simulated minute. */
    tradeId: new Float64Array(WINDOW_MINUTES),
    lastTradeId: 0,
    /** The number of the last trade that left the window. */
    tradeIdBefore: 0,
  };
}

class MarketTicker {
  #state = emptyTicker();
  /** The opening, highest and lowest price of the window. Undefined if these must be recomputed. */
  #range: { open: number; high: number; low: number } | undefined;
  /** The totals of windows before the minute in which they were last read, by their length in minutes. */
  readonly #past = new Map<number, { minute: number; before: MinutesBefore }>();
  #sparkline: { minute: number; lastTicks: number; points: number[] } | undefined;

  get lastTicks(): number {
    return this.#state.lastTicks;
  }

  /** Adds the prices of one trade, or of one minute's candle, which has no trade number. */
  add(
    minute: number,
    open: number,
    high: number,
    low: number,
    close: number,
    baseUnits: bigint,
    quoteUnits: bigint,
    tradeId: number,
  ): void {
    const state = this.#state;
    if (minute < state.minute) this.#past.clear();
    this.advance(minute);
    const bucket = minute % WINDOW_MINUTES;
    if (state.open[bucket] === 0) {
      state.open[bucket] = open;
      state.high[bucket] = high;
      state.low[bucket] = low;
    } else {
      if (high > state.high[bucket]) state.high[bucket] = high;
      if (low < state.low[bucket]) state.low[bucket] = low;
    }
    state.close[bucket] = close;
    state.base[bucket] += baseUnits;
    state.quote[bucket] += quoteUnits;
    state.baseVolume += baseUnits;
    state.quoteVolume += quoteUnits;
    state.lastTicks = close;
    state.tradeId[bucket] = tradeId;
    state.lastTradeId = tradeId;
    const range = this.#range;
    if (range === undefined) return;
    if (high > range.high) range.high = high;
    if (low < range.low) range.low = low;
  }

  /** Moves the window so that it ends with `minute`. */
  advance(minute: number): void {
    const state = this.#state;
    if (minute <= state.minute) return;
    const steps = Math.min(minute - state.minute, WINDOW_MINUTES);
    for (let step = 1; step <= steps; step += 1) {
      const bucket = (state.minute + step) % WINDOW_MINUTES;
      if (state.open[bucket] === 0) continue;
      state.ticksBefore = state.close[bucket];
      state.baseVolume -= state.base[bucket];
      state.quoteVolume -= state.quote[bucket];
      state.tradeIdBefore = state.tradeId[bucket];
      state.open[bucket] = 0;
      state.base[bucket] = 0n;
      state.quote[bucket] = 0n;
      this.#range = undefined;
    }
    state.minute = minute;
  }

  view(minute: number): TickerView {
    this.advance(minute);
    const {
      open: openTicks,
      high: highTicks,
      low: lowTicks,
    } = (this.#range ??= this.#computeRange());
    const { lastTicks, baseVolume, quoteVolume, lastTradeId, tradeIdBefore } = this.#state;
    const prices = { lastTicks, openTicks, highTicks, lowTicks };
    return { ...prices, baseVolume, quoteVolume, lastTradeId, tradeIdBefore };
  }

  /**
   * Statistics of this many minutes, at most a day, ending with this one. Undefined if nothing
   * traded.
   */
  window(minute: number, minutes: number): TradedWindow | undefined {
    this.advance(minute);
    const state = this.#state;
    const known = this.#past.get(minutes);
    const before = known?.minute === minute ? known.before : this.#minutesBefore(minute, minutes);
    if (before !== known?.before) this.#past.set(minutes, { minute, before });
    const traded = { ...before, lastTradeId: state.lastTradeId };
    const bucket = minute % WINDOW_MINUTES;
    if (state.open[bucket] === 0) return before.openTicks === 0 ? undefined : traded;
    return {
      ...traded,
      openTicks: before.openTicks === 0 ? state.open[bucket] : before.openTicks,
      highTicks: Math.max(before.highTicks, state.high[bucket]),
      lowTicks: Math.min(before.lowTicks, state.low[bucket]),
      closeTicks: state.close[bucket],
      baseVolume: before.baseVolume + state.base[bucket],
      quoteVolume: before.quoteVolume + state.quote[bucket],
    };
  }

  /** The totals of a window of this many minutes before its last minute. */
  #minutesBefore(minute: number, minutes: number): MinutesBefore {
    const state = this.#state;
    const bucketOf = (age: number) => (minute - age + WINDOW_MINUTES) % WINDOW_MINUTES;
    let [openTicks, highTicks, lowTicks, closeTicks] = [0, 0, Number.POSITIVE_INFINITY, 0];
    let [baseVolume, quoteVolume] = [0n, 0n];
    for (let age = minutes - 1; age >= 1; age -= 1) {
      const bucket = bucketOf(age);
      if (state.open[bucket] === 0) continue;
      if (openTicks === 0) openTicks = state.open[bucket];
      highTicks = Math.max(highTicks, state.high[bucket]);
      lowTicks = Math.min(lowTicks, state.low[bucket]);
      closeTicks = state.close[bucket];
      baseVolume += state.base[bucket];
      quoteVolume += state.quote[bucket];
    }
    let { tradeIdBefore } = state;
    for (let age = minutes; age < WINDOW_MINUTES; age += 1) {
      const bucket = bucketOf(age);
      if (state.open[bucket] === 0 || state.tradeId[bucket] === 0) continue;
      tradeIdBefore = state.tradeId[bucket];
      break;
    }
    const prices = { openTicks, highTicks, lowTicks, closeTicks };
    return { ...prices, baseVolume, quoteVolume, tradeIdBefore };
  }

  sparkline(minute: number): number[] {
    this.advance(minute);
    const known = this.#sparkline;
    if (known?.minute === minute && known.lastTicks === this.#state.lastTicks) return known.points;
    const points: number[] = [];
    let ticks = this.#state.ticksBefore;
    for (let age = WINDOW_MINUTES - 1; age >= 0; age -= 1) {
      const bucket = (minute - age) % WINDOW_MINUTES;
      if (minute - age >= 0 && this.#state.open[bucket] !== 0) ticks = this.#state.close[bucket];
      if (age % MINUTES_PER_POINT === 0 && ticks !== 0) points.push(ticks);
    }
    this.#sparkline = { minute, lastTicks: this.#state.lastTicks, points };
    return points;
  }

  state() {
    return this.#state;
  }

  restore(state: ReturnType<MarketTicker["state"]>): void {
    this.#state = state;
    this.#past.clear();
  }

  #computeRange(): { open: number; high: number; low: number } {
    const state = this.#state;
    let open = state.ticksBefore;
    let high = open;
    let low = open === 0 ? Number.POSITIVE_INFINITY : open;
    for (let age = WINDOW_MINUTES - 1; age >= 0; age -= 1) {
      const bucket = (state.minute - age + WINDOW_MINUTES) % WINDOW_MINUTES;
      if (state.open[bucket] === 0) continue;
      if (open === 0) open = state.open[bucket];
      if (state.high[bucket] > high) high = state.high[bucket];
      if (state.low[bucket] < low) low = state.low[bucket];
    }
    return { open, high, low };
  }
}

export class Tickers {
  readonly #tickers: MarketTicker[] = [];

  /** The market's ticker; undefined before its first price. */
  ticker(marketId: number, nowMs: number): TickerView | undefined {
    const ticker = this.#tickers[marketId];
    if (ticker === undefined || ticker.lastTicks === 0) return undefined;
    return ticker.view(Math.floor(nowMs / MINUTE_MS));
  }

  /**
   * Statistics of this many minutes, at most a day, ending with the current one. Undefined if
   * nothing traded.
   */
  window(marketId: number, nowMs: number, minutes: number): TradedWindow | undefined {
    return this.#tickers[marketId]?.window(Math.floor(nowMs / MINUTE_MS), minutes);
  }

  /** The last price in ticks, 0 before the first. */
  lastTicks(marketId: number): number {
    return this.#tickers[marketId]?.lastTicks ?? 0;
  }

  /** Up to 48 prices over the window in ticks, oldest first. */
  sparkline(marketId: number, nowMs: number): readonly number[] {
    return this.#tickers[marketId]?.sparkline(Math.floor(nowMs / MINUTE_MS)) ?? [];
  }

  foldTraded(event: EventOf<"traded">): void {
    const ticker = this.#ticker(event.marketId);
    const minute = Math.floor(event.timestampMs / MINUTE_MS);
    const { priceTicks } = event;
    ticker.add(
      minute,
      priceTicks,
      priceTicks,
      priceTicks,
      priceTicks,
      BigInt(event.baseAmount),
      BigInt(event.notional),
      event.tradeId,
    );
  }

  /**
   * Folds the last day of the simulated minutes, whose quote volume is valued at the closing price.
   */
  foldHistory(market: MarketView, candles: CandleColumns): void {
    const ticker = this.#ticker(market.marketId);
    const count = candles.openTime.length;
    for (let index = Math.max(0, count - WINDOW_MINUTES); index < count; index += 1) {
      const close = candles.close[index];
      ticker.add(
        Math.floor(candles.openTime[index] / MINUTE_MS),
        candles.open[index],
        candles.high[index],
        candles.low[index],
        close,
        BigInt(candles.volume[index]) * BigInt(market.definition.lotUnits),
        simulatedQuoteVolume(candles.volume[index], close, market.definition.tickLotUnits),
        0,
      );
    }
  }

  state() {
    return this.#tickers.map((ticker) => ticker.state());
  }

  restore(state: ReturnType<Tickers["state"]>): void {
    state.forEach((ticker, marketId) => this.#ticker(marketId).restore(ticker));
  }

  #ticker(marketId: number): MarketTicker {
    return (this.#tickers[marketId] ??= new MarketTicker());
  }
}

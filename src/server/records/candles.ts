/**
 * A candle: prices in ticks, volumes in lots and in quote units. A quote volume may exceed the exact
 * range of one number, so it has two parts: the high part counts 2^50 units, the low part is below
 * that.
 */
import type { EventOf } from "#engine/events.ts";
import { fixed, RecordKind, type RecordOf } from "./record-kind.ts";

export const QUOTE_PART = 2 ** 50;

export const CANDLES = new RecordKind({
  /** The opening time, milliseconds since 1970 UTC. */
  openTime: fixed("open_time").integer(),
  openTicks: fixed("open_ticks").integer(),
  highTicks: fixed("high_ticks").integer(),
  lowTicks: fixed("low_ticks").integer(),
  closeTicks: fixed("close_ticks").integer(),
  /** Volumes stored in SQL are capped at the largest exact integer. */
  volumeLots: fixed("volume_lots").integer(),
  quoteHigh: fixed("quote_high").integer(),
  quoteLow: fixed("quote_low").integer(),
  /**
   * The number of trades; 0 before the market's first trade, where minutes were simulated without
   * single trades.
   */
  tradeCount: fixed("trade_count").integer(),
  /** Volume of the trades in which the buyer was the taker. */
  takerBuyLots: fixed("taker_buy_lots").integer(),
  takerBuyQuoteHigh: fixed("taker_buy_quote_high").integer(),
  takerBuyQuoteLow: fixed("taker_buy_quote_low").integer(),
});
export type CandleRecord = RecordOf<typeof CANDLES.fields>;
export type CandleState = { -readonly [Name in keyof CandleRecord]: CandleRecord[Name] };

/** The candle of one trade, which opens at the trade's time. */
export function candleOfTrade(trade: EventOf<"traded">): CandleRecord {
  const { priceTicks: ticks, quantityLots, notional } = trade;
  const isBuy = trade.takerSide === "buy";
  const quoteHigh = Math.floor(notional / QUOTE_PART);
  const quoteLow = notional % QUOTE_PART;
  return {
    openTime: trade.timestampMs,
    openTicks: ticks,
    highTicks: ticks,
    lowTicks: ticks,
    closeTicks: ticks,
    volumeLots: quantityLots,
    quoteHigh,
    quoteLow,
    tradeCount: 1,
    takerBuyLots: isBuy ? quantityLots : 0,
    takerBuyQuoteHigh: isBuy ? quoteHigh : 0,
    takerBuyQuoteLow: isBuy ? quoteLow : 0,
  };
}

/** Merges a later candle of the same interval. */
export function mergeLater(candle: CandleState, later: CandleRecord): void {
  candle.closeTicks = later.closeTicks;
  merge(candle, later);
}

/** Merges an earlier candle of the same interval. */
export function mergeEarlier(candle: CandleState, earlier: CandleRecord): void {
  candle.openTicks = earlier.openTicks;
  merge(candle, earlier);
}

function merge(candle: CandleState, other: CandleRecord): void {
  candle.highTicks = Math.max(candle.highTicks, other.highTicks);
  candle.lowTicks = Math.min(candle.lowTicks, other.lowTicks);
  candle.volumeLots = capped(candle.volumeLots + other.volumeLots);
  candle.tradeCount += other.tradeCount;
  candle.takerBuyLots = capped(candle.takerBuyLots + other.takerBuyLots);
  const quoteLow = candle.quoteLow + other.quoteLow;
  candle.quoteHigh += other.quoteHigh + Math.floor(quoteLow / QUOTE_PART);
  candle.quoteLow = quoteLow % QUOTE_PART;
  const buyLow = candle.takerBuyQuoteLow + other.takerBuyQuoteLow;
  candle.takerBuyQuoteHigh += other.takerBuyQuoteHigh + Math.floor(buyLow / QUOTE_PART);
  candle.takerBuyQuoteLow = buyLow % QUOTE_PART;
}

function capped(lots: number): number {
  return Math.min(lots, Number.MAX_SAFE_INTEGER);
}

/** The candle's quote volume, in quote units. */
export function quoteVolumeOf({ quoteHigh, quoteLow }: CandleRecord): bigint {
  return BigInt(quoteHigh) * BigInt(QUOTE_PART) + BigInt(quoteLow);
}

/** The quote volume of trades in which the buyer was the taker, in quote units. */
export function takerBuyQuoteVolumeOf(candle: CandleRecord): bigint {
  const { takerBuyQuoteHigh, takerBuyQuoteLow } = candle;
  return BigInt(takerBuyQuoteHigh) * BigInt(QUOTE_PART) + BigInt(takerBuyQuoteLow);
}

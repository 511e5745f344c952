/**
 * What traded in an interval: prices in ticks, quantities in lots, and what was paid in quote units.
 * A quote volume may exceed what one number holds exactly, so it is kept in two: its high part counts
 * 2^50 units, its low part is below that.
 */
import type { EventOf } from "#engine/events.ts";
import { fixed, RecordKind, type RecordOf } from "./record-kind.ts";

export const QUOTE_PART = 2 ** 50;

export const CANDLES = new RecordKind({
  /** Milliseconds since 1970 UTC. */
  openTime: fixed("open_time").integer(),
  openTicks: fixed("open_ticks").integer(),
  highTicks: fixed("high_ticks").integer(),
  lowTicks: fixed("low_ticks").integer(),
  closeTicks: fixed("close_ticks").integer(),
  /** Stored ones are capped at the largest exact integer. */
  volumeLots: fixed("volume_lots").integer(),
  quoteHigh: fixed("quote_high").integer(),
  quoteLow: fixed("quote_low").integer(),
  /** 0 of a time before the market's first trade, which was simulated as a whole. */
  tradeCount: fixed("trade_count").integer(),
  /** Of trades in which the buyer was the taker. */
  takerBuyLots: fixed("taker_buy_lots").integer(),
  takerBuyQuoteHigh: fixed("taker_buy_quote_high").integer(),
  takerBuyQuoteLow: fixed("taker_buy_quote_low").integer(),
});
export type CandleRecord = RecordOf<typeof CANDLES.fields>;
export type CandleState = { -readonly [Name in keyof CandleRecord]: CandleRecord[Name] };

/** The candle of one trade, which opens when it happened. */
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

/** Adds what traded later in the same interval. */
export function mergeLater(candle: CandleState, later: CandleRecord): void {
  candle.closeTicks = later.closeTicks;
  merge(candle, later);
}

/** Adds what traded earlier in the same interval. */
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

/** Units of the quote coin that were paid. */
export function quoteVolumeOf({ quoteHigh, quoteLow }: CandleRecord): bigint {
  return BigInt(quoteHigh) * BigInt(QUOTE_PART) + BigInt(quoteLow);
}

/** Units of the quote coin that taking buyers paid. */
export function takerBuyQuoteVolumeOf(candle: CandleRecord): bigint {
  const { takerBuyQuoteHigh, takerBuyQuoteLow } = candle;
  return BigInt(takerBuyQuoteHigh) * BigInt(QUOTE_PART) + BigInt(takerBuyQuoteLow);
}

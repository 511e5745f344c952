/** Hand-made trade events, for tests of folds over trades. */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { EventOf } from "#engine/events.ts";
import { type CandleRecord, QUOTE_PART } from "#server/records/candles.ts";

let lastTradeId = 0;

/** A one-minute candle of which only prices and lots matter. */
export function candleWith(
  changes: Pick<CandleRecord, "openTime" | "openTicks" | "highTicks" | "lowTicks" | "closeTicks"> &
    Partial<CandleRecord>,
): CandleRecord {
  return {
    volumeLots: 0,
    quoteHigh: 0,
    quoteLow: 0,
    tradeCount: 0,
    takerBuyLots: 0,
    takerBuyQuoteHigh: 0,
    takerBuyQuoteLow: 0,
    ...changes,
  };
}

/** The candle of the trades, aggregated one by one. */
export function naiveCandle(openTime: number, trades: readonly EventOf<"traded">[]) {
  const prices = trades.map(({ priceTicks }) => priceTicks as number);
  const buys = trades.filter(({ takerSide }) => takerSide === "buy");
  const lots = (of: typeof trades) => of.reduce((sum, { quantityLots }) => sum + quantityLots, 0);
  const quote = (of: typeof trades) => of.reduce((sum, { notional }) => sum + BigInt(notional), 0n);
  return {
    openTime,
    openTicks: prices[0],
    highTicks: Math.max(...prices),
    lowTicks: Math.min(...prices),
    closeTicks: prices[prices.length - 1],
    volumeLots: lots(trades),
    quoteHigh: Number(quote(trades) / BigInt(QUOTE_PART)),
    quoteLow: Number(quote(trades) % BigInt(QUOTE_PART)),
    tradeCount: trades.length,
    takerBuyLots: lots(buys),
    takerBuyQuoteHigh: Number(quote(buys) / BigInt(QUOTE_PART)),
    takerBuyQuoteLow: Number(quote(buys) % BigInt(QUOTE_PART)),
  };
}

/** A trade between two arbitrary accounts, by default in market 1. */
export function traded(changes: {
  readonly timestampMs: number;
  readonly priceTicks: number;
  readonly quantityLots: number;
  readonly marketId?: number;
  readonly takerSide?: "buy" | "sell";
}): EventOf<"traded"> {
  const { priceTicks, quantityLots } = changes;
  lastTradeId += 1;
  return {
    type: "traded",
    sequence: lastTradeId,
    marketId: 1,
    tradeId: lastTradeId,
    takerSide: "buy",
    notional: (priceTicks * quantityLots) as Amount,
    baseAmount: quantityLots as Amount,
    makerOrderId: 1,
    takerOrderId: 2,
    makerAccount: 16,
    takerAccount: 17,
    makerFee: 0 as Amount,
    takerFee: 0 as Amount,
    makerRemainingLots: 0 as Lots,
    takerReleased: 0 as Amount,
    ...changes,
    priceTicks: priceTicks as Ticks,
    quantityLots: quantityLots as Lots,
  };
}

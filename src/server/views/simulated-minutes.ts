/** The minutes of a simulated history as candles. Single trades were not simulated. */
import { type CandleRecord, type CandleState, QUOTE_PART } from "../records/candles.ts";
import type { CandleColumns } from "../simulator/candle-history.ts";

/**
 * Yields minutes, oldest first; always the same object, to be read at once. Quote volumes are
 * valued at the closing price.
 * @param tickLotUnits the market's quote units of one lot at a price of one tick
 */
export function* simulatedMinutes(
  columns: CandleColumns,
  tickLotUnits: number,
): Generator<CandleRecord> {
  const { close, high, low, open, openTime, volume } = columns;
  const minute: CandleState = {
    openTime: 0,
    openTicks: 0,
    highTicks: 0,
    lowTicks: 0,
    closeTicks: 0,
    volumeLots: 0,
    quoteHigh: 0,
    quoteLow: 0,
    tradeCount: 0,
    takerBuyLots: 0,
    takerBuyQuoteHigh: 0,
    takerBuyQuoteLow: 0,
  };
  for (let index = 0; index < openTime.length; index += 1) {
    // The product is nearly always exact as a number, which is much faster.
    const product = volume[index] * close[index] * tickLotUnits;
    minute.openTime = openTime[index];
    minute.openTicks = open[index];
    minute.highTicks = high[index];
    minute.lowTicks = low[index];
    minute.closeTicks = close[index];
    minute.volumeLots = volume[index];
    minute.quoteHigh = 0;
    minute.quoteLow = product;
    if (product >= QUOTE_PART) {
      const quote = simulatedQuoteVolume(volume[index], close[index], tickLotUnits);
      minute.quoteHigh = Number(quote / BigInt(QUOTE_PART));
      minute.quoteLow = Number(quote % BigInt(QUOTE_PART));
    }
    yield minute;
  }
}

/** The quote volume of lots at a price, in quote units. */
export function simulatedQuoteVolume(
  lots: number,
  closeTicks: number,
  tickLotUnits: number,
): bigint {
  return BigInt(lots) * BigInt(closeTicks) * BigInt(tickLotUnits);
}

/** Prices and volumes of a window that ends now. */
import { divide, formatDecimal, subtractDecimals } from "#contract/decimal.ts";
import { formatPrice, formatQuantity } from "../functions/market-numbers.ts";
import { percentOf } from "../functions/present-market.ts";
import type { Services } from "../functions/services.ts";
import { quoteVolumeOf } from "../records/candles.ts";
import type { MarketView } from "../views/catalogue.ts";
import { candleSince } from "./candles.ts";
import { symbolOf } from "./symbols.ts";

const NONE = "0";

export interface Window {
  /** Milliseconds since 1970 UTC; begins with a minute and ends in the future or now. */
  readonly openTime: number;
  readonly closeTime: number;
}

/** An item of `ticker` and `ticker/tradingDay`; a window in which nothing traded has the last price. */
export async function describeWindow(
  services: Pick<Services, "candlePages" | "views">,
  market: MarketView,
  { openTime, closeTime }: Window,
  isFull: boolean,
) {
  const { views } = services;
  const { base, quote, marketId, priceDecimals, definition } = market;
  const { lastTicks = 0, lastTradeId = 0 } = views.tickers.ticker(marketId, views.nowMs()) ?? {};
  const candle = await candleSince(services, market, openTime);
  const price = (ticks: number) => (ticks === 0 ? NONE : formatPrice(ticks, market));
  const closeTicks = candle?.closeTicks ?? lastTicks;
  const openTicks = candle?.openTicks ?? lastTicks;
  const quoteVolume = candle === undefined ? 0n : quoteVolumeOf(candle);
  const [lastPrice, openPrice] = [price(closeTicks), price(openTicks)];
  // A market's trades are numbered without gaps.
  const count = candle?.tradeCount ?? 0;
  const mini = {
    symbol: symbolOf(market),
    openPrice,
    highPrice: price(candle?.highTicks ?? lastTicks),
    lowPrice: price(candle?.lowTicks ?? lastTicks),
    lastPrice,
    volume: formatQuantity(candle?.volumeLots ?? 0, market),
    quoteVolume: formatDecimal(quoteVolume, quote.scale),
    openTime,
    closeTime,
    firstId: count === 0 ? -1 : lastTradeId - count + 1,
    lastId: count === 0 ? -1 : lastTradeId,
    count,
  };
  if (!isFull) return mini;
  const baseVolume = BigInt(candle?.volumeLots ?? 0) * BigInt(definition.lotUnits);
  const [from, to] = [BigInt(openTicks), BigInt(closeTicks)];
  return {
    ...mini,
    priceChange: subtractDecimals(lastPrice, openPrice),
    priceChangePercent: openTicks === 0 ? NONE : percentOf(to - from, from),
    weightedAvgPrice: volumeWeightedPrice(
      quoteVolume,
      quote.scale,
      baseVolume,
      base.scale,
      priceDecimals,
    ),
  };
}

/** What was paid for a coin on average, to so many decimals; volumes in units. */
export function volumeWeightedPrice(
  quoteVolume: bigint,
  quoteScale: number,
  baseVolume: bigint,
  baseScale: number,
  decimals: number,
): string {
  if (baseVolume === 0n) return NONE;
  const scale = 10n ** BigInt(baseScale + decimals);
  const average = divide(quoteVolume * scale, baseVolume * 10n ** BigInt(quoteScale), "nearest");
  return formatDecimal(average, decimals);
}

/** Tickers over a window that ends now. */
import { divide, formatDecimal, subtractDecimals } from "#contract/decimal.ts";
import { formatPrice, formatQuantity } from "../functions/market-numbers.ts";
import { percentOf } from "../functions/present-market.ts";
import type { Services } from "../functions/services.ts";
import { quoteVolumeOf } from "../records/candles.ts";
import type { MarketView } from "../views/catalogue.ts";
import type { TradedWindow } from "../views/tickers.ts";
import { candleSince } from "./candles.ts";
import { symbolOf } from "./symbols.ts";

const NONE = "0";

export interface Window {
  /**
   * Milliseconds since 1970 UTC. The window begins with a full minute and ends now or in the
   * future.
   */
  readonly openTime: number;
  readonly closeTime: number;
}

/** An item of `ticker` and `ticker/tradingDay`. Without trades, all prices are the last price. */
export async function describeWindow(
  services: Pick<Services, "candlePages" | "views">,
  market: MarketView,
  window: Window,
  isFull: boolean,
) {
  const candle = await candleSince(services, market, window.openTime);
  const { lastTradeId = 0, lastTicks = 0 } =
    services.views.tickers.ticker(market.marketId, services.views.nowMs()) ?? {};
  const traded = candle && {
    ...candle,
    baseVolume: BigInt(candle.volumeLots) * BigInt(market.definition.lotUnits),
    quoteVolume: quoteVolumeOf(candle),
    lastTradeId,
    tradeIdBefore: lastTradeId - candle.tradeCount,
  };
  const { mini, full } = describeTraded(market, window, traded, lastTicks);
  return isFull ? { ...mini, ...full() } : mini;
}

/** @param lastTicks the price of a window without trades */
export function describeTraded(
  market: MarketView,
  { openTime, closeTime }: Window,
  traded: TradedWindow | undefined,
  lastTicks: number,
) {
  const { base, quote, priceDecimals } = market;
  const price = (ticks: number) => (ticks === 0 ? NONE : formatPrice(ticks, market));
  const { baseVolume = 0n, quoteVolume = 0n, lastTradeId = 0, tradeIdBefore = 0 } = traded ?? {};
  const { openTicks = lastTicks, closeTicks = lastTicks } = traded ?? {};
  const [lastPrice, openPrice] = [price(closeTicks), price(openTicks)];
  const lots = Number(baseVolume / BigInt(market.definition.lotUnits));
  // Trade ids of a market have no gaps.
  const count = lastTradeId - tradeIdBefore;
  const mini = {
    symbol: symbolOf(market),
    openPrice,
    highPrice: price(traded?.highTicks ?? lastTicks),
    lowPrice: price(traded?.lowTicks ?? lastTicks),
    lastPrice,
    volume: formatQuantity(lots, market),
    quoteVolume: formatDecimal(quoteVolume, quote.scale),
    openTime,
    closeTime,
    firstId: count === 0 ? -1 : tradeIdBefore + 1,
    lastId: count === 0 ? -1 : lastTradeId,
    count,
  };
  const [from, to] = [BigInt(openTicks), BigInt(closeTicks)];
  const full = () => ({
    priceChange: subtractDecimals(lastPrice, openPrice),
    priceChangePercent: openTicks === 0 ? NONE : percentOf(to - from, from),
    weightedAvgPrice: volumeWeightedPrice(
      quoteVolume,
      quote.scale,
      baseVolume,
      base.scale,
      priceDecimals,
    ),
  });
  return { mini, full };
}

/** The volume-weighted average price, with the given number of decimals; volumes in units. */
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

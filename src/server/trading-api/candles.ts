/** Candles in the trading API's format, and their aggregation into one. */
import { nextCandleOpenTime } from "#contract/candle-intervals.ts";
import { formatDecimal } from "#contract/decimal.ts";
import type { CandleInterval } from "#contract/types.ts";
import { formatPrice, formatQuantity } from "../functions/market-numbers.ts";
import type { Services } from "../functions/services.ts";
import {
  type CandleRecord,
  type CandleState,
  mergeLater,
  quoteVolumeOf,
  takerBuyQuoteVolumeOf,
} from "../records/candles.ts";
import type { MarketView } from "../views/catalogue.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Hours of the longest window. */
const HOURS_MAX = 7 * 24 + 1;
const UNUSED = "0";

/** An item of `klines` and `uiKlines`. */
export function describeCandle(candle: CandleRecord, interval: CandleInterval, market: MarketView) {
  const { scale } = market.quote;
  return [
    candle.openTime,
    formatPrice(candle.openTicks, market),
    formatPrice(candle.highTicks, market),
    formatPrice(candle.lowTicks, market),
    formatPrice(candle.closeTicks, market),
    formatQuantity(candle.volumeLots, market),
    nextCandleOpenTime(interval, candle.openTime) - 1,
    formatDecimal(quoteVolumeOf(candle), scale),
    candle.tradeCount,
    formatQuantity(candle.takerBuyLots, market),
    formatDecimal(takerBuyQuoteVolumeOf(candle), scale),
    UNUSED,
  ];
}

/**
 * One candle of all trades since a whole minute at most a week ago; undefined if there were none.
 * Reads minute candles up to the next full hour, then hourly candles.
 */
export async function candleSince(
  { candlePages }: Pick<Services, "candlePages">,
  market: MarketView,
  sinceMs: number,
): Promise<CandleRecord | undefined> {
  const hourMs = Math.ceil(sinceMs / HOUR_MS) * HOUR_MS;
  const minutesMax = (hourMs - sinceMs) / MINUTE_MS;
  const newest = Number.POSITIVE_INFINITY;
  // Both reads begin together, so that they are of the same moment.
  const [minutes, hours] = await Promise.all([
    minutesMax === 0
      ? []
      : candlePages.readExact({ market, interval: "1m", until: hourMs, limit: minutesMax }),
    candlePages.readExact({ market, interval: "1h", until: newest, limit: HOURS_MAX }),
  ]);
  let sum: CandleState | undefined;
  const within = [
    ...minutes.filter(({ openTime }) => openTime >= sinceMs),
    ...hours.filter(({ openTime }) => openTime >= hourMs),
  ];
  for (const candle of within) {
    if (sum === undefined) sum = { ...candle };
    else mergeLater(sum, candle);
  }
  return sum;
}

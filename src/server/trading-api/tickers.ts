/** Tickers in the trading API's format, for calls and streams alike. */
import { subtractDecimals } from "#contract/decimal.ts";
import { formatPrice, formatQuantity } from "../functions/market-numbers.ts";
import { presentTicker } from "../functions/present-market.ts";
import type { MarketView } from "../views/catalogue.ts";
import type { Views } from "../views/views.ts";
import { symbolOf } from "./symbols.ts";
import { volumeWeightedPrice } from "./window-ticker.ts";

const DAY_MS = 86_400_000;
const NONE = "0";

export function lastPrice(views: Views, market: MarketView): string {
  return presentTicker(views, market).last ?? NONE;
}

export function bestOf({ books }: Views, market: MarketView) {
  const best = (side: "buy" | "sell") => {
    const [level] = books.levels(market.marketId, side, 1);
    return level === undefined
      ? [NONE, NONE]
      : [formatPrice(level.priceTicks, market), formatQuantity(level.quantityLots, market)];
  };
  const [bidPrice, bidQty] = best("buy");
  const [askPrice, askQty] = best("sell");
  return { bidPrice, bidQty, askPrice, askQty };
}

export function miniDay(views: Views, market: MarketView) {
  const ticker = presentTicker(views, market);
  const closeTime = views.nowMs();
  const { lastTradeId = 0, tradeIdBefore = 0 } =
    views.tickers.ticker(market.marketId, closeTime) ?? {};
  // Trade ids of a market have no gaps.
  const count = lastTradeId - tradeIdBefore;
  return {
    symbol: symbolOf(market),
    openPrice: ticker.open24h ?? NONE,
    highPrice: ticker.high24h ?? NONE,
    lowPrice: ticker.low24h ?? NONE,
    lastPrice: ticker.last ?? NONE,
    volume: ticker.baseVolume24h,
    quoteVolume: ticker.quoteVolume24h,
    openTime: closeTime - DAY_MS,
    closeTime,
    firstId: count === 0 ? -1 : tradeIdBefore + 1,
    lastId: count === 0 ? -1 : lastTradeId,
    count,
  };
}

export function fullDay(views: Views, market: MarketView) {
  const mini = miniDay(views, market);
  const [trade] = views.trades.latest(market.marketId, 1);
  return {
    ...mini,
    priceChange: subtractDecimals(mini.lastPrice, mini.openPrice),
    priceChangePercent: presentTicker(views, market).change24h ?? NONE,
    weightedAvgPrice: weightedAverage(views, market),
    prevClosePrice: mini.openPrice,
    lastQty: trade === undefined ? NONE : formatQuantity(trade.quantityLots, market),
    ...bestOf(views, market),
  };
}

function weightedAverage(views: Views, market: MarketView): string {
  const ticker = views.tickers.ticker(market.marketId, views.nowMs());
  const { base, quote, priceDecimals } = market;
  const { baseVolume = 0n, quoteVolume = 0n } = ticker ?? {};
  return volumeWeightedPrice(quoteVolume, quote.scale, baseVolume, base.scale, priceDecimals);
}

import { z } from "zod";
import type { Book, Candle, Market, PublicTrade, Ticker } from "#contract/types.ts";
import type { MarketView } from "../views/catalog.ts";
import type { Views } from "../views/views.ts";
import { action, query, type QueryContext } from "./define.ts";
import { parseGrouping } from "./market-numbers.ts";
import {
  presentBook,
  presentCandle,
  presentMarket,
  presentTicker,
  presentTrade,
} from "./present-market.ts";
import { unknownMarket } from "./refusals.ts";
import { candleInterval, decimal, marketSymbol, noArguments, timeMs } from "./schemas.ts";

const BOOK_LEVELS = 25;
const BOOK_LEVELS_MAX = 100;
const TRADES_SHOWN = 50;
const CANDLES_MAX = 1_000;

export const list = query(noArguments, ({ services, dependsOn }): Market[] => {
  dependsOn("catalog");
  return services.views.catalog.markets().map(presentMarket);
});

export const tickers = query(noArguments, ({ services, dependsOn }): Ticker[] => {
  dependsOn("catalog");
  dependsOn("tickers");
  const { views } = services;
  return views.catalog.markets().map((market) => presentTicker(views, market));
});

export const book = query(
  z.strictObject({
    market: marketSymbol,
    grouping: decimal.optional(),
    levels: z.number().int().min(1).max(BOOK_LEVELS_MAX).optional(),
  }),
  (context, { market: symbol, grouping, levels = BOOK_LEVELS }): Book => {
    const market = followMarket(context, symbol, "book");
    const groupTicks = grouping === undefined ? 1 : parseGrouping(grouping, market);
    return presentBook(context.services.views, market, levels, groupTicks);
  },
);

/** Newest first. */
export const trades = query(
  z.strictObject({ market: marketSymbol }),
  (context, { market: symbol }): PublicTrade[] => {
    const market = followMarket(context, symbol, "trades");
    return context.services.views.trades
      .latest(market.marketId, TRADES_SHOWN)
      .map((trade) => presentTrade(trade, market));
  },
);

/** The newest candle and the one before it, oldest first. */
export const latestCandles = query(
  z.strictObject({ market: marketSymbol, interval: candleInterval }),
  (context, { market: symbol, interval }): Candle[] => {
    const market = followMarket(context, symbol, "candles");
    return context.services.views.candles
      .read(market.marketId, interval, Number.POSITIVE_INFINITY, 2)
      .map((candle) => presentCandle(candle, market));
  },
);

/** Candles that opened before `before`, oldest first; the newest ones come from memory. */
export const candles = action(
  z.strictObject({
    market: marketSymbol,
    interval: candleInterval,
    before: timeMs.optional(),
    limit: z.number().int().min(1).max(CANDLES_MAX).optional(),
  }),
  async ({ services }, { market: symbol, interval, before, limit = CANDLES_MAX }) => {
    const { views, history } = services;
    const market = requireMarket(views, symbol);
    const until = before ?? Number.POSITIVE_INFINITY;
    const recent = views.candles.read(market.marketId, interval, until, limit);
    const isAll = recent.length === limit || views.candles.isComplete(market.marketId, interval);
    const older = isAll
      ? []
      : await history.read.candles({
          marketId: market.marketId,
          interval,
          before: recent[0]?.openTime ?? until,
          limit: limit - recent.length,
        });
    return [...older, ...recent].map((candle): Candle => presentCandle(candle, market));
  },
);

/** @throws FunctionError `unknownMarket` */
export function requireMarket(views: Views, symbol: string): MarketView {
  const market = views.catalog.marketBySymbol(symbol);
  if (market === undefined) throw unknownMarket(symbol);
  return market;
}

function followMarket(
  context: QueryContext,
  symbol: string,
  what: "book" | "trades" | "candles",
): MarketView {
  context.dependsOn("catalog");
  const market = requireMarket(context.services.views, symbol);
  context.dependsOn(`${what}:${market.marketId}`);
  return market;
}

import { z } from "zod";
import {
  MARKET_STATUSES,
  type Book,
  type Candle,
  type Market,
  type MarketState,
  type PublicTrade,
  type Ticker,
} from "#contract/types.ts";
import type { MarketView } from "../views/catalog.ts";
import type { Views } from "../views/views.ts";
import { requireAdmin } from "./caller.ts";
import { action, mutation, query, type QueryContext } from "./define.ts";
import { parseGrouping } from "./market-numbers.ts";
import {
  presentBook,
  presentCandle,
  presentMarket,
  presentMarketState,
  presentTicker,
  presentTrade,
} from "./present-market.ts";
import { invalidArgument, refused, unknownMarket } from "./refusals.ts";
import {
  candleInterval,
  decimal,
  marketSymbol,
  noArguments,
  reason,
  timeLimit,
  timeMs,
} from "./schemas.ts";

const BOOK_LEVELS = 25;
const BOOK_LEVELS_MAX = 100;
const TRADES_SHOWN = 50;
const CANDLES_MAX = 1_000;
/** A year. */
const FOR_SECONDS_MAX = 31_536_000;

export const list = query(noArguments, ({ services, dependsOn }): Market[] => {
  dependsOn("catalog");
  const { views } = services;
  return views.catalog.markets().map((market) => presentMarket(views, market));
});

export const tickers = query(noArguments, ({ services, dependsOn }): Ticker[] => {
  dependsOn("catalog");
  dependsOn("tickers");
  const { views } = services;
  return views.catalog.markets().map((market) => presentTicker(views, market));
});

export const state = query(
  z.strictObject({ market: marketSymbol }),
  (context, { market: symbol }): MarketState => {
    const market = followMarket(context, symbol, "book");
    return presentMarketState(context.services.views, market);
  },
);

/** For administrators. */
export const setStatus = mutation(
  z.strictObject({
    market: marketSymbol,
    status: z.enum(MARKET_STATUSES),
    forSeconds: z.number().int().min(1).max(FOR_SECONDS_MAX).optional(),
    reason,
    ...timeLimit,
  }),
  async (
    context,
    { market: symbol, status, forSeconds = 0, reason, validUntil },
  ): Promise<null> => {
    const byAdmin = requireAdmin(context);
    const { services, idempotencyKey } = context;
    const { marketId } = requireMarket(services.views, symbol);
    const forMs = forSeconds * 1000;
    const { rejected } = await services.exchange.submit(
      {
        type: "setMarketStatus",
        marketId,
        status,
        forMs,
        byAdmin,
        reason,
        validUntilMs: validUntil,
      },
      idempotencyKey,
    );
    if (rejected === "invalidDelay") {
      const message = "Only a pre-open, halted or auctioning market ends by itself.";
      throw invalidArgument("forSeconds", message);
    }
    if (rejected !== undefined) throw refused(rejected);
    return null;
  },
);

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
  ({ services }, { market: symbol, interval, before, limit = CANDLES_MAX }) => {
    const market = requireMarket(services.views, symbol);
    const until = before ?? Number.POSITIVE_INFINITY;
    return services.candlePages.read({ market, interval, until, limit });
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

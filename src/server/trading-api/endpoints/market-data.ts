/** The book, the public trades and the candles of a market. */
import { z } from "zod";
import { INTERVAL_MS } from "#contract/candle-intervals.ts";
import { formatPrice, formatQuantity } from "../../functions/market-numbers.ts";
import type { Level } from "../../views/books.ts";
import { describeCandle } from "../candles.ts";
import { endpoint, RowsAnswer } from "../endpoint.ts";
import {
  interval,
  limitCappedAt,
  symbol,
  symbolStatus,
  time,
  tradeId,
  utc,
} from "../parameters.ts";
import { marketWithStatus, marketOf } from "../symbols.ts";
import { describeGroup, describeTrade, groupsOf, readTrades } from "../trades.ts";

export const depth = endpoint({
  method: "GET",
  path: "/api/v3/depth",
  summary: "The book of a market.",
  security: "none",
  weight: {
    text: "5 up to 100 levels, 25 up to 500, 50 up to 1 000, 250 up to 5 000",
    of: ({ limit }) => (limit <= 100 ? 5 : limit <= 500 ? 25 : limit <= 1_000 ? 50 : 250),
  },
  errors: [-1220],
  parameters: z.object({
    symbol,
    limit: limitCappedAt(5_000, 100),
    symbolStatus: symbolStatus.optional(),
  }),
  answer({ views }, { symbol, limit, symbolStatus: status }) {
    const market = marketWithStatus(views, symbol, status);
    const { books } = views;
    const pairs = (levels: readonly Level[]) =>
      levels.map(({ priceTicks, quantityLots }) => [
        formatPrice(priceTicks, market),
        formatQuantity(quantityLots, market),
      ]);
    return {
      // At Binance only futures have it; clients give their book this time.
      T: views.nowMs(),
      lastUpdateId: books.updateId(market.marketId),
      bids: pairs(books.levels(market.marketId, "buy", limit)),
      asks: pairs(books.levels(market.marketId, "sell", limit)),
    };
  },
});

export const trades = endpoint({
  method: "GET",
  path: "/api/v3/trades",
  summary: "The newest trades of a market.",
  security: "none",
  weight: 25,
  parameters: z.object({ symbol, limit: limitCappedAt(1_000, 500) }),
  async answer(services, { symbol, limit }) {
    const market = marketOf(services.views, symbol);
    const newest = await readTrades(services, market, { limit });
    return RowsAnswer.of(newest, (trade) => describeTrade(trade, market));
  },
});

export const historicalTrades = endpoint({
  method: "GET",
  path: "/api/v3/historicalTrades",
  summary: "Trades of a market from a number on, or the newest.",
  security: "none",
  weight: 25,
  parameters: z.object({ symbol, limit: limitCappedAt(1_000, 500), fromId: tradeId.optional() }),
  async answer(services, { symbol, limit, fromId }) {
    const market = marketOf(services.views, symbol);
    const read = await readTrades(services, market, { limit, fromId });
    return RowsAnswer.of(read, (trade) => describeTrade(trade, market));
  },
});

export const aggregateTrades = endpoint({
  method: "GET",
  path: "/api/v3/aggTrades",
  summary: "Trades of a market; those of one order at one price are one.",
  security: "none",
  weight: 4,
  errors: [-1128],
  parameters: z.object({
    symbol,
    fromId: tradeId.optional(),
    startTime: time.optional(),
    endTime: time.optional(),
    limit: limitCappedAt(1_000, 500),
  }),
  async answer(services, { symbol, ...query }) {
    const market = marketOf(services.views, symbol);
    const read = await readTrades(services, market, query);
    return RowsAnswer.of(groupsOf(read), (group) => describeGroup(group, market));
  },
});

const candlesOf = (path: string, summary: string) =>
  endpoint({
    method: "GET",
    path,
    summary,
    security: "none",
    weight: 2,
    parameters: z.object({
      symbol,
      interval,
      startTime: time.optional(),
      endTime: time.optional(),
      timeZone: utc,
      limit: limitCappedAt(1_000, 500),
    }),
    async answer({ views, candlePages }, { symbol, interval, startTime = 0, endTime, limit }) {
      const market = marketOf(views, symbol);
      const end = endTime === undefined ? Number.POSITIVE_INFINITY : endTime + 1;
      // With a start time the oldest candles are wanted, without one the newest.
      const until =
        startTime === 0 ? end : Math.min(end, startTime + limit * INTERVAL_MS[interval]);
      const page = await candlePages.readExact({ market, interval, until, limit });
      const wanted = page.filter(({ openTime }) => openTime >= startTime);
      return RowsAnswer.of(wanted, (candle) => describeCandle(candle, interval, market));
    },
  });

export const candles = candlesOf("/api/v3/klines", "The candles of a market.");
/** Binance changes these candles for charts; here they equal those of `klines`. */
export const chartCandles = candlesOf("/api/v3/uiKlines", "The same candles as `klines`.");

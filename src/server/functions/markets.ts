import { isDeepStrictEqual } from "node:util";
import type { MarketState } from "#contract/types.ts";
import type { ScheduledStatus } from "#engine/commands.ts";
import type { MarketView } from "../views/catalogue.ts";
import type { Views } from "../views/views.ts";
import { requireAdmin } from "./caller.ts";
import type { Handlers, QueryContext } from "./handlers.ts";
import { parseGrouping } from "./market-numbers.ts";
import {
  presentBook,
  presentCandle,
  presentMarket,
  presentMarketState,
  presentSchedule,
  presentTicker,
  presentTrade,
} from "./present-market.ts";
import { invalidArgument, refused, unknownMarket } from "./refusals.ts";

const TRADES_SHOWN = 50;

export const list: Handlers["markets"]["list"] = ({ services, dependsOn }) => {
  dependsOn("catalogue");
  const { views } = services;
  return views.catalogue.markets().map((market) => presentMarket(views, market));
};

export const tickers: Handlers["markets"]["tickers"] = ({ services, dependsOn }) => {
  dependsOn("catalogue");
  dependsOn("tickers");
  const { views } = services;
  return views.catalogue.markets().map((market) => presentTicker(views, market));
};

export const state: Handlers["markets"]["state"] = (context, { market: symbol }) => {
  const market = followMarket(context, symbol, "book");
  return presentMarketState(context.services.views, market);
};

export const setStatus: Handlers["markets"]["setStatus"] = async (
  context,
  { market: symbol, status, forSeconds = 0, reason, validUntil },
) => {
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
};

export const schedule: Handlers["markets"]["schedule"] = async (
  context,
  { market: symbol, seen, steps: asked, reason, validUntil: validUntilMs },
) => {
  const byAdmin = requireAdmin(context);
  const { services, idempotencyKey } = context;
  const { marketId } = requireMarket(services.views, symbol);
  const steps = asked.map(({ at: atMs, status, forSeconds = 0 }) => ({
    atMs,
    status,
    forMs: forSeconds * 1000,
  }));
  requireSeen(services.views.marketStates.scheduleOf(marketId), steps, seen);
  const { rejected } = await services.exchange.submit(
    {
      type: "scheduleMarket",
      marketId,
      steps,
      decision: { byAdmin, reason },
      validUntilMs,
    },
    idempotencyKey,
  );
  if (rejected === "invalidDelay") {
    const message =
      "Each step must be later than the one before and than now, and within a year; only a pre-open, " +
      "halted or auctioning market ends by itself.";
    throw invalidArgument("steps", message);
  }
  if (rejected !== undefined) throw refused(rejected);
  return null;
};

/**
 * @throws FunctionError if the schedule has changed since the administrator saw it: theirs would
 * overwrite that
 */
function requireSeen(
  current: readonly ScheduledStatus[],
  asked: readonly ScheduledStatus[],
  seen: MarketState["scheduled"],
): void {
  const now = presentSchedule(current);
  // A repeated request finds its schedule already set.
  if (isDeepStrictEqual(now, seen) || isDeepStrictEqual(now, presentSchedule(asked))) return;
  const message =
    "The schedule was changed in the meantime. Close this and look at what it is now.";
  throw invalidArgument("seen", message);
}

export const book: Handlers["markets"]["book"] = (
  context,
  { market: symbol, grouping, levels },
) => {
  const market = followMarket(context, symbol, "book");
  const groupTicks = grouping === undefined ? 1 : parseGrouping(grouping, market);
  return presentBook(context.services.views, market, levels, groupTicks);
};

export const trades: Handlers["markets"]["trades"] = (context, { market: symbol }) => {
  const market = followMarket(context, symbol, "trades");
  return context.services.views.trades
    .latest(market.marketId, TRADES_SHOWN)
    .map((trade) => presentTrade(trade, market));
};

export const latestCandles: Handlers["markets"]["latestCandles"] = (
  context,
  { market: symbol, interval },
) => {
  const market = followMarket(context, symbol, "candles");
  return context.services.views.candles
    .read(market.marketId, interval, Number.POSITIVE_INFINITY, 2)
    .map((candle) => presentCandle(candle, market));
};

/** The newest candles come from memory. */
export const candles: Handlers["markets"]["candles"] = (
  { services },
  { market: symbol, interval, before, limit },
) => {
  const market = requireMarket(services.views, symbol);
  const until = before ?? Number.POSITIVE_INFINITY;
  return services.candlePages.read({ market, interval, until, limit });
};

/** @throws FunctionError `unknownMarket` */
export function requireMarket(views: Views, symbol: string): MarketView {
  const market = views.catalogue.marketBySymbol(symbol);
  if (market === undefined) throw unknownMarket(symbol);
  return market;
}

function followMarket(
  context: QueryContext,
  symbol: string,
  what: "book" | "trades" | "candles",
): MarketView {
  context.dependsOn("catalogue");
  const market = requireMarket(context.services.views, symbol);
  context.dependsOn(`${what}:${market.marketId}`);
  return market;
}

/** The caller's trades, prevented trades and allocations. */
import { z } from "zod";
import { describePreventedMatch } from "../account/prevented-matches.ts";
import { describeOwnTrade } from "../account/own-trades.ts";
import { checkPeriod } from "../account/period.ts";
import { conflictingParameters, missingParameter } from "../api-error.ts";
import { endpoint, RowsAnswer } from "../endpoint.ts";
import { count, limitUpTo, orderId, symbol, time, tradeId } from "../parameters.ts";
import { marketOf } from "../symbols.ts";

const HOURS_MAX = 24;
const ROWS_MAX = 1_000;
const ROWS = 500;

export const ownTrades = endpoint({
  method: "GET",
  path: "/api/v3/myTrades",
  summary: "Trades of the caller in a market.",
  security: "userData",
  weight: {
    text: "20, of one order 5",
    of: ({ orderId }) => (orderId === undefined ? 20 : 5),
  },
  errors: [-1127, -1128, -1130],
  parameters: z.object({
    symbol,
    orderId: orderId.optional(),
    startTime: time.optional(),
    endTime: time.optional(),
    fromId: tradeId.optional(),
    limit: limitUpTo(ROWS_MAX, ROWS),
  }),
  async answer({ views, history }, { symbol, orderId, fromId, limit, ...period }, { account }) {
    const market = marketOf(views, symbol);
    const { startTime: fromMs, endTime: toMs } = period;
    if (fromId !== undefined && (fromMs ?? toMs) !== undefined) throw conflictingParameters();
    checkPeriod(period, HOURS_MAX);
    const reads = await history.readsCaughtUpTo(views.people.lastSequence(account));
    const { marketId } = market;
    const fills = await reads.fillRange({
      account,
      marketId,
      orderId,
      fromId,
      fromMs,
      toMs,
      limit,
    });
    return RowsAnswer.of(fills, (fill) => describeOwnTrade(views, market, fill));
  },
});

/** Prevented matches of two orders of the caller: they never trade with each other. */
export const preventedMatches = endpoint({
  method: "GET",
  path: "/api/v3/myPreventedMatches",
  summary: "Trades between orders of the caller that were prevented, in a market.",
  security: "userData",
  weight: {
    text: "20, of one prevented match 2",
    of: ({ preventedMatchId }) => (preventedMatchId === undefined ? 20 : 2),
  },
  errors: [-1102, -1128, -1130],
  parameters: z.object({
    symbol,
    preventedMatchId: orderId.optional(),
    orderId: orderId.optional(),
    fromPreventedMatchId: count.optional(),
    limit: limitUpTo(ROWS_MAX, ROWS),
  }),
  async answer({ views, history }, given, { account }) {
    const market = marketOf(views, given.symbol);
    const { fromPreventedMatchId: fromMatchId, limit, orderId, preventedMatchId: matchId } = given;
    if (orderId === undefined && matchId === undefined) throw missingParameter("orderId");
    if (matchId !== undefined && (orderId ?? fromMatchId) !== undefined) {
      throw conflictingParameters();
    }
    const reads = await history.readsCaughtUpTo(views.people.lastSequence(account));
    const { marketId } = market;
    const prevented = await reads.preventedMatches({
      account,
      marketId,
      orderId,
      matchId,
      fromMatchId: fromMatchId ?? 0,
      limit,
    });
    return RowsAnswer.of(prevented, (match) => describePreventedMatch(match, market));
  },
});

/** Always empty: orders are matched with each other, never allocated. */
export const ownAllocations = endpoint({
  method: "GET",
  path: "/api/v3/myAllocations",
  summary: "Always empty: orders trade with orders alone.",
  security: "userData",
  weight: 20,
  errors: [-1127, -1130],
  parameters: z.object({
    symbol,
    startTime: time.optional(),
    endTime: time.optional(),
    fromAllocationId: tradeId.optional(),
    orderId: orderId.optional(),
    limit: limitUpTo(ROWS_MAX, ROWS),
  }),
  answer({ views }, { symbol, startTime, endTime }) {
    marketOf(views, symbol);
    checkPeriod({ startTime, endTime }, HOURS_MAX);
    return [];
  },
});

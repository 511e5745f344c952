/**
 * Extensions of Binance's interface: plans, market states, statements, expiring orders, and a timer
 * that cancels all orders of a program that stops responding.
 */
import { z } from "zod";
import { CANCEL_DELAY_MS_MAX, CANCEL_DELAY_MS_MIN } from "#engine/time/cancel-timers.ts";
import { presentMyPlan, presentPlans } from "../../functions/plan-offers.ts";
import { presentMarketState } from "../../functions/present-market.ts";
import { readStatements } from "../../functions/statements.ts";
import { checkPeriod } from "../account/period.ts";
import { endpoint } from "../endpoint.ts";
import { datedArgsOf, newDatedOrder } from "../orders/good-till-date.ts";
import { PLACING_ERRORS } from "../orders/order-refusals.ts";
import { submitCommand } from "../orders/own-orders.ts";
import { placeOrder } from "../orders/placing.ts";
import { integerFrom, symbol, time } from "../parameters.ts";
import { marketOf, marketsOf, symbolOf } from "../symbols.ts";

const HOURS_MAX = 366 * 24;

export const plan = endpoint({
  method: "GET",
  path: "/api/v3/openbell/plan",
  summary: "The plan of the caller, its fees and limits, and what leads to others.",
  security: "userData",
  weight: 2,
  parameters: z.object({}),
  answer({ commandRates, views }, _, { account, userId }) {
    const { name: _name, ...limits } = commandRates.limitsOfUser(userId);
    return { ...presentMyPlan(views, views.accounts.account(account)), limits };
  },
});

export const plans = endpoint({
  method: "GET",
  path: "/api/v3/openbell/plans",
  summary: "All plans with their fees and limits.",
  security: "none",
  weight: 2,
  parameters: z.object({}),
  answer: ({ commandRates, views }) => presentPlans(views, commandRates.limitsOf),
});

export const marketStates = endpoint({
  method: "GET",
  path: "/api/v3/openbell/markets",
  summary: "The state of one market or of all: since when, why and until when.",
  security: "none",
  weight: {
    text: "2 for one market, 4 for all",
    of: ({ symbol }) => (symbol === undefined ? 4 : 2),
  },
  parameters: z.object({ symbol: symbol.optional() }),
  answer({ views }, given) {
    const markets = marketsOf(views, given.symbol === undefined ? undefined : [given.symbol]);
    return markets.map((market) => ({
      symbol: symbolOf(market),
      ...presentMarketState(views, market),
    }));
  },
});

export const statement = endpoint({
  method: "GET",
  path: "/api/v3/openbell/statements",
  summary: "What changed the balances of the caller in a period, by coin and reason.",
  security: "userData",
  weight: 100,
  errors: [-1127, -1130],
  parameters: z.object({ startTime: time, endTime: time }),
  async answer({ views, history }, { startTime, endTime }, { account }) {
    checkPeriod({ startTime, endTime }, HOURS_MAX);
    const reads = await history.readsCaughtUpTo(views.people.lastSequence(account));
    const [found] = await readStatements(views, reads, account, [startTime, endTime]);
    return found;
  },
});

export const newDatedOrderCall = endpoint({
  method: "POST",
  path: "/api/v3/openbell/order",
  summary: "Places an order that may end by itself.",
  security: "trade",
  weight: 1,
  errors: PLACING_ERRORS,
  parameters: newDatedOrder,
  answer: (services, parameters, caller) =>
    placeOrder(services, caller, parameters, datedArgsOf(parameters)),
});

/** The engine's market id for all markets. */
const ALL_MARKETS = 0;

/** 0, or a delay that the engine accepts. */
const countdown = integerFrom(0, CANCEL_DELAY_MS_MAX)
  .refine((ms) => ms === 0 || ms >= CANCEL_DELAY_MS_MIN)
  .meta({
    type: "integer",
    minimum: 0,
    maximum: CANCEL_DELAY_MS_MAX,
    description: `Milliseconds, ${CANCEL_DELAY_MS_MIN} at least; 0 ends the timer.`,
  });

/** The timer belongs to the engine, so it also fires after a restart. */
export const cancelAllAfter = endpoint({
  method: "POST",
  path: "/api/v3/openbell/cancelAllAfter",
  summary: "Cancels all open orders of the caller, unless it is sent again in time.",
  security: "trade",
  weight: 1,
  parameters: z.object({ symbol: symbol.optional(), countdownTime: countdown }),
  async answer(services, { symbol: name, countdownTime: delayMs }, caller) {
    const market = name === undefined ? undefined : marketOf(services.views, name);
    const marketId = market?.marketId ?? ALL_MARKETS;
    const { account } = caller;
    const asked = { type: "setCancelTimer", account, marketId, delayMs } as const;
    const { events } = await submitCommand(services, caller, asked);
    const set = events.find((event) => event.type === "cancelTimerSet");
    return {
      symbol: market === undefined ? null : symbolOf(market),
      countdownTime: delayMs,
      cancelsAt: set === undefined || set.firesAtMs === 0 ? null : set.firesAtMs,
    };
  },
});

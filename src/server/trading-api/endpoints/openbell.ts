/** What other exchanges of this interface lack: plans, states of markets and statements. */
import { z } from "zod";
import { presentMyPlan } from "../../functions/plan-offers.ts";
import { presentMarketState } from "../../functions/present-market.ts";
import { readStatements } from "../../functions/statements.ts";
import { checkPeriod } from "../account/period.ts";
import { endpoint } from "../endpoint.ts";
import { symbol, time } from "../parameters.ts";
import { marketsOf, symbolOf } from "../symbols.ts";

const HOURS_MAX = 366 * 24;

export const plan = endpoint({
  method: "GET",
  path: "/api/v3/openbell/plan",
  summary: "The plan of the caller, its fees and what leads to others.",
  security: "userData",
  weight: 2,
  parameters: z.object({}),
  answer: ({ views }, _, { account }) => presentMyPlan(views, views.accounts.account(account)),
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
    const reads = await history.readsFrom(views.people.lastSequence(account));
    const [only] = await readStatements(views, reads, account, [startTime, endTime]);
    return only;
  },
});

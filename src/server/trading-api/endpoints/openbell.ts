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
  security: "userData",
  weight: 2,
  parameters: z.object({}),
  answer: ({ views }, _, { account }) => presentMyPlan(views, views.accounts.account(account)),
});

export const marketStates = endpoint({
  method: "GET",
  path: "/api/v3/openbell/markets",
  security: "none",
  weight: ({ symbol }) => (symbol === undefined ? 4 : 2),
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
  security: "userData",
  weight: 100,
  parameters: z.object({ startTime: time, endTime: time }),
  async answer({ views, history }, { startTime, endTime }, { account }) {
    checkPeriod({ startTime, endTime }, HOURS_MAX);
    const reads = await history.readsFrom(views.people.lastSequence(account));
    const [only] = await readStatements(views, reads, account, [startTime, endTime]);
    return only;
  },
});

/** The caller's balances and fees. */
import { z } from "zod";
import { planOf } from "../../functions/plan-offers.ts";
import { describeAccount } from "../account/balances.ts";
import { describeCommission, describeTradeFee } from "../account/commission.ts";
import { endpoint } from "../endpoint.ts";
import { exchangeFilters, symbolFilters } from "../filters.ts";
import { flagOr, symbol } from "../parameters.ts";
import { marketOf, marketsOf } from "../symbols.ts";

export const account = endpoint({
  method: "GET",
  path: "/api/v3/account",
  summary: "Balances, fees and rights of the caller.",
  security: "userData",
  weight: 20,
  parameters: z.object({ omitZeroBalances: flagOr(false) }),
  answer: ({ views }, { omitZeroBalances }, caller) =>
    describeAccount(views, caller, omitZeroBalances),
});

export const commission = endpoint({
  method: "GET",
  path: "/api/v3/account/commission",
  summary: "The fees of the caller in a market.",
  security: "userData",
  weight: 20,
  parameters: z.object({ symbol }),
  answer: ({ views }, given, caller) =>
    describeCommission(views, caller.account, marketOf(views, given.symbol)),
});

/** The filters with the limits of the caller's plan. */
export const filters = endpoint({
  method: "GET",
  path: "/api/v3/myFilters",
  summary: "The filters of a market as they are for the caller.",
  security: "userData",
  weight: 40,
  parameters: z.object({ symbol }),
  answer({ views }, given, caller) {
    const market = marketOf(views, given.symbol);
    const { definition: plan } = planOf(views, views.accounts.account(caller.account));
    return {
      exchangeFilters: exchangeFilters(plan),
      symbolFilters: symbolFilters(market, plan),
      assetFilters: [],
    };
  },
});

export const tradeFee = endpoint({
  method: "GET",
  path: "/sapi/v1/asset/tradeFee",
  summary: "The fees of the caller in one market or in all.",
  security: "userData",
  weight: 1,
  parameters: z.object({ symbol: symbol.optional() }),
  answer({ views }, given, caller) {
    const markets = marketsOf(views, given.symbol === undefined ? undefined : [given.symbol]);
    return markets.map((market) => describeTradeFee(views, caller.account, market));
  },
});

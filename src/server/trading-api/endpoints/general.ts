/** Whether the exchange is up, its time, and the markets with their rules. */
import { z } from "zod";
import { describeOrderLimits } from "../order-counts.ts";
import { conflictingParameters } from "../api-error.ts";
import { planOf } from "../../functions/plan-offers.ts";
import { exchangeFilters } from "../filters.ts";
import { endpoint } from "../endpoint.ts";
import { flagOr, jsonListOf, symbol, symbols } from "../parameters.ts";
import { describeMarket, marketsOf } from "../symbols.ts";

export const ping = endpoint({
  method: "GET",
  path: "/api/v3/ping",
  summary: "Answers if the exchange can be reached.",
  security: "none",
  weight: 1,
  parameters: z.object({}),
  answer: () => ({}),
});

export const time = endpoint({
  method: "GET",
  path: "/api/v3/time",
  summary: "The time of the exchange.",
  security: "none",
  weight: 1,
  parameters: z.object({}),
  answer: ({ views }) => ({ serverTime: views.nowMs() }),
});

/** The only permission set that markets have. */
const SPOT = "SPOT";
/** One permission, or several as a JSON array. */
const permissions = z.union([
  z.stringFormat("permission", /^[A-Z_0-9]{1,40}$/).transform((one) => [one]),
  jsonListOf(z.string().max(40)),
]);

export const exchangeInfo = endpoint({
  method: "GET",
  path: "/api/v3/exchangeInfo",
  summary: "Markets with their filters, and the limits of requests and orders.",
  security: "none",
  weight: 20,
  errors: [-1128],
  parameters: z.object({
    symbol: symbol.optional(),
    symbols: symbols.optional(),
    permissions: permissions.optional(),
    showPermissionSets: flagOr(true),
    symbolStatus: z.string().max(20).optional(),
  }),
  answer(
    { views, config, commandRates },
    { symbol, symbols, permissions, showPermissionSets, symbolStatus },
  ) {
    if ([symbol, symbols, permissions].filter((one) => one !== undefined).length > 1) {
      throw conflictingParameters();
    }
    const named = symbol === undefined ? symbols : [symbol];
    const wanted = permissions === undefined || permissions.includes(SPOT);
    const described = (wanted ? marketsOf(views, named) : [])
      .map((market) => describeMarket(views, market))
      .filter(({ status }) => symbolStatus === undefined || status === symbolStatus);
    return {
      timezone: "UTC",
      serverTime: views.nowMs(),
      rateLimits: [
        {
          rateLimitType: "REQUEST_WEIGHT",
          interval: "MINUTE",
          intervalNum: 1,
          limit: config.TRADING_API_WEIGHT,
        },
        ...describeOrderLimits(commandRates.limitsOf(planOf(views, undefined).definition.slug)),
      ],
      exchangeFilters: exchangeFilters(planOf(views, undefined).definition),
      symbols: showPermissionSets
        ? described
        : described.map((market) => ({ ...market, permissionSets: [] })),
    };
  },
});

export const systemStatus = endpoint({
  method: "GET",
  path: "/sapi/v1/system/status",
  summary: "Whether the exchange is in operation.",
  security: "none",
  weight: 1,
  parameters: z.object({}),
  answer: () => ({ status: 0, msg: "normal" }),
});

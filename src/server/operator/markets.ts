/** Requests to list markets and to set and schedule their states, for the operator. */
import { z } from "zod";
import { MARKET_STATUSES } from "#contract/types.ts";
import type { MarketView } from "../views/catalogue.ts";
import {
  alignColumns,
  decidedBecause,
  done,
  type OperatorServices,
  reason,
  request,
  RequestError,
  submitCommand,
} from "./request.ts";

const market = z.string().min(1, "say which market").max(40);
const status = z.enum(MARKET_STATUSES, `must be one of ${MARKET_STATUSES.join(", ")}`);
const minutes = z.number("must be a number").int().min(1).max(525_600).optional();
const MINUTE_MS = 60_000;

export function marketRequests(services: OperatorServices) {
  const { views } = services;
  const requireMarket = (symbol: string): MarketView => {
    const found = views.catalogue.marketBySymbol(symbol);
    if (found === undefined) throw new RequestError(`There is no market ${symbol}.`);
    return found;
  };
  return {
    "/markets/list": request({}, () => {
      const rows = views.catalogue.markets().map(({ definition: { symbol }, marketId }) => {
        const { status: now, untilMs } = views.marketStates.of(marketId);
        const steps = views.marketStates.scheduleOf(marketId);
        const scheduled = steps.map(({ atMs, status: next }) => `${timeOf(atMs)} ${next}`);
        return [symbol, now, untilMs === 0 ? "" : timeOf(untilMs), scheduled.join(", ")];
      });
      return done(...alignColumns(["market", "state", "until", "scheduled"], rows));
    }),
    "/markets/set": request(
      { market, status, minutes, reason },
      async ({ market: symbol, status: next, minutes: length = 0, reason: why }) => {
        const { marketId } = requireMarket(symbol);
        const terms = { marketId, status: next, forMs: length * MINUTE_MS, ...decidedBecause(why) };
        await submitCommand(services, { type: "setMarketStatus", ...terms });
        return done(`${symbol} is ${next}.`);
      },
    ),
    "/markets/schedule": request(
      {
        market,
        steps: z.array(z.strictObject({ at: z.iso.datetime(), status, minutes })).max(32),
        reason,
      },
      async ({ market: symbol, steps, reason: why }) => {
        const { marketId } = requireMarket(symbol);
        const command = {
          type: "scheduleMarket",
          marketId,
          steps: steps.map(({ at, status: next, minutes: length = 0 }) => ({
            atMs: Date.parse(at),
            status: next,
            forMs: length * MINUTE_MS,
          })),
          decision: decidedBecause(why),
        } as const;
        const { rejected } = await services.exchange.submit(command);
        if (rejected === "invalidDelay") {
          throw new RequestError(
            "Each step must be later than the one before and than now, and within a year; only preOpen, " +
              "halted and auction end by themselves.",
          );
        }
        if (rejected !== undefined) throw new RequestError(`The exchange refused it: ${rejected}.`);
        return done(steps.length === 0 ? `${symbol} has no schedule.` : `${symbol} is scheduled.`);
      },
    ),
  };
}

/** Formats a time to the minute, such as "2026-03-01T14:05Z". */
function timeOf(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16)}Z`;
}

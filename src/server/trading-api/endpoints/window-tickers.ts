/** Tickers of a window that the caller chooses, and of the day since midnight UTC. */
import { z } from "zod";
import { DAY_MS } from "#engine/time/calendar.ts";
import type { Services } from "../../functions/services.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { conflictingParameters, invalidParameter, missingParameter } from "../api-error.ts";
import { endpoint } from "../endpoint.ts";
import { symbol, symbols, symbolStatus, utc } from "../parameters.ts";
import { hasStatus, marketWithStatus, marketsOf, type SymbolStatus } from "../symbols.ts";
import { describeWindow, type Window } from "../window-ticker.ts";

const MINUTE_MS = 60_000;
const UNIT_MS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: DAY_MS } as const;
const MARKETS_MAX = 100;
const WEIGHT = 4;
const WEIGHT_MAX = 200;

const windowSize = z
  .string()
  .regex(/^([1-9]|[1-5]\d)m$|^([1-9]|1\d|2[0-3])h$|^[1-7]d$/)
  .transform((text) => Number(text.slice(0, -1)) * UNIT_MS[text.at(-1) as keyof typeof UNIT_MS]);

const marketSelection = {
  symbol: symbol.optional(),
  symbols: symbols.optional(),
  symbolStatus: symbolStatus.optional(),
  type: z.enum(["FULL", "MINI"]).default("FULL"),
};
interface MarketSelection {
  readonly symbol?: string | undefined;
  readonly symbols?: string[] | undefined;
  readonly symbolStatus?: SymbolStatus | undefined;
  readonly type: "FULL" | "MINI";
}

const weight = {
  text: `${WEIGHT} for each market, at most ${WEIGHT_MAX}`,
  of: ({ symbols = [""] }: MarketSelection) => Math.min(WEIGHT * symbols.length, WEIGHT_MAX),
};

/** An object for one market, an array for several. @throws ApiError */
async function describeEach(
  services: Services,
  { symbol, symbols, symbolStatus: status, type }: MarketSelection,
  window: Window,
): Promise<unknown> {
  const { views } = services;
  const describe = (market: MarketView) =>
    describeWindow(services, market, window, type === "FULL");
  if (symbol !== undefined && symbols !== undefined) throw conflictingParameters();
  if (symbol !== undefined) return describe(marketWithStatus(views, symbol, status));
  if (symbols === undefined) throw missingParameter("symbol");
  if (symbols.length > MARKETS_MAX) throw invalidParameter("symbols");
  const wanted = marketsOf(views, symbols).filter((market) => hasStatus(views, market, status));
  return Promise.all(wanted.map(describe));
}

/** The window begins with a whole minute, so it is up to a minute longer. */
export const rolling = endpoint({
  method: "GET",
  path: "/api/v3/ticker",
  summary: "Prices and volumes of a window that the caller chooses.",
  security: "none",
  weight,
  errors: [-1102, -1128, -1130, -1220],
  parameters: z.object({ ...marketSelection, windowSize: windowSize.prefault("1d") }),
  answer(services, { windowSize, ...given }) {
    const closeTime = services.views.nowMs();
    const openTime = closeTime - windowSize;
    const window = { openTime: openTime - (openTime % MINUTE_MS), closeTime };
    return describeEach(services, given, window);
  },
});

export const tradingDay = endpoint({
  method: "GET",
  path: "/api/v3/ticker/tradingDay",
  summary: "Prices and volumes since midnight UTC.",
  security: "none",
  weight,
  errors: [-1102, -1128, -1130, -1220],
  parameters: z.object({ ...marketSelection, timeZone: utc }),
  answer(services, given) {
    const nowMs = services.views.nowMs();
    const openTime = nowMs - (nowMs % DAY_MS);
    return describeEach(services, given, { openTime, closeTime: openTime + DAY_MS - 1 });
  },
});

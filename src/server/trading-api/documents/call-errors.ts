/** The codes with which a call may be refused: read off its parameters and its security, and declared. */
import { z } from "zod";
import { ApiError } from "../api-error.ts";
import type { Endpoint, Security } from "../endpoint.ts";
import type { ErrorCode } from "../error-codes.ts";
import { readParameters } from "../parameters.ts";

/**
 * Of every call: unknown, unreadable or failed; too much weight; too busy; unknown parameters; another
 * unit of time.
 */
const OF_EVERY_CALL: readonly ErrorCode[] = [-1000, -1003, -1008, -1101, -1130];
const OF_SIGNATURES: readonly ErrorCode[] = [-1021, -1022, -1102, -1130, -1131, -2014, -2015];
const OF_SECURITY: Readonly<Record<Security, readonly ErrorCode[]>> = {
  none: [],
  userData: OF_SIGNATURES,
  trade: [...OF_SIGNATURES, -1006, -1015],
};
/** Whether there is a market is known to the exchange, not to the parameter. */
const NAMES_OF_MARKETS: ReadonlySet<string> = new Set(["symbol", "symbols"]);

/** Absent, empty, of wrong characters, too large, too small. */
const PROBES = [undefined, "", "\u0000", "9".repeat(20), "0"];

/** In the order of the numbers, -1000 first. */
export function errorsOf(call: Endpoint): ErrorCode[] {
  const { errors = [], parameters, security } = call;
  const codes = [
    ...OF_EVERY_CALL,
    ...OF_SECURITY[security],
    ...errors,
    ...Object.entries(parameters.shape).flatMap(([name, schema]) => [
      ...refusalsOf(name, schema),
      ...(NAMES_OF_MARKETS.has(name) ? [-1121 as const] : []),
    ]),
  ];
  return [...new Set(codes)].toSorted((one, other) => other - one);
}

/** As the server refuses wrong texts for one parameter. */
function refusalsOf(name: string, schema: z.core.$ZodType): ErrorCode[] {
  const alone = z.object({ [name]: schema });
  return PROBES.flatMap((text) => {
    try {
      readParameters(alone, text === undefined ? [] : [[name, text]], false);
      return [];
    } catch (error) {
      if (error instanceof ApiError) return [error.code];
      throw error;
    }
  });
}

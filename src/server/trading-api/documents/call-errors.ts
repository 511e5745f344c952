/**
 * The error codes of a call: derived from its parameters and its security, and declared by the call
 * itself.
 */
import { z } from "zod";
import { ApiError } from "../api-error.ts";
import type { Endpoint, Security } from "../endpoint.ts";
import type { ErrorCode } from "../error-codes.ts";
import { readParameters } from "../parameters.ts";

/**
 * Codes of every call: unknown call, unreadable request or internal error; too much weight;
 * overload; unknown parameter; unsupported unit of time.
 */
const COMMON_CODES: readonly ErrorCode[] = [-1000, -1003, -1008, -1101, -1130];
const SIGNATURE_CODES: readonly ErrorCode[] = [-1021, -1022, -1102, -1130, -1131, -2014, -2015];
const CODES_BY_SECURITY: Readonly<Record<Security, readonly ErrorCode[]>> = {
  none: [],
  userData: SIGNATURE_CODES,
  trade: [...SIGNATURE_CODES, -1006, -1015],
};
/**
 * Parameters that name markets. Their schema cannot tell whether a market exists, the exchange can.
 */
const MARKET_PARAMETERS: ReadonlySet<string> = new Set(["symbol", "symbols"]);

/** Invalid texts: absent, empty, with wrong characters, too large, too small. */
const INVALID_TEXTS = [undefined, "", "\u0000", "9".repeat(20), "0"];

/** The errors that a call may answer with, in descending order, -1000 first. */
export function errorsOf(call: Endpoint): ErrorCode[] {
  const { errors = [], parameters, security } = call;
  const codes = [
    ...COMMON_CODES,
    ...CODES_BY_SECURITY[security],
    ...errors,
    ...Object.entries(parameters.shape).flatMap(([name, schema]) => [
      ...refusalsOf(name, schema),
      ...(MARKET_PARAMETERS.has(name) ? [-1121 as const] : []),
    ]),
  ];
  return [...new Set(codes)].toSorted((one, other) => other - one);
}

/** The codes with which the server refuses invalid texts for one parameter. */
function refusalsOf(name: string, schema: z.core.$ZodType): ErrorCode[] {
  const parameterSchema = z.object({ [name]: schema });
  return INVALID_TEXTS.flatMap((text) => {
    try {
      readParameters(parameterSchema, text === undefined ? [] : [[name, text]], false);
      return [];
    } catch (error) {
      if (error instanceof ApiError) return [error.code];
      throw error;
    }
  });
}

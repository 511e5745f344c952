/**
 * Parses the parameters of calls: texts of the query or the body are checked and turned into
 * values.
 */
import { z } from "zod";
import { CANDLE_INTERVALS } from "#contract/enumerations.ts";
import {
  ApiError,
  badCancelRestrictions,
  badInterval,
  badOrderType,
  badSide,
  badStrategyType,
  badSymbol,
  badTimeInForce,
  emptyParameter,
  illegalCharacters,
  invalidParameter,
  missingParameter,
  notInPair,
  repeatedParameter,
  tooManyParameters,
} from "./api-error.ts";

const INTEGER = /^[0-9]{1,20}$/;
const SYMBOL = /^[\w\-._]{1,40}$/;

export const symbol = z
  .string()
  .regex(SYMBOL)
  .meta({ description: "A market without a dash, such as `BTCUSD`." });

/** A JSON array such as `["BTCUSD","ETHUSD"]`, sent with or without percent-encoding. */
export const jsonListOf = (item: z.ZodType<string>) =>
  z
    .string()
    .max(8_192)
    .transform((text, context): string[] => {
      try {
        return z.array(item).min(1).max(200).parse(JSON.parse(text));
      } catch {
        context.addIssue({ code: "custom" });
        return z.NEVER;
      }
    })
    .meta({
      description: "Several as a JSON array.",
      contentMediaType: "application/json",
      contentSchema: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 200 },
    });

export const symbols = jsonListOf(symbol);

/**
 * The state that a market must be in. Among several markets, those in another state are omitted.
 */
export const symbolStatus = z.enum(["TRADING", "HALT", "BREAK"]);

const integer = z
  .string()
  .regex(INTEGER)
  .transform(Number)
  .refine((number) => Number.isSafeInteger(number))
  .meta({ type: "integer", minimum: 0 });

const SIGNED_INTEGER = /^-?[0-9]{1,15}$/;

export const integerFrom = (min: number, max: number) =>
  z
    .string()
    .regex(SIGNED_INTEGER)
    .transform(Number)
    .refine((number) => number >= min && number <= max)
    .meta({ type: "integer", minimum: min, maximum: max });

/** Milliseconds since 1970 UTC. */
export const time = integer
  .refine((ms) => ms <= 8_640_000_000_000_000)
  .meta({ type: "integer", minimum: 0, description: "Milliseconds since 1970 UTC." });

export const tradeId = integer.meta({
  type: "integer",
  minimum: 0,
  description: "The number of a trade.",
});
export const orderId = integer.meta({
  type: "integer",
  minimum: 0,
  description: "The number of an order.",
});

/** An integer from 0. */
export const count = integer;

/** Any text of 1 to 256 characters; its content is not validated. */
export const text = z.string().min(1).max(256);

const DECIMAL = /^([0-9]{1,20})(\.[0-9]{1,20})?$/;
/** An amount, price or quantity as decimal text. */
export const decimal = z.string().regex(DECIMAL).meta({ description: "An exact decimal." });

/** The characters and length that the engine and Binance both allow. */
export const clientOrderId = z
  .string()
  .regex(/^[.A-Z:/a-z0-9_-]{1,36}$/)
  .meta({ description: "A name that the caller gives." });

/** The most items that an answer may have. A higher number is refused. */
export const limitUpTo = (max: number, otherwise: number) =>
  integer
    .refine((count) => count >= 1 && count <= max)
    .meta({ type: "integer", minimum: 1, maximum: max })
    .default(otherwise);

/** The most items that an answer may have. A higher number means the maximum. */
export const limitCappedAt = (max: number, otherwise: number) =>
  integer
    .refine((count) => count >= 1)
    .transform((count) => Math.min(count, max))
    .meta({
      type: "integer",
      minimum: 1,
      description: `At most ${max} are answered.`,
    })
    .default(otherwise);

const INTEGER_MAX = 2 ** 31 - 1;
/** Smaller ones are reserved, as at Binance. */
const STRATEGY_TYPE_MIN = 1_000_000;

export const strategyId = integerFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).meta({
  type: "integer",
  description: "The caller's own number of the order in its strategy, of up to 15 digits.",
});
export const strategyType = integerFrom(0, INTEGER_MAX)
  .refine((type) => type >= STRATEGY_TYPE_MIN, "strategyType")
  .meta({
    type: "integer",
    minimum: STRATEGY_TYPE_MIN,
    maximum: INTEGER_MAX,
    description: "The caller's own number of the strategy.",
  });

export const interval = z.enum(CANDLE_INTERVALS, "interval");

/** Days begin at midnight UTC; another time zone is refused. */
export const utc = z
  .enum(["0", "0:00", "00:00", "+00:00"])
  .meta({ description: "Days begin at midnight UTC." })
  .optional();

/** "true" or "false", and the other texts that zod accepts for these. */
export const flag = z.stringbool().meta({ type: "boolean" });

export const flagOr = (otherwise: boolean) => flag.default(otherwise);

export const orderListId = integer.meta({
  type: "integer",
  minimum: 0,
  description: "The number of a list of orders.",
});

export type Pair = readonly [name: string, text: string];

/** Parameters that belong to the request, not to its call. */
const REQUEST_PARAMETERS: ReadonlySet<string> = new Set(["timestamp", "recvWindow", "signature"]);

/**
 * The parameters of a query and a body, in the order in which they were sent. If a name is in both,
 * the query's value counts.
 * @throws ApiError for a name that is repeated in either, and for too many parameters
 */
export function pairsOf(query: string, body: string): Pair[] {
  // Most requests have only one of the two.
  if (body === "") return uniquePairs(query);
  if (query === "") return uniquePairs(body);
  const ofQuery = uniquePairs(query);
  const names = new Set(ofQuery.map(([name]) => name));
  return [...ofQuery, ...uniquePairs(body).filter(([name]) => !names.has(name))];
}

/** More than any call has. Parsing thousands would cost as much as the most expensive call. */
const PAIRS_MAX = 64;

function uniquePairs(text: string): Pair[] {
  const parts = text.split("&", PAIRS_MAX + 1);
  if (parts.length > PAIRS_MAX) throw tooManyParameters(PAIRS_MAX, parts.length);
  const pairs = ENCODED.test(text) ? [...new URLSearchParams(text)] : plainPairs(parts);
  // Most have so few that to compare each with each is faster than a set.
  if (pairs.some(([name], at) => isNamedBefore(pairs, at, name))) throw repeatedParameter();
  return pairs;
}

function isNamedBefore(pairs: readonly Pair[], end: number, name: string): boolean {
  for (let at = 0; at < end; at++) if (pairs[at][0] === name) return true;
  return false;
}

/** Most requests contain nothing encoded and are parsed faster without URLSearchParams. */
const ENCODED = /[%+]/;

/** Parses like URLSearchParams, which also drops a leading question mark. */
function plainPairs(parts: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  for (const [index, given] of parts.entries()) {
    const part = index === 0 && given.startsWith("?") ? given.slice(1) : given;
    if (part === "") continue;
    const at = part.indexOf("=");
    pairs.push(at === -1 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)]);
  }
  return pairs;
}

/** @throws ApiError */
export function readParameters<Schema extends z.ZodObject>(
  schema: Schema,
  pairs: readonly Pair[],
  isSigned: boolean,
): z.output<Schema> {
  const names = namesIn(schema);
  const given: Record<string, string> = {};
  let count = 0;
  let hasUnknown = false;
  for (const [name, text] of pairs) {
    if (isSigned && REQUEST_PARAMETERS.has(name)) continue;
    count += 1;
    if (names.has(name)) given[name] = text;
    else hasUnknown = true;
  }
  if (hasUnknown) throw tooManyParameters(names.size, count);
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw refusalOf(parsed.error.issues[0], given);
  return parsed.data;
}

const namesOfSchemas = new WeakMap<z.ZodObject, ReadonlySet<string>>();

function namesIn(schema: z.ZodObject): ReadonlySet<string> {
  const known = namesOfSchemas.get(schema);
  if (known !== undefined) return known;
  const names = new Set(Object.keys(schema.shape));
  namesOfSchemas.set(schema, names);
  return names;
}

/** Parameters whose invalid values have an error code of their own. */
const OWN_REFUSALS: Readonly<Record<string, () => ApiError>> = {
  interval: badInterval,
  side: badSide,
  timeInForce: badTimeInForce,
  orderType: badOrderType,
  cancelRestrictions: badCancelRestrictions,
  pairType: notInPair,
  strategyType: badStrategyType,
};

/** The refusal for the first issue; the others are not reported, as at Binance. */
function refusalOf(issue: z.core.$ZodIssue, given: Readonly<Record<string, string>>): ApiError {
  const name = String(issue.path[0]);
  const text = given[name];
  if (text === undefined) return missingParameter(name);
  if (text === "") return emptyParameter(name);
  if (name === "symbol" && text.length > 40) return badSymbol();
  const named = OWN_REFUSALS[issue.message];
  if (named !== undefined) return named();
  if (issue.code === "invalid_format" && issue.pattern !== undefined) {
    return illegalCharacters(name, issue.pattern.replace(/^\/|\/$/g, ""));
  }
  return invalidParameter(name);
}

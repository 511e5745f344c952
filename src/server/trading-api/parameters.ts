/** The parameters of calls: texts from the address, checked and turned into values. */
import { z } from "zod";
import { CANDLE_INTERVALS } from "#contract/enumerations.ts";
import {
  ApiError,
  badCancelRestrictions,
  badInterval,
  badOrderType,
  badSide,
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

/** A JSON array such as `["BTCUSD","ETHUSD"]`, sent with or without percent encoding. */
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

/** The state that a market must be in: of several, those in another are left out. */
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

/** From 0. */
export const count = integer;

/** That is not looked at more closely. */
export const text = z.string().min(1).max(256);

const DECIMAL = /^([0-9]{1,20})(\.[0-9]{1,20})?$/;
/** An amount, price or quantity, as text. */
export const decimal = z.string().regex(DECIMAL).meta({ description: "An exact decimal." });

/** What orders allow here, which is what Binance allows. */
export const clientOrderId = z
  .string()
  .regex(/^[.A-Z:/a-z0-9_-]{1,36}$/)
  .meta({ description: "A name that the caller gives." });

/** The most items of an answer; a call refuses more. */
export const limitUpTo = (max: number, otherwise: number) =>
  integer
    .refine((count) => count >= 1 && count <= max)
    .meta({ type: "integer", minimum: 1, maximum: max })
    .default(otherwise);

/** The same, but where more is asked, the most is meant. */
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

export const interval = z.enum(CANDLE_INTERVALS, "interval");

/** Days begin at midnight UTC; another time zone is refused. */
export const utc = z
  .enum(["0", "0:00", "00:00", "+00:00"])
  .meta({ description: "Days begin at midnight UTC." })
  .optional();

/** "true" or "false", and what else zod reads as these. */
export const flag = z.stringbool().meta({ type: "boolean" });

export const flagOr = (otherwise: boolean) => flag.default(otherwise);

export const orderListId = integer.meta({
  type: "integer",
  minimum: 0,
  description: "The number of a list of orders.",
});

export type Pair = readonly [name: string, text: string];

/** Parameters of a request itself, beside those of its call. */
const OF_THE_REQUEST: ReadonlySet<string> = new Set(["timestamp", "recvWindow", "signature"]);

/**
 * The parameters of a query and of a body in the order in which they were sent. If both have one, the
 * query's counts.
 * @throws ApiError for one that is twice in either, and for more than any call has
 */
export function pairsOf(query: string, body: string): Pair[] {
  // Most requests have one of the two.
  if (body === "") return uniquePairs(query);
  if (query === "") return uniquePairs(body);
  const ofQuery = uniquePairs(query);
  const names = new Set(ofQuery.map(([name]) => name));
  return [...ofQuery, ...uniquePairs(body).filter(([name]) => !names.has(name))];
}

/** More than any call has. To read thousands would cost as much as the most expensive call. */
const PAIRS_MAX = 64;

function uniquePairs(text: string): Pair[] {
  const parts = text.split("&", PAIRS_MAX + 1);
  if (parts.length > PAIRS_MAX) throw tooManyParameters(PAIRS_MAX, parts.length);
  const pairs = ENCODED.test(text) ? [...new URLSearchParams(text)] : plainPairs(parts);
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw repeatedParameter();
  return pairs;
}

/** Most requests have nothing that was encoded, and a request is read faster without a parser. */
const ENCODED = /[%+]/;

/** As URLSearchParams reads them, which also drops a question mark before the first. */
function plainPairs([first, ...others]: readonly string[]): Pair[] {
  return [first.replace(/^\?/, ""), ...others]
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf("=");
      return at === -1 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
    });
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
    if (isSigned && OF_THE_REQUEST.has(name)) continue;
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

/** Values with a code of their own, by what their schemas say of wrong ones. */
const OWN_REFUSALS: Readonly<Record<string, () => ApiError>> = {
  interval: badInterval,
  side: badSide,
  timeInForce: badTimeInForce,
  orderType: badOrderType,
  cancelRestrictions: badCancelRestrictions,
  pairType: notInPair,
};

/** For one reason, as Binance gives: the first. */
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

/**
 * Exact conversion between decimal strings and a market's ticks, lots and units. A value that is
 * not a multiple of the step is refused, never rounded.
 */
import type { RejectReason } from "#engine/reject-reasons.ts";
import { AMOUNT_MAX, type Amount, type Lots, type Ticks } from "#engine/amount.ts";
import {
  DecimalError,
  formatDecimal,
  isDecimal,
  parseDecimal,
  trimDecimal,
} from "#contract/decimal.ts";
import type { MarketView } from "../views/catalogue.ts";
import { FunctionError } from "./function-error.ts";
import { multipleOf } from "./refusals.ts";

export function parsePrice(text: string, market: MarketView, field = "price"): Ticks {
  const { priceDecimals, tickSize, tickStep } = market;
  const step = { size: tickSize, units: tickStep };
  return parseSteps(field, "invalidPrice", text, step, priceDecimals) as Ticks;
}

export function parseQuantity(text: string, market: MarketView, field = "quantity"): Lots {
  const { lotSize, lotStep, quantityDecimals } = market;
  const step = { size: lotSize, units: lotStep };
  return parseSteps(field, "invalidQuantity", text, step, quantityDecimals) as Lots;
}

/** @returns the amount in quote units */
export function parseQuoteAmount(text: string, market: MarketView): Amount {
  const { scale } = market.quote;
  const step = { size: formatDecimal(1, scale), units: 1 };
  return parseSteps("quoteAmount", "invalidAmount", text, step, scale) as Amount;
}

const BPS_MAX = 100_000;

/** Grouping by larger steps would leave a book with almost no levels. */
const GROUPINGS_TICKS: ReadonlySet<number> = new Set([1, 10, 100, 1_000, 10_000]);

/**
 * The grouping of a book in ticks. Each value has only one accepted spelling, because each accepted
 * text is another book to keep up to date.
 * @throws FunctionError unless the text is one of the five steps in shortest notation
 */
export function parseGrouping(text: string, market: MarketView): number {
  const { tickSize, tickStep, priceDecimals } = market;
  const step = { size: tickSize, units: tickStep };
  const ticks = parseSteps("grouping", "invalidArgument", text, step, priceDecimals);
  if (!GROUPINGS_TICKS.has(ticks)) {
    const complaint = `must be a power of ten times ${tickSize}, up to the fourth`;
    throw invalidField("grouping", "invalidArgument", complaint);
  }
  const shortest = trimDecimal(formatPrice(ticks, market));
  if (text !== shortest)
    throw invalidField("grouping", "invalidArgument", `must be written ${shortest}`);
  return ticks;
}

/** A percentage with up to two decimals, of at most 1 000 %, as basis points. */
export function parseBps(text: string): number {
  const bps = parseSteps("percent", "invalidArgument", text, { size: "0.01", units: 1 }, 2);
  if (bps > BPS_MAX) throw invalidField("percent", "invalidArgument", "may be at most 1000");
  return bps;
}

interface Step {
  /** As a decimal, for the sentence of a refusal. */
  readonly size: string;
  /** The step in units of the last decimal. */
  readonly units: number;
}

function parseSteps(
  field: string,
  code: RejectReason | "invalidArgument",
  text: string,
  step: Step,
  decimals: number,
): number {
  const few = fewUnitsOf(text, decimals);
  if (few > 0 && few % step.units === 0) return few / step.units;
  let units: bigint;
  try {
    units = parseDecimal(text, decimals);
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw invalidField(field, code, isDecimal(text) ? multipleOf(step.size) : error.message);
  }
  if (units <= 0n) throw invalidField(field, code, "must be more than 0");
  const stepUnits = BigInt(step.units);
  if (units % stepUnits !== 0n) throw invalidField(field, code, multipleOf(step.size));
  const steps = units / stepUnits;
  if (steps > BigInt(AMOUNT_MAX)) throw invalidField(field, code, "is too large");
  return Number(steps);
}

const DIGITS_EXACT_MAX = 15;
const [ZERO, NINE, POINT] = [0x30, 0x39, 0x2e];

/**
 * A plain decimal as units at a scale, in a tenth of the time of `parseDecimal`; 0 if it is anything else, or if
 * its units may have more digits than a number holds exactly.
 */
function fewUnitsOf(text: string, scale: number): number {
  const point = text.indexOf(".");
  const wholeLength = point === -1 ? text.length : point;
  const fractionLength = point === -1 ? 0 : text.length - point - 1;
  // "1." and ".1" are not valid decimals.
  const isPlain = wholeLength > 0 && (point === -1 || fractionLength > 0);
  if (!isPlain || fractionLength > scale || wholeLength + scale > DIGITS_EXACT_MAX) return 0;
  let units = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === POINT && at === point) continue;
    if (code < ZERO || code > NINE) return 0;
    units = units * 10 + (code - ZERO);
  }
  return units * 10 ** (scale - fractionLength);
}

function invalidField(field: string, code: string, complaint: string): FunctionError {
  return new FunctionError({ code, field, message: `${field} ${complaint}.` });
}

export function formatPrice(ticks: number, { priceDecimals, tickStep }: MarketView): string {
  return formatSteps(ticks, tickStep, priceDecimals);
}

export function formatQuantity(lots: number, { lotStep, quantityDecimals }: MarketView): string {
  return formatSteps(lots, lotStep, quantityDecimals);
}

function formatSteps(count: number, step: number, decimals: number): string {
  // Nearly all steps are powers of ten below one.
  return formatDecimal(step === 1 ? count : BigInt(count) * BigInt(step), decimals);
}

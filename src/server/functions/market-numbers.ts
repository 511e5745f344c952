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
  return parseSteps(field, "invalidPrice", text, market.tickSize, market.priceDecimals) as Ticks;
}

export function parseQuantity(text: string, market: MarketView, field = "quantity"): Lots {
  const { lotSize, quantityDecimals } = market;
  return parseSteps(field, "invalidQuantity", text, lotSize, quantityDecimals) as Lots;
}

/** @returns the amount in quote units */
export function parseQuoteAmount(text: string, market: MarketView): Amount {
  const { scale } = market.quote;
  const unit = formatDecimal(1, scale);
  return parseSteps("quoteAmount", "invalidAmount", text, unit, scale) as Amount;
}

const BPS_MAX = 100_000;

/** Grouping by larger steps would leave a book with hardly any levels. */
const GROUPINGS_TICKS: ReadonlySet<number> = new Set([1, 10, 100, 1_000, 10_000]);

/**
 * The grouping of a book in ticks. Each value has only one accepted spelling, because each accepted
 * text is another book to keep up to date.
 * @throws FunctionError unless the text is one of the five steps in shortest notation
 */
export function parseGrouping(text: string, market: MarketView): number {
  const { tickSize, priceDecimals } = market;
  const ticks = parseSteps("grouping", "invalidArgument", text, tickSize, priceDecimals);
  if (!GROUPINGS_TICKS.has(ticks)) {
    const complaint = `must be a power of ten times ${tickSize}, up to the fourth`;
    throw wrong("grouping", "invalidArgument", complaint);
  }
  const shortest = trimDecimal(formatPrice(ticks, market));
  if (text !== shortest) throw wrong("grouping", "invalidArgument", `must be written ${shortest}`);
  return ticks;
}

/** A percentage with up to two decimals, of at most 1 000 %, as basis points. */
export function parseBps(text: string): number {
  const bps = parseSteps("percent", "invalidArgument", text, "0.01", 2);
  if (bps > BPS_MAX) throw wrong("percent", "invalidArgument", "may be at most 1000");
  return bps;
}

function parseSteps(
  field: string,
  code: RejectReason | "invalidArgument",
  text: string,
  step: string,
  decimals: number,
): number {
  let units: bigint;
  try {
    units = parseDecimal(text, decimals);
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw wrong(field, code, isDecimal(text) ? multipleOf(step) : error.message);
  }
  if (units <= 0n) throw wrong(field, code, "must be more than 0");
  const stepUnits = parseDecimal(step, decimals);
  if (units % stepUnits !== 0n) throw wrong(field, code, multipleOf(step));
  const steps = units / stepUnits;
  if (steps > BigInt(AMOUNT_MAX)) throw wrong(field, code, "is too large");
  return Number(steps);
}

function wrong(field: string, code: string, complaint: string): FunctionError {
  return new FunctionError({ code, field, message: `${field} ${complaint}.` });
}

export function formatPrice(ticks: number, market: MarketView): string {
  return formatDecimal(
    BigInt(ticks) * parseDecimal(market.tickSize, market.priceDecimals),
    market.priceDecimals,
  );
}

export function formatQuantity(lots: number, market: MarketView): string {
  return formatDecimal(
    BigInt(lots) * parseDecimal(market.lotSize, market.quantityDecimals),
    market.quantityDecimals,
  );
}

/** The order book as rows to draw: running totals, depth shares, spread and grouping steps. */
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
  trimDecimal,
} from "#contract/decimal.ts";
import type { Decimal } from "#contract/types.ts";

export interface BookRow {
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** Sum of the levels from the best price to this row. */
  readonly total: Decimal;
}

export interface Spread {
  readonly amount: Decimal;
  /** Relative to the middle of bid and ask, in percent with three decimals. */
  readonly percent: Decimal;
}

const GROUPINGS_MAX = 5;
/** A larger share of the price as a step would leave a book of two or three rows. */
const GROUPING_PRICE_PART = "0.01";

/** Rows from a flat [price, quantity, …], best first. */
export function readRows(flat: readonly Decimal[]): BookRow[] {
  const rows: BookRow[] = [];
  let total = "0";
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const price = flat[index] ?? "0";
    const quantity = flat[index + 1] ?? "0";
    total = addDecimals(total, quantity);
    rows.push({ price, quantity, total });
  }
  return rows;
}

/** The length of a row's depth bar, 0 to 1. For drawing, hence a float. */
export function depthShare(total: Decimal, deepest: Decimal): number {
  const whole = Number(deepest);
  return whole > 0 ? Math.min(1, Number(total) / whole) : 0;
}

/** The larger of both sides' totals, so that their bars are comparable. */
export function deepestTotal(bids: readonly BookRow[], asks: readonly BookRow[]): Decimal {
  const bid = bids.at(-1)?.total ?? "0";
  const ask = asks.at(-1)?.total ?? "0";
  return compareDecimals(bid, ask) > 0 ? bid : ask;
}

/** null if one side is empty. */
export function spreadOf(bid: Decimal | undefined, ask: Decimal | undefined): Spread | null {
  if (bid === undefined || ask === undefined) return null;
  const amount = subtractDecimals(ask, bid);
  const sum = addDecimals(ask, bid);
  return { amount, percent: divideDecimals(multiplyDecimals(amount, "200"), sum, 3, "nearest") };
}

/** Steps to group levels by: the tick and its powers of ten that still leave a readable book. */
export function groupingSteps(tickSize: Decimal, price: Decimal | null): Decimal[] {
  const steps: Decimal[] = [];
  const largest = price === null ? null : multiplyDecimals(price, GROUPING_PRICE_PART);
  let step = trimDecimal(tickSize);
  while (steps.length < GROUPINGS_MAX) {
    if (steps.length > 0 && largest !== null && compareDecimals(step, largest) > 0) break;
    steps.push(step);
    step = trimDecimal(multiplyDecimals(step, "10"));
  }
  return steps;
}

/** Decimals needed to print multiples of `step`. */
export function stepDecimals(step: Decimal): number {
  return trimDecimal(step).split(".")[1]?.length ?? 0;
}

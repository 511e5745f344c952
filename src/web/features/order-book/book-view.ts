/**
 * Computes the view of the order book: rows with running totals, depth shares, spread, reach and
 * grouping steps.
 */
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
  trimDecimal,
} from "#contract/decimal.ts";
import type { Decimal, Side } from "#contract/types.ts";

export interface BookRow {
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** Total quantity from the best price to this row. */
  readonly total: Decimal;
  /** Cost of the total quantity at the levels' prices, in the quote coin. */
  readonly quoteTotal: Decimal;
}

export interface Spread {
  readonly amount: Decimal;
  /** The spread relative to the mid price, in percent with three decimals. */
  readonly percent: Decimal;
}

/** Levels per side that the imbalance compares, regardless of how many are displayed. */
const COMPARED_LEVELS = 25;
const GROUPINGS_MAX = 5;
/** Upper bound of a grouping step, as a share of the price: larger steps would leave only two or three rows. */
const GROUPING_PRICE_PART = "0.01";

/** Converts a flat list [price, quantity, …], best first, to rows with running totals. */
export function readRows(flat: readonly Decimal[]): BookRow[] {
  const rows: BookRow[] = [];
  let total = "0";
  let quoteTotal = "0";
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const price = flat[index] ?? "0";
    const quantity = flat[index + 1] ?? "0";
    total = addDecimals(total, quantity);
    quoteTotal = addDecimals(quoteTotal, multiplyDecimals(price, quantity));
    rows.push({ price, quantity, total, quoteTotal });
  }
  return rows;
}

/** The length of a row's depth bar, 0 to 1. For drawing, hence a float. */
export function depthShare(total: Decimal, deepest: Decimal): number {
  const whole = Number(deepest);
  return whole > 0 ? Math.min(1, Number(total) / whole) : 0;
}

/**
 * The larger of both sides' totals within the rows in view. Both sides use it as the full length of a
 * bar, so that their bars are comparable.
 */
export function deepestTotal(
  bids: readonly BookRow[],
  asks: readonly BookRow[],
  visible: { readonly bids: number; readonly asks: number },
): Decimal {
  const bid = lastWithin(bids, visible.bids)?.total ?? "0";
  const ask = lastWithin(asks, visible.asks)?.total ?? "0";
  return compareDecimals(bid, ask) > 0 ? bid : ask;
}

function lastWithin(rows: readonly BookRow[], count: number): BookRow | undefined {
  return rows[Math.min(rows.length, count) - 1];
}

/** The exact mid price; null if one side is empty. */
export function midPriceOf(bid: Decimal | undefined, ask: Decimal | undefined): Decimal | null {
  if (bid === undefined || ask === undefined) return null;
  return multiplyDecimals(addDecimals(bid, ask), "0.5");
}

export interface Reach {
  /** Total quantity from the best price to the level. */
  readonly quantity: Decimal;
  readonly quoteTotal: Decimal;
  /** Average price that a market order of this quantity would pay. */
  readonly averagePrice: Decimal;
  /** The level's distance from the mid price, in percent with two decimals; null without a mid price. */
  readonly distance: Decimal | null;
}

/** Quantity, cost and average price of trading through every level down to this one. */
export function reachOf(row: BookRow, midPrice: Decimal | null, priceDecimals: number): Reach {
  const { price, total, quoteTotal } = row;
  const distance =
    midPrice === null
      ? null
      : divideDecimals(
          multiplyDecimals(subtractDecimals(price, midPrice), "100"),
          midPrice,
          2,
          "nearest",
        );
  return {
    quantity: total,
    quoteTotal,
    averagePrice: divideDecimals(quoteTotal, total, priceDecimals, "nearest"),
    distance,
  };
}

/** The bids' share of the total quantity of both sides, in whole percent; null if the book is empty. */
export function bidShareOf(bids: readonly BookRow[], asks: readonly BookRow[]): Decimal | null {
  const bid = lastWithin(bids, COMPARED_LEVELS)?.total ?? "0";
  const sum = addDecimals(bid, lastWithin(asks, COMPARED_LEVELS)?.total ?? "0");
  if (compareDecimals(sum, "0") === 0) return null;
  return divideDecimals(multiplyDecimals(bid, "100"), sum, 0, "nearest");
}

/**
 * The level of a grouped book that contains an order at `price`: bids are rounded down, asks up, as
 * the exchange groups. Without trailing zeros, so compare it with {@link levelKey}.
 */
export function levelOf(price: Decimal, side: Side, step: Decimal): Decimal {
  const steps = divideDecimals(price, step, 0, side === "buy" ? "down" : "up");
  return levelKey(multiplyDecimals(steps, step));
}

/** The canonical text of a price, without trailing zeros. */
export function levelKey(price: Decimal): Decimal {
  return trimDecimal(price);
}

/** Computes the spread; null if one side is empty. */
export function spreadOf(bid: Decimal | undefined, ask: Decimal | undefined): Spread | null {
  if (bid === undefined || ask === undefined) return null;
  const amount = subtractDecimals(ask, bid);
  const sum = addDecimals(ask, bid);
  return { amount, percent: divideDecimals(multiplyDecimals(amount, "200"), sum, 3, "nearest") };
}

/** Available grouping steps: the tick and its powers of ten that leave enough rows. */
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

/** Number of decimals that multiples of `step` have. */
export function stepDecimals(step: Decimal): number {
  return trimDecimal(step).split(".")[1]?.length ?? 0;
}

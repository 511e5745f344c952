import {
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
} from "#contract/decimal.ts";
import type { Decimal, Order } from "#contract/types.ts";

/**
 * The filled share in whole percent, rounded down. A filled order is 100 %, even if a remainder of its
 * total is too small for another lot.
 */
export function filledPercent({
  status,
  quantity,
  quoteAmount,
  filledQuantity,
  filledQuote,
}: Order): number {
  if (status === "filled") return 100;
  const [requested, filled] =
    quantity === null ? [quoteAmount, filledQuote] : [quantity, filledQuantity];
  if (requested === null || compareDecimals(requested, "0") === 0) return 0;
  return Number(divideDecimals(multiplyDecimals(filled, "100"), requested, 0, "down"));
}

export function openQuantity({ quantity, filledQuantity }: Order): Decimal | null {
  return quantity === null ? null : subtractDecimals(quantity, filledQuantity);
}

/** Value of the unfilled quantity at the limit, in the quote coin. */
export function openValue(order: Order): Decimal | null {
  const open = openQuantity(order);
  return open === null || order.price === null ? null : multiplyDecimals(open, order.price);
}

/** The price that applies first: the trigger's, else the limit. */
export function referencePrice({ price, special }: Order): Decimal | null {
  return special?.trigger?.price ?? price;
}

import {
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
} from "#contract/decimal.ts";
import type { Decimal, Order } from "#contract/types.ts";

/**
 * How much of the wish was met, in whole percent, rounded down. A filled order is 100 % even where
 * its total left a rest too small to buy another lot.
 */
export function filledPercent({
  status,
  quantity,
  quoteAmount,
  filledQuantity,
  filledQuote,
}: Order): number {
  if (status === "filled") return 100;
  const [wish, met] = quantity === null ? [quoteAmount, filledQuote] : [quantity, filledQuantity];
  if (wish === null || compareDecimals(wish, "0") === 0) return 0;
  return Number(divideDecimals(multiplyDecimals(met, "100"), wish, 0, "down"));
}

export function openQuantity({ quantity, filledQuantity }: Order): Decimal | null {
  return quantity === null ? null : subtractDecimals(quantity, filledQuantity);
}

/** Value of what is still open at the limit, in the quote coin. */
export function openValue(order: Order): Decimal | null {
  const open = openQuantity(order);
  return open === null || order.price === null ? null : multiplyDecimals(open, order.price);
}

/** The price that decides first what becomes of it: its trigger's, else its limit. */
export function referencePrice({ price, special }: Order): Decimal | null {
  return special?.trigger?.price ?? price;
}

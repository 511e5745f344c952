/** Computes at which price an order's line is drawn, and which field dragging the line changes. */
import type { Decimal, Order } from "#contract/types.ts";

export interface OrderLine {
  /** The order's field that the line's price is; the trigger price of a trailing stop moves by itself. */
  readonly field: "price" | "triggerPrice";
  readonly price: Decimal;
}

const TRAILING_SENTENCE = "Its price follows the market: change its distance instead.";

/** The line of an order; null for an order that has no price yet. */
export function lineOf({ price, special }: Order): OrderLine | null {
  const trigger = special?.waitsFor === undefined ? undefined : special.trigger;
  if (trigger === undefined) return price === null ? null : { field: "price", price };
  return trigger.price === undefined ? null : { field: "triggerPrice", price: trigger.price };
}

/** Why an order's line cannot be moved; null if it can. */
export function whyNotMovable({ special }: Order): string | null {
  const isTrailing = special?.waitsFor !== undefined && special.trigger?.type === "trailingStop";
  return isTrailing ? TRAILING_SENTENCE : null;
}

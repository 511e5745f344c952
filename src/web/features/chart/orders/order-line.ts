/** Computes at which price an order's line is drawn, and which field dragging the line changes. */
import type { Decimal, Order } from "#contract/types.ts";
import { changeableFields, LINKED_SENTENCE } from "../../../session/order-change.ts";

export interface OrderLine {
  /** The order's field that dragging the line changes. */
  readonly field: "price" | "triggerPrice";
  readonly price: Decimal;
}

/**
 * The line of an order; null for a market order, and for a trailing stop, whose price only the engine
 * knows.
 */
export function lineOf({ price, special }: Order): OrderLine | null {
  const trigger = special?.waitsFor === undefined ? undefined : special.trigger;
  if (trigger === undefined) return price === null ? null : { field: "price", price };
  if (trigger.type === "trailingStop" || trigger.price === undefined) return null;
  return { field: "triggerPrice", price: trigger.price };
}

/** Why an order's line cannot be moved; null if it can. */
export function whyNotMovable(order: Order, openOrders: readonly Order[]): string | null {
  const field = lineOf(order)?.field;
  const isChangeable = changeableFields(order, openOrders).some((each) => each === field);
  return isChangeable ? null : LINKED_SENTENCE;
}

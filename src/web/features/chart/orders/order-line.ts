/** The price at which an order is drawn across the chart, and what dragging its line changes. */
import type { Decimal, Order } from "#contract/types.ts";
import { changeableFields, LINKED_SENTENCE } from "../../../session/order-change.ts";

export interface OrderLine {
  /** The field of the order that moving the line changes. */
  readonly field: "price" | "triggerPrice";
  readonly price: Decimal;
}

/** null for a trailing stop, which only the engine can locate, and for a market order. */
export function lineOf({ price, special }: Order): OrderLine | null {
  const trigger = special?.waitsFor === undefined ? undefined : special.trigger;
  if (trigger === undefined) return price === null ? null : { field: "price", price };
  if (trigger.type === "trailingStop" || trigger.price === undefined) return null;
  return { field: "triggerPrice", price: trigger.price };
}

/** Why an order's line cannot be moved; null if it can. */
export function fixedReason(order: Order, openOrders: readonly Order[]): string | null {
  const field = lineOf(order)?.field;
  const isChangeable = changeableFields(order, openOrders).some((each) => each === field);
  return isChangeable ? null : LINKED_SENTENCE;
}

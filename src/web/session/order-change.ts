/**
 * How a change of an open order reaches the exchange: amending it where the engine can, else
 * replacing it by a new order in one step. The same rules as the engine's (docs/order-types.md), so
 * that a page can say beforehand what a change will do.
 */
import type { FunctionArgs } from "convex/server";
import { compareDecimals, subtractDecimals } from "#contract/decimal.ts";
import type { functions } from "#contract/functions.ts";
import type { Decimal, Order } from "#contract/types.ts";

/** New terms; absent ones stay. */
export interface OrderChange {
  readonly price?: Decimal;
  /** The new total, including what is already filled. */
  readonly quantity?: Decimal;
  /** Of a market order that is sized by money. */
  readonly quoteAmount?: Decimal;
  readonly triggerPrice?: Decimal;
  readonly trailBps?: number;
}

export type OrderField = keyof OrderChange;

type AmendArgs = Omit<FunctionArgs<typeof functions.orders.amend>, "validUntil">;
type ReplaceArgs = Omit<FunctionArgs<typeof functions.orders.replace>, "validUntil">;

export type ChangeRequest =
  | { readonly kind: "amend"; readonly args: AmendArgs; readonly keepsPlace: boolean }
  /** Cancels the order and places another, both or neither: it gets a new id. */
  | { readonly kind: "replace"; readonly args: ReplaceArgs }
  | { readonly kind: "impossible"; readonly reason: string };

export const NOTHING_CHANGES = "Nothing changes.";
export const LINKED_SENTENCE =
  "Linked orders depend on each other: cancel them and place them anew to change one.";

/** The fields of an order that can be changed, in the order in which a form shows them. */
export function changeableFields(order: Order, openOrders: readonly Order[]): OrderField[] {
  const link = linkOf(order, openOrders);
  if (link === "dependent") return [];
  const size: OrderField = order.quantity === null ? "quoteAmount" : "quantity";
  if (link === "entry") return [size];
  const trigger = waitingTrigger(order);
  return [
    ...(trigger === undefined
      ? []
      : [trigger.type === "trailingStop" ? ("trailBps" as const) : ("triggerPrice" as const)]),
    ...(order.price === null ? [] : ["price" as const]),
    size,
  ];
}

/**
 * @param openOrders all of the viewer's open orders in its market, which show what it is linked with
 */
export function changeRequest(
  order: Order,
  openOrders: readonly Order[],
  change: OrderChange,
): ChangeRequest {
  const changed = withoutUnchanged(order, change);
  const fields = Object.keys(changed) as OrderField[];
  if (fields.length === 0) return { kind: "impossible", reason: NOTHING_CHANGES };
  const changeable = changeableFields(order, openOrders);
  if (fields.some((field) => !changeable.includes(field))) {
    return { kind: "impossible", reason: LINKED_SENTENCE };
  }
  const { orderId, special } = order;
  const { price, quantity } = changed;
  const isReduced = quantity !== undefined && isLess(quantity, order.quantity);
  // An iceberg's price cannot be amended, and a waiting order is in no book.
  if (special?.waitsFor === undefined && !(special?.display !== undefined && price !== undefined)) {
    const args = { orderId, ...(price && { price }), ...(quantity && { quantity }) };
    return { kind: "amend", args, keepsPlace: price === undefined && isReduced };
  }
  return { kind: "replace", args: { orderId, order: replacement(order, changed) } };
}

/** The order's terms with the changes, for what has not been filled yet. */
function replacement(order: Order, change: OrderChange): ReplaceArgs["order"] {
  const { market, side, type, timeInForce, postOnly, filledQuantity, special = {} } = order;
  const { display, expiresAt, selfTradePrevention } = special;
  const price = change.price ?? order.price;
  const quantity = change.quantity ?? order.quantity;
  const quoteAmount = change.quoteAmount ?? order.quoteAmount;
  return {
    market,
    side,
    type,
    timeInForce,
    ...(type === "limit" && { postOnly }),
    ...(price !== null && { price }),
    ...(quantity !== null && { quantity: subtractDecimals(quantity, filledQuantity) }),
    ...(quantity === null && quoteAmount !== null && { quoteAmount }),
    ...(display !== undefined && { display }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(selfTradePrevention !== undefined && { selfTradePrevention }),
    ...replacedTrigger(order, change),
  };
}

/** A trigger that was reached has done its work. */
function replacedTrigger(
  order: Order,
  { triggerPrice, trailBps }: OrderChange,
): Pick<ReplaceArgs["order"], "trigger"> {
  const trigger = waitingTrigger(order);
  if (trigger === undefined) return {};
  const { type } = trigger;
  if (type === "trailingStop") {
    const distance = trailBps ?? trigger.trailBps;
    return { trigger: { type, ...(distance !== undefined && { trailBps: distance }) } };
  }
  const price = triggerPrice ?? trigger.price;
  return { trigger: { type, ...(price !== undefined && { price }) } };
}

function waitingTrigger({ special }: Order) {
  return special?.waitsFor === "trigger" ? special.trigger : undefined;
}

/**
 * "entry" if open orders wait for it to fill: only its quantity can change. "dependent" if it
 * belongs to a pair of which one ends the other, or waits for another order.
 */
function linkOf(order: Order, openOrders: readonly Order[]): "none" | "entry" | "dependent" {
  const { listId, waitsFor } = order.special ?? {};
  const linked = openOrders.filter(
    (other) =>
      listId !== undefined && other.special?.listId === listId && other.orderId !== order.orderId,
  );
  if (linked.length === 0) return "none";
  if (waitsFor === undefined && linked.every((o) => o.special?.waitsFor === "workingOrder")) {
    return "entry";
  }
  return "dependent";
}

function withoutUnchanged(order: Order, change: OrderChange): OrderChange {
  const trigger = order.special?.trigger;
  const { price, quantity, quoteAmount, triggerPrice, trailBps } = change;
  return {
    ...(price !== undefined && differs(price, order.price) && { price }),
    ...(quantity !== undefined && differs(quantity, order.quantity) && { quantity }),
    ...(quoteAmount !== undefined && differs(quoteAmount, order.quoteAmount) && { quoteAmount }),
    ...(triggerPrice !== undefined &&
      differs(triggerPrice, trigger?.price ?? null) && { triggerPrice }),
    ...(trailBps !== undefined && trailBps !== trigger?.trailBps && { trailBps }),
  };
}

function differs(next: Decimal, now: Decimal | null): boolean {
  return now === null || compareDecimals(next, now) !== 0;
}

function isLess(next: Decimal, now: Decimal | null): boolean {
  return now !== null && compareDecimals(next, now) < 0;
}

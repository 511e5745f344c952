/**
 * Turns a change of an open order into a request: an amendment if the engine can amend the order,
 * otherwise an atomic replacement by a new order. Follows the engine's rules (docs/order-types.md),
 * so that a page can announce the effect in advance.
 */
import type { FunctionArgs } from "convex/server";
import { compareDecimals, subtractDecimals } from "#contract/decimal.ts";
import type { functions } from "#contract/functions.ts";
import type { Decimal, Order } from "#contract/types.ts";

/** The changed terms of an order; absent fields keep their value. */
export interface OrderChange {
  readonly price?: Decimal;
  /** The new total quantity, including what is already filled. */
  readonly quantity?: Decimal;
  /** For a market order sized in the quote coin. */
  readonly quoteAmount?: Decimal;
  readonly triggerPrice?: Decimal;
  readonly trailBps?: number;
}

export type OrderField = keyof OrderChange;

type AmendArgs = Omit<FunctionArgs<typeof functions.orders.amend>, "validUntil">;
type ReplaceArgs = Omit<FunctionArgs<typeof functions.orders.replace>, "validUntil">;

export type ChangeRequest =
  | { readonly kind: "amend"; readonly args: AmendArgs; readonly keepsPlace: boolean }
  /** Cancels the order and places another atomically; the new order gets a new id. */
  | { readonly kind: "replace"; readonly args: ReplaceArgs }
  | { readonly kind: "impossible"; readonly reason: string };

export const NOTHING_CHANGES = "Nothing changes.";
export const LINKED_SENTENCE =
  "Linked orders depend on each other: cancel them and place them anew to change one.";

/** The order's changeable fields, in the order of the form. */
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
 * The request for a change of an order.
 * @param openOrders all of the viewer's open orders in its market, to find linked orders
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

/** The order with the changed terms, for the quantity that is not filled yet. */
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

/** The trigger of the replacement; none if the order's trigger was already reached. */
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
 * How an order is linked: "entry" if open orders wait for it to fill, so that only its quantity can
 * change; "dependent" if it waits for another order, or if one of a pair ends the other.
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

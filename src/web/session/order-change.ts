/**
 * Turns a change of an open order into an amendment, which the order survives with its id. Follows the
 * engine's rules (docs/order-types.md), so that a page can announce the effect in advance.
 */
import type { FunctionArgs } from "convex/server";
import { compareDecimals } from "#contract/decimal.ts";
import type { functions } from "#contract/functions.ts";
import type { Decimal, Order } from "#contract/types.ts";

/** The changed terms of an order; absent fields keep their value. */
export interface OrderChange {
  readonly price?: Decimal;
  /** The new total quantity, including the filled part. */
  readonly quantity?: Decimal;
  /** For a market order sized in the quote coin. */
  readonly quoteAmount?: Decimal;
  readonly triggerPrice?: Decimal;
  readonly trailBps?: number;
}

export type OrderField = keyof OrderChange;

type AmendArgs = Omit<FunctionArgs<typeof functions.orders.amend>, "validUntil">;

/** The effect of an amendment on the order's place in the queue of its price; "waits" if it is in none. */
export type ChangeEffect = "keepsPlace" | "losesPlace" | "waits";

export type ChangeRequest =
  | { readonly kind: "amend"; readonly args: AmendArgs; readonly effect: ChangeEffect }
  | { readonly kind: "impossible"; readonly reason: string };

export const NOTHING_CHANGES = "Nothing changes.";
/** Describes an order at the market, without a trigger, for the proceeds of its entry order. */
export const FOLLOWS_SENTENCE =
  "This order follows its entry order in everything: change that one, or cancel both.";

/** The order's changeable fields, in the order of the form. */
export function changeableFields({ price, quantity, quoteAmount, special }: Order): OrderField[] {
  const trigger = special?.waitsFor === undefined ? undefined : special.trigger;
  return [
    ...(trigger === undefined
      ? []
      : [trigger.type === "trailingStop" ? ("trailBps" as const) : ("triggerPrice" as const)]),
    ...(price === null ? [] : ["price" as const]),
    ...(quantity === null ? [] : ["quantity" as const]),
    ...(quoteAmount === null ? [] : ["quoteAmount" as const]),
  ];
}

export function changeRequest(order: Order, change: OrderChange): ChangeRequest {
  const changed = withoutUnchanged(order, change);
  const fields = Object.keys(changed);
  if (fields.length === 0) return { kind: "impossible", reason: NOTHING_CHANGES };
  return {
    kind: "amend",
    args: { orderId: order.orderId, ...changed },
    effect: effectOf(order, changed),
  };
}

function effectOf({ quantity: now, special }: Order, { price, quantity }: OrderChange) {
  if (special?.waitsFor !== undefined) return "waits";
  const isReduced = quantity !== undefined && now !== null && compareDecimals(quantity, now) < 0;
  return price === undefined && isReduced ? "keepsPlace" : "losesPlace";
}

/**
 * The other order of an OCO pair, live or waiting for its entry order: both have one quantity.
 * @param openOrders all of the viewer's open orders in the order's market
 */
export function pairedOrder(order: Order, openOrders: readonly Order[]): Order | undefined {
  const isPending = ({ special }: Order) => special?.waitsFor === "workingOrder";
  const listId = order.special?.listId;
  if (listId === undefined) return undefined;
  return openOrders.find(
    (other) =>
      other.orderId !== order.orderId &&
      other.special?.listId === listId &&
      isPending(other) === isPending(order),
  );
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

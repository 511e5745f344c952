/**
 * What the viewer has asked of orders and the exchange has not answered yet. Pages mark it as
 * pending and change nothing else: what an order is, and what is available, comes from the exchange
 * alone. A refusal takes the mark away.
 */
import { useSyncExternalStore } from "react";
import type { NamedOrder } from "#contract/order-words.ts";
import type { Order } from "#contract/types.ts";

export type PendingChange = "cancel" | "change";

/** An order as it was sent; it has no number yet. */
export type SentOrder = NamedOrder & Pick<Order, "market" | "quantity" | "quoteAmount">;

export interface PendingPlacement {
  readonly id: number;
  readonly orders: readonly SentOrder[];
  /** There was no answer in time: the order may have been placed. */
  readonly isUncertain: boolean;
}

interface Pending {
  /** By order number. */
  readonly changes: ReadonlyMap<string, PendingChange>;
  /** Oldest first. */
  readonly placements: readonly PendingPlacement[];
}

/** Most answers are faster: their orders never appear as pending. */
const SHOWN_AFTER_MS = 150;
const NOTHING: Pending = { changes: new Map(), placements: [] };

let pending = NOTHING;
let sent = 0;
const changing = new Set<{
  readonly orderIds: readonly string[];
  readonly change: PendingChange;
}>();
const placing = new Map<number, PendingPlacement>();
const listeners = new Set<() => void>();

function announce(): void {
  const changes = new Map<string, PendingChange>();
  for (const { orderIds, change } of changing) {
    for (const orderId of orderIds) changes.set(orderId, change);
  }
  pending = { changes, placements: [...placing.values()] };
  for (const listener of listeners) listener();
}

/** Marks the orders until the request is answered. */
export async function whileChanging<Answer>(
  orderIds: readonly string[],
  change: PendingChange,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const mark = { orderIds, change };
  changing.add(mark);
  announce();
  try {
    return await send();
  } finally {
    changing.delete(mark);
    announce();
  }
}

/**
 * Lists the orders as being sent until the request is answered.
 * @param send gets what it calls if there is no answer in time
 */
export async function whilePlacing<Answer>(
  orders: readonly SentOrder[],
  send: (onUncertain: () => void) => Promise<Answer>,
): Promise<Answer> {
  sent += 1;
  const id = sent;
  const list = (isUncertain: boolean) => {
    placing.set(id, { id, orders, isUncertain });
    announce();
  };
  const timer = setTimeout(() => list(false), SHOWN_AFTER_MS);
  try {
    return await send(() => list(true));
  } finally {
    clearTimeout(timer);
    if (placing.delete(id)) announce();
  }
}

export function currentPending(): Pending {
  return pending;
}

export function usePending(): Pending {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    currentPending,
    () => NOTHING,
  );
}

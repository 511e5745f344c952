/**
 * The viewer's requests for orders that the exchange has not answered yet. Pages mark the orders as
 * pending and change nothing else: orders and balances come from the exchange alone. A refusal
 * removes the mark.
 */
import type { NamedOrder } from "#contract/order-words.ts";
import type { Order } from "#contract/types.ts";
import { sharedValue, useSharedValue } from "../ui/shared-value.ts";

export type PendingChange = "cancel" | "change";

/** A new order as sent; the exchange has not assigned an id yet. */
export type SentOrder = NamedOrder & Pick<Order, "market" | "quantity" | "quoteAmount">;

export interface PendingPlacement {
  readonly id: number;
  readonly orders: readonly SentOrder[];
  /** Whether the time limit passed without an answer: the order may have been placed. */
  readonly isUncertain: boolean;
}

interface Pending {
  /** Changes and cancellations by order id. */
  readonly changes: ReadonlyMap<string, PendingChange>;
  /** New orders, oldest first. */
  readonly placements: readonly PendingPlacement[];
}

/** Delay before a new order is shown as pending; most answers arrive sooner. */
const SHOWN_AFTER_MS = 150;

export const pendingRequests = sharedValue<Pending>({ changes: new Map(), placements: [] });

let sent = 0;
const changing = new Set<{
  readonly orderIds: readonly string[];
  readonly change: PendingChange;
}>();
const placing = new Map<number, PendingPlacement>();

function announce(): void {
  const changes = new Map<string, PendingChange>();
  for (const { orderIds, change } of changing) {
    for (const orderId of orderIds) changes.set(orderId, change);
  }
  pendingRequests.set({ changes, placements: [...placing.values()] });
}

/** Marks the orders as pending until the request is answered. */
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
 * Shows the new orders as pending until the request is answered.
 * @param send sends them; calls its argument if there is no answer in time
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

export function usePending(): Pending {
  return useSharedValue(pendingRequests);
}

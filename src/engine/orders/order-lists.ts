/**
 * Orders that depend on each other. A list with a working order holds pending ones back until that
 * has filled; a list without is a live pair of a limit order and a trigger order, of which the one
 * ends the other. What a list does when one of its orders trades or ends is in ending.ts.
 *
 * Invariants: the orders of a list are of one account and one market; an order is in at most one
 * list; a list has at least one open order.
 */
import type { SnapshotReader, SnapshotWriter } from "../formats/snapshot.ts";
import type { StateHash } from "../formats/state-hash.ts";

/** Lists at one time over all markets. */
export const LISTS_MAX = 1 << 18;

export interface OrderList {
  readonly listId: number;
  readonly marketId: number;
  /** 0 where there is none, or it has filled. */
  workingOrderId: number;
  /** The pending ones, or the limit order and the trigger order of a pair. */
  readonly otherOrderIds: readonly number[];
  /** What the working order received so far, after its fees. */
  receivedAmount: number;
}

type Lists = Map<number, OrderList>;

function inOrder(lists: Lists): OrderList[] {
  return [...lists.values()].toSorted((a, b) => a.listId - b.listId);
}

export function addLists(hash: StateHash, lists: Lists): void {
  hash.number(lists.size);
  for (const list of inOrder(lists)) {
    hash.number(list.listId);
    hash.number(list.marketId);
    hash.number(list.workingOrderId);
    for (const orderId of list.otherOrderIds) hash.number(orderId);
    hash.number(list.receivedAmount);
  }
}

export function writeLists(snapshot: SnapshotWriter, lists: Lists): void {
  snapshot.part("order lists");
  snapshot.int(lists.size);
  for (const list of inOrder(lists)) {
    snapshot.number(list.listId);
    snapshot.int(list.marketId);
    snapshot.number(list.workingOrderId);
    snapshot.int(list.otherOrderIds.length);
    for (const orderId of list.otherOrderIds) snapshot.number(orderId);
    snapshot.number(list.receivedAmount);
  }
}

export function readLists(snapshot: SnapshotReader, lists: Lists): void {
  snapshot.part("order lists");
  const count = snapshot.count(40);
  for (let index = 0; index < count; index++) {
    const listId = snapshot.number();
    const marketId = snapshot.int();
    const workingOrderId = snapshot.number();
    const others = snapshot.count(8);
    const otherOrderIds = Array.from({ length: others }, () => snapshot.number());
    const receivedAmount = snapshot.number();
    lists.set(listId, { listId, marketId, workingOrderId, otherOrderIds, receivedAmount });
  }
}

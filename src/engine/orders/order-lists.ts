/**
 * Orders that depend on each other. A list with a working order holds pending ones back until that
 * has filled; a list without one is a live pair of a limit order and a trigger order, either of
 * which ends the other. The reaction of a list to the trade or end of one of its orders is in ending.ts.
 *
 * Invariants: the orders of a list are of one account and one market; an order is in at most one
 * list; a list has at least one open order.
 */
import { RecordPart } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";

/** The maximum of lists at one time over all markets. */
export const LISTS_MAX = 1 << 18;

export interface OrderList {
  readonly listId: number;
  readonly marketId: number;
  /** The id of the working order; 0 if the list has none, or it has filled. */
  workingOrderId: number;
  /** The pending orders, or the limit order and the trigger order of a pair. */
  readonly otherOrderIds: readonly number[];
  /** The working order's proceeds so far, after fees. */
  receivedAmount: number;
}

const ORDER_LISTS = new RecordPart<OrderList>("order lists", {
  listId: "number",
  marketId: "int",
  workingOrderId: "number",
  otherOrderIds: "numbers",
  receivedAmount: "number",
});

type Lists = Map<number, OrderList>;

export function writeLists(to: StateWriter, lists: Lists): void {
  const inOrder = [...lists.values()].toSorted((a, b) => a.listId - b.listId);
  ORDER_LISTS.writePartTo(to, inOrder);
}

export function readLists(snapshot: SnapshotReader, lists: Lists): void {
  for (const list of ORDER_LISTS.readPartFrom(snapshot)) lists.set(list.listId, list);
}

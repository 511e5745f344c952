/**
 * What is still to end of markets that closed and accounts that were frozen (mass-cancels.ts): part of the
 * state. Never: whose orders end when.
 */
import { RecordFormat } from "../formats/record-format.ts";
import type { SnapshotReader, SnapshotWriter } from "../formats/snapshot.ts";
import type { StateHash } from "../formats/state-hash.ts";

export interface PendingMassCancel {
  /** Whose orders are next. */
  account: number;
  readonly lastAccount: number;
  /** 0 for all markets. */
  readonly marketId: number;
  readonly upToOrderId: number;
  /** Why the orders end: a code of end-codes.ts. */
  readonly reason: number;
}

const MASS_CANCEL = new RecordFormat<PendingMassCancel>({
  account: "int",
  lastAccount: "int",
  marketId: "int",
  upToOrderId: "number",
  reason: "int",
});

/** Whether the market has closed and still has orders that are to end. */
export function isEndingOrders(
  { massCancels }: { readonly massCancels: readonly PendingMassCancel[] },
  marketId: number,
): boolean {
  return massCancels.some((each) => each.marketId === marketId);
}

/** In the order in which they are continued; nothing if there is none, so that hashes of before stay. */
export function addMassCancels(hash: StateHash, massCancels: readonly PendingMassCancel[]): void {
  if (massCancels.length > 0) MASS_CANCEL.addAllTo(hash, massCancels);
}

export function writeMassCancels(
  snapshot: SnapshotWriter,
  massCancels: readonly PendingMassCancel[],
): void {
  snapshot.part("mass cancels");
  MASS_CANCEL.writeAllTo(snapshot, massCancels);
}

export function readMassCancels(snapshot: SnapshotReader, massCancels: PendingMassCancel[]): void {
  snapshot.part("mass cancels");
  massCancels.push(...MASS_CANCEL.readAllFrom(snapshot));
}

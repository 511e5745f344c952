/**
 * What is still to end of markets that closed and accounts that were frozen (mass-cancels.ts): part of the
 * state. Never: whose orders end when.
 */
import { RecordFormat } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";

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

/** In the order in which they are continued; in a hash nothing if there is none, so that those of before stay. */
export function writeMassCancels(to: StateWriter, massCancels: readonly PendingMassCancel[]): void {
  if (to.isHash && massCancels.length === 0) return;
  to.part("mass cancels");
  MASS_CANCEL.writeAllTo(to, massCancels);
}

export function readMassCancels(snapshot: SnapshotReader, massCancels: PendingMassCancel[]): void {
  snapshot.part("mass cancels");
  massCancels.push(...MASS_CANCEL.readAllFrom(snapshot));
}

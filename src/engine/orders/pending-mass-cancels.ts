/**
 * What is still to end of markets that closed and accounts that were frozen (mass-cancels.ts): part of the
 * state. Never: whose orders end when.
 */
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

/** Whether the market has closed and still has orders that are to end. */
export function isEndingOrders(
  { massCancels }: { readonly massCancels: readonly PendingMassCancel[] },
  marketId: number,
): boolean {
  return massCancels.some((each) => each.marketId === marketId);
}

/** In the order in which they are continued; nothing if there is none, so that hashes of before stay. */
export function addMassCancels(hash: StateHash, massCancels: readonly PendingMassCancel[]): void {
  if (massCancels.length === 0) return;
  hash.number(massCancels.length);
  for (const { account, lastAccount, marketId, upToOrderId, reason } of massCancels) {
    hash.number(account);
    hash.number(lastAccount);
    hash.number(marketId);
    hash.number(upToOrderId);
    hash.number(reason);
  }
}

export function writeMassCancels(
  snapshot: SnapshotWriter,
  massCancels: readonly PendingMassCancel[],
): void {
  snapshot.part("mass cancels");
  snapshot.int(massCancels.length);
  for (const { account, lastAccount, marketId, upToOrderId, reason } of massCancels) {
    snapshot.int(account);
    snapshot.int(lastAccount);
    snapshot.int(marketId);
    snapshot.number(upToOrderId);
    snapshot.int(reason);
  }
}

export function readMassCancels(snapshot: SnapshotReader, massCancels: PendingMassCancel[]): void {
  snapshot.part("mass cancels");
  const count = snapshot.count(24);
  for (let index = 0; index < count; index++) {
    massCancels.push({
      account: snapshot.int(),
      lastAccount: snapshot.int(),
      marketId: snapshot.int(),
      upToOrderId: snapshot.number(),
      reason: snapshot.int(),
    });
  }
}

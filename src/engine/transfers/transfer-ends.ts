/** Which statuses end a transfer, and which wait for a second administrator, for the engine and for folds of its events. */
import type { TransferStatus } from "./transfer-terms.ts";

/** Whether the transfer did not happen, and its hold was released. */
export function hasFailed(status: TransferStatus): boolean {
  return status === "rejected" || status === "cancelled" || status === "returned";
}

/** Whether no further status follows. */
export function hasEnded(status: TransferStatus): boolean {
  return status === "credited" || status === "settled" || hasFailed(status);
}

/** Whether one administrator has decided and a second one is needed. */
export function isHalfDecided(status: TransferStatus): boolean {
  return (
    status === "recorded" ||
    status === "approvedOnce" ||
    status === "rejectedOnce" ||
    status === "returnedOnce"
  );
}

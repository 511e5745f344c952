/**
 * The statuses that end a transfer, and those that concern administrators alone, for the engine and
 * for folds of its events.
 */
import type { TransferStatus } from "./transfer-terms.ts";

/** Whether the transfer did not happen, and its hold was released. */
export function hasFailed(status: TransferStatus): boolean {
  return (
    status === "rejected" || status === "cancelled" || status === "returned" || status === "expired"
  );
}

/** Whether no further status follows. */
export function hasEnded(status: TransferStatus): boolean {
  return status === "credited" || status === "settled" || hasFailed(status);
}

/**
 * Whether the status does not concern the owner: a second administrator is needed, or one has claimed
 * the payment.
 */
export function isAmongAdministrators(status: TransferStatus): boolean {
  return (
    status === "recorded" ||
    status === "approvedOnce" ||
    status === "paying" ||
    status === "rejectedOnce" ||
    status === "returnedOnce"
  );
}

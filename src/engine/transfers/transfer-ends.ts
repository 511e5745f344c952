/** How a transfer ends, for the engine and for what is folded from its events. */
import type { TransferStatus } from "./transfer-terms.ts";

/** It did not happen: what it held was released. */
export function hasFailed(status: TransferStatus): boolean {
  return status === "rejected" || status === "cancelled" || status === "returned";
}

/** No step follows. */
export function hasEnded(status: TransferStatus): boolean {
  return status === "credited" || status === "settled" || hasFailed(status);
}

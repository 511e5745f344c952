import { useCallback } from "react";
import { useCutOff } from "./connection.ts";
import { usePending } from "./pending-requests.ts";

/** A short text about an order's pending request, such as its cancellation; null if none. */
export function usePendingNote(): (orderId: string) => string | null {
  const { changes } = usePending();
  const isCutOff = useCutOff() !== null;
  return useCallback(
    (orderId) => {
      const change = changes.get(orderId);
      if (change === undefined) return null;
      if (change === "change") return "Changing…";
      return isCutOff ? "Cancelled as soon as the connection is back." : "Cancelling…";
    },
    [changes, isCutOff],
  );
}

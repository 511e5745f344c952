import { useCallback } from "react";
import { useCutOff } from "./connection.ts";
import { usePending } from "./pending-requests.ts";

/** What is on its way for an order, in a few words; null for nothing. */
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

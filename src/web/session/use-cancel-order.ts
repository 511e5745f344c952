import { useMutation } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import { usePending, whileChanging } from "./pending-requests.ts";
import { useRequests } from "./requests.ts";

/**
 * Cancels an order, for every place that offers it. While the answer is missing the order is marked
 * in all of them; a refusal, such as "already filled", appears as a toast.
 */
export function useCancelOrder(orderId: string) {
  const requests = useRequests();
  const { changes } = usePending();
  const { mutate } = useMutation({
    mutationFn: () =>
      whileChanging([orderId], "cancel", () =>
        requests.sendWhenConnected(functions.orders.cancel, { orderId }),
      ),
  });
  return {
    isCancelling: changes.get(orderId) === "cancel",
    cancel: () => mutate(),
  };
}

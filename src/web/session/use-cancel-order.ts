import { useMutation } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import { usePending, whileChanging } from "./pending-requests.ts";
import { useRequests } from "./requests.ts";

/**
 * The mutation that cancels an order. Until the answer arrives, the order is marked as pending
 * everywhere; a refusal, such as "already filled", appears as a toast.
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

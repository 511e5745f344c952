import { useMutation } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import type { Order, PlaceOrderResult } from "#contract/types.ts";
import { whileChanging } from "./pending-requests.ts";
import { changeRequest, type OrderChange } from "./order-change.ts";
import { type Requests, useRequests } from "./requests.ts";

interface Amendment {
  readonly order: Order;
  readonly change: OrderChange;
}

/** The order cannot be changed in this way; the message tells the user what to do instead. */
class ImpossibleChangeError extends Error {
  override readonly name = "ImpossibleChangeError";
}

/**
 * The mutation that amends an open order, for tables and charts. Resolves to the order with its new
 * terms. The caller shows errors with `errorSentence`: they do not appear as toasts.
 */
export function useAmendOrder() {
  const requests = useRequests();
  return useMutation({
    mutationFn: (amendment: Amendment) =>
      whileChanging([amendment.order.orderId], "change", () => amendOrder(requests, amendment)),
    meta: { shownInPlace: () => true },
  });
}

async function amendOrder(
  requests: Pick<Requests, "send">,
  { order, change }: Amendment,
): Promise<PlaceOrderResult> {
  const request = changeRequest(order, change);
  if (request.kind === "amend") return await requests.send(functions.orders.amend, request.args);
  throw new ImpossibleChangeError(request.reason);
}

import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market, Order } from "#contract/types.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { whilePlacing } from "../../session/pending-requests.ts";
import { NotSentError, type Requests, useRequests } from "../../session/requests.ts";
import { showToast, toastError } from "../../ui/toast.ts";
import type { Outcome } from "./outcome.ts";
import type { TicketRequest } from "./order-request.ts";
import { ordersOf } from "./request-orders.ts";
import { type Submission, submissionOf } from "./submission.ts";

const UNCERTAIN = "We do not know yet whether it was placed; checking…";

/**
 * Sends orders and reports their results.
 * @param isRefusalShown whether the ticket itself shows why the sent order was refused
 */
export function usePlaceOrder(
  market: Market,
  onAccepted: () => void,
  isRefusalShown: () => boolean,
) {
  const requests = useRequests();
  const [isUncertain, setIsUncertain] = useState(false);
  const submission = useRef<Submission | null>(null);
  const mutation = useMutation({
    mutationFn: (request: TicketRequest) => {
      const { clientOrderIds } = (submission.current = submissionOf(
        request,
        submission.current,
        () => crypto.randomUUID(),
      ));
      return whilePlacing(ordersOf(request, market), (onUncertain) =>
        sendRequest(requests, request, clientOrderIds, () => {
          setIsUncertain(true);
          onUncertain();
        }),
      );
    },
    meta: { shownInPlace: () => true },
    onSuccess: (order) => {
      submission.current = null;
      onAccepted();
      void describe(order, market).then(({ kind, title, detail }) =>
        showToast(kind, title, detail),
      );
    },
    onError: (error) => {
      if (isRefusalShown()) return;
      toastError(
        error instanceof NotSentError ? "The order was not sent" : "The order was refused",
        errorSentence(error),
      );
    },
    onSettled: () => setIsUncertain(false),
  });
  return {
    isSending: mutation.isPending,
    /** The warning to show while the order's result is unknown. */
    doubt: isUncertain ? UNCERTAIN : null,
    refusal: mutation.error === null ? null : errorSentence(mutation.error),
    send(request: TicketRequest): void {
      if (!mutation.isPending) mutation.mutate(request);
    },
  };
}

/**
 * Describes the placed order. The texts load with the first order; if they fail to load, a general
 * sentence is used.
 */
async function describe(order: Order, market: Market): Promise<Outcome> {
  try {
    const { outcomeOf } = await import("./outcome.ts");
    return outcomeOf({ order }, market);
  } catch {
    return { kind: "success", title: "Order accepted", detail: "It is among your orders." };
  }
}

/** @returns the placed order; for a list, its first order */
async function sendRequest(
  requests: Requests,
  request: TicketRequest,
  clientOrderIds: readonly string[],
  onUncertain: () => void,
) {
  if (request.kind === "order") {
    const [clientOrderId] = clientOrderIds;
    const order = { ...request.order, clientOrderId };
    return (await requests.send(functions.orders.place, order, onUncertain)).order;
  }
  const { list } = request;
  const orders = list.orders.map((order, index) => ({
    ...order,
    clientOrderId: clientOrderIds[index],
  }));
  const placed = await requests.send(functions.orders.placeList, { ...list, orders }, onUncertain);
  const [first] = placed.orders;
  if (first === undefined) throw new Error("a list was placed without orders");
  return first;
}

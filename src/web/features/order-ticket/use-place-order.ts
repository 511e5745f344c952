import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { functions, type PlaceOrderArgs } from "#contract/functions.ts";
import type { Market } from "#contract/types.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { NotSentError, useRequests } from "../../session/requests.ts";
import { showToast, toastError } from "../../ui/toast.ts";
import { outcomeOf } from "./outcome.ts";
import { type Submission, submissionOf } from "./submission.ts";

const UNCERTAIN = "We do not know yet whether it was placed; checking…";

/** Sends orders and tells what became of them. */
export function usePlaceOrder(market: Market, onAccepted: () => void) {
  const requests = useRequests();
  const [isUncertain, setIsUncertain] = useState(false);
  const submission = useRef<Submission | null>(null);
  const mutation = useMutation({
    mutationFn: (order: PlaceOrderArgs) =>
      requests.send(functions.orders.place, order, () => setIsUncertain(true)),
    meta: { shownInPlace: () => true },
    onSuccess: (result) => {
      submission.current = null;
      onAccepted();
      const { kind, title, detail } = outcomeOf(result, market);
      showToast(kind, title, detail);
    },
    onError: (error) =>
      toastError(
        error instanceof NotSentError ? "The order was not sent" : "The order was refused",
        errorSentence(error),
      ),
    onSettled: () => setIsUncertain(false),
  });
  return {
    isSending: mutation.isPending,
    /** Said while it is not known what became of the order. */
    doubt: isUncertain ? UNCERTAIN : null,
    refusal: mutation.error === null ? null : errorSentence(mutation.error),
    send(order: Omit<PlaceOrderArgs, "clientOrderId">): void {
      if (mutation.isPending) return;
      submission.current = submissionOf(order, submission.current, () => crypto.randomUUID());
      mutation.mutate({ ...order, clientOrderId: submission.current.clientOrderId });
    },
  };
}

import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { functions, type PlaceOrderArgs } from "#contract/functions.ts";
import type { Market } from "#contract/types.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { useBackend } from "../../session/use-backend.ts";
import { showToast, toastError } from "../../ui/toast.ts";
import { outcomeOf } from "./outcome.ts";
import { type Submission, submissionOf } from "./submission.ts";

/** Sends orders and tells what became of them. */
export function usePlaceOrder(market: Market, onAccepted: () => void) {
  const backend = useBackend();
  const submission = useRef<Submission | null>(null);
  const mutation = useMutation({
    mutationFn: (order: PlaceOrderArgs) => backend.mutation(functions.orders.place, order),
    meta: { reportsItself: true },
    onSuccess: (result) => {
      submission.current = null;
      onAccepted();
      const { kind, title, detail } = outcomeOf(result, market);
      showToast(kind, title, detail);
    },
    onError: (error) => toastError("The order was refused", errorSentence(error)),
  });
  return {
    isSending: mutation.isPending,
    refusal: mutation.error === null ? null : errorSentence(mutation.error),
    send(order: Omit<PlaceOrderArgs, "clientOrderId">): void {
      if (mutation.isPending) return;
      submission.current = submissionOf(order, submission.current, () => crypto.randomUUID());
      mutation.mutate({ ...order, clientOrderId: submission.current.clientOrderId });
    },
  };
}

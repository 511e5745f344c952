import { errorSentence } from "./error-sentence.ts";

/** Every failed mutation that nobody else reports appears as a toast. */
export function showMutationError(
  error: unknown,
  _variables: unknown,
  _context: unknown,
  mutation: { readonly meta?: Record<string, unknown> | undefined },
): void {
  if (mutation.meta?.["reportsItself"] === true) return;
  // Loaded when needed: the first page does not pay for it.
  void import("sonner").then(({ toast }) => toast.error(errorSentence(error)));
}

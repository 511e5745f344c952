import { toastError } from "../ui/toast.ts";
import { errorSentence } from "./error-sentence.ts";

/** Every failed mutation that nobody else reports appears as a toast. */
export function showMutationError(
  error: unknown,
  _variables: unknown,
  _context: unknown,
  mutation: { readonly meta?: Record<string, unknown> | undefined },
): void {
  if (mutation.meta?.["reportsItself"] === true) return;
  toastError(errorSentence(error));
}

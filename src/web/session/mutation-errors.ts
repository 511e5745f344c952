import type { MutationMeta } from "@tanstack/react-query";
import { toastError } from "../ui/toast.ts";
import { errorSentence } from "./error-sentence.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** Which errors the page shows in place; all others are shown as toasts. */
      readonly shownInPlace?: (error: Error) => boolean;
    };
  }
}

/** Every failed mutation that the page does not show in place is shown as a toast. */
export function showMutationError(
  error: Error,
  _variables: unknown,
  _context: unknown,
  { meta }: { readonly meta?: MutationMeta | undefined },
): void {
  if (meta?.shownInPlace?.(error) === true) return;
  toastError(errorSentence(error));
}

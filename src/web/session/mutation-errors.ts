import type { MutationMeta } from "@tanstack/react-query";
import { toastError } from "../ui/toast.ts";
import { errorSentence } from "./error-sentence.ts";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** Whether the page shows the error in place; other errors are shown as toasts. */
      readonly shownInPlace?: (error: Error) => boolean;
    };
  }
}

/** Shows a failed mutation as a toast, unless the page shows its error in place. */
export function showMutationError(
  error: Error,
  _variables: unknown,
  _context: unknown,
  { meta }: { readonly meta?: MutationMeta | undefined },
): void {
  if (meta?.shownInPlace?.(error) === true) return;
  toastError(errorSentence(error));
}

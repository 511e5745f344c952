/**
 * Tracks the state that would be lost by leaving the page: unsaved entries, and unanswered requests to the
 * exchange. Forms register here, and the guard of the page shell (leave-guard.tsx) asks for all of
 * them; the public site has no forms. The order ticket and other forms of one or two numbers, sign-in
 * and dialogs for a password or a code do not register: their entries are quickly retyped, and asking at
 * every step would be worse. test/repository/unsaved-forms.test.ts lists them.
 */
import { useEffect, useId } from "react";
import { sharedValue, useSharedValue } from "../ui/shared-value.ts";

const unsaved = new Set<string>();
const hasUnsaved = sharedValue(false);

function mark(id: string, isDirty: boolean): void {
  if (isDirty) unsaved.add(id);
  else unsaved.delete(id);
  hasUnsaved.set(unsaved.size > 0);
}

/** @param isDirty whether leaving would lose entries of the calling form */
export function useUnsavedChanges(isDirty: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!isDirty) return undefined;
    mark(id, true);
    return () => mark(id, false);
  }, [id, isDirty]);
}

export function useHasUnsavedChanges(): boolean {
  return useSharedValue(hasUnsaved);
}

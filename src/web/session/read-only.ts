import { useRouteContext } from "@tanstack/react-router";

/** Why nothing can be changed while an administrator views as another user. */
export const READ_ONLY_SENTENCE = "You are viewing as another user; changes are disabled.";

/** Whether the viewer may not change anything. */
export function useIsReadOnly(): boolean {
  return useRouteContext({ from: "__root__" }).impersonation !== null;
}

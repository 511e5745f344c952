import { useRouteContext } from "@tanstack/react-router";

/** Why nothing can be changed while an administrator views the pages as somebody else. */
export const READ_ONLY_SENTENCE = "You are viewing as another user; changes are disabled.";

/** Whether the viewer may look and change nothing. */
export function useIsReadOnly(): boolean {
  return useRouteContext({ from: "__root__" }).impersonation !== null;
}

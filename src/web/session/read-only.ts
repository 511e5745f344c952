import { useRouteContext } from "@tanstack/react-router";

/** Shown where changes are disabled because an administrator views as another user. */
export const READ_ONLY_SENTENCE = "You are viewing as another user; changes are disabled.";

/** Whether changes are disabled for the viewer. */
export function useIsReadOnly(): boolean {
  return useRouteContext({ from: "__root__" }).impersonation !== null;
}

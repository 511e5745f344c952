import { useRouteContext } from "@tanstack/react-router";

/** Whether the page was rendered for a user; otherwise no user data is requested. */
export function useIsSignedIn(): boolean {
  return useRouteContext({ from: "__root__", select: ({ userId }) => userId !== null });
}

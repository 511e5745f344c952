import { useRouteContext } from "@tanstack/react-router";

/** Whether the page was rendered for a signed-in user; otherwise it requests no user data. */
export function useIsSignedIn(): boolean {
  return useRouteContext({ from: "__root__", select: ({ userId }) => userId !== null });
}

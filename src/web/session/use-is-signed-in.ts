import { useRouteContext } from "@tanstack/react-router";

/** Whether the page was made for a user; what belongs to users is never asked for otherwise. */
export function useIsSignedIn(): boolean {
  return useRouteContext({ from: "__root__", select: ({ userId }) => userId !== null });
}

import { convexQuery } from "@convex-dev/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import type { CurrentUser } from "#contract/users.ts";

/**
 * Loads the data of the page shell. Separate from the shell's component, because loaders are part
 * of the code that every page loads.
 * @returns the signed-in user; null if the session has just ended
 */
export async function loadFrame(queryClient: QueryClient): Promise<CurrentUser | null> {
  const [user] = await Promise.all([
    queryClient.ensureQueryData(convexQuery(functions.users.current, {})),
    queryClient.ensureQueryData(convexQuery(functions.venue.info, {})),
  ]);
  return user;
}

import { convexQuery } from "@convex-dev/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import type { CurrentUser } from "#contract/users.ts";

/**
 * What the frame around the pages shows. Apart from the frame itself, because loaders are part of
 * what every page loads.
 * @returns the signed-in user, null where the session has just ended
 */
export async function loadFrame(queryClient: QueryClient): Promise<CurrentUser | null> {
  const [user] = await Promise.all([
    queryClient.ensureQueryData(convexQuery(functions.users.current, {})),
    queryClient.ensureQueryData(convexQuery(functions.venue.info, {})),
  ]);
  return user;
}

import { convexQuery } from "@convex-dev/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";

/** Loads the plan section's data before the page is shown, so that the server renders its numbers. */
export async function loadPlanFacts(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(convexQuery(functions.plans.mine, {})),
    queryClient.ensureQueryData(convexQuery(functions.plans.list, {})),
    queryClient.ensureQueryData(convexQuery(functions.coins.list, {})),
  ]);
}

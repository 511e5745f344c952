import { convexQuery } from "@convex-dev/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";

/** What the plan section reads, before the page is shown: it comes with its numbers. */
export async function loadPlanFacts(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(convexQuery(functions.plans.mine, {})),
    queryClient.ensureQueryData(convexQuery(functions.plans.list, {})),
    queryClient.ensureQueryData(convexQuery(functions.coins.list, {})),
  ]);
}

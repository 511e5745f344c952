import type { ConvexQueryClient } from "@convex-dev/react-query";
import type { QueryClient } from "@tanstack/react-query";
import { SERVER_TIME_ZONE } from "../../format/time.ts";
import { activityPages } from "./activity-query.ts";
import { activityArgs, parseActivitySearch } from "./activity-search.ts";

/** Fetches the first page of the feed while the server renders it. */
export async function prefetchActivity(
  queryClient: QueryClient,
  backend: ConvexQueryClient,
  search: Record<string, unknown>,
): Promise<void> {
  const args = activityArgs(parseActivitySearch(search), SERVER_TIME_ZONE);
  await queryClient.prefetchInfiniteQuery(activityPages(backend, args));
}

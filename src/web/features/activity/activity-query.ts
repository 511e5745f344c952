import { infiniteQueryOptions } from "@tanstack/react-query";
import type { ConvexQueryClient } from "@convex-dev/react-query";
import { functions } from "#contract/functions.ts";
import type { Page } from "#contract/types.ts";
import type { ActivityItem } from "#contract/users.ts";
import type { ActivitySearch } from "./activity-kinds.ts";

const PAGE_SIZE = 40;
/** First part of the keys of all pages. */
export const ACTIVITY_KEY = "activity";

/** The query's arguments for the page at a cursor. */
export function activityArgs({ kind, search }: ActivitySearch, cursor: string | null) {
  return {
    ...(kind === undefined || kind === "all" ? {} : { kind }),
    ...(search === undefined ? {} : { search }),
    ...(cursor === null ? {} : { cursor }),
  };
}

/** Pages of the feed, newest first. Fetched over HTTP while rendering, over the socket in the browser. */
export function activityPages(backend: ConvexQueryClient, { kind, search }: ActivitySearch) {
  return infiniteQueryOptions({
    queryKey: [ACTIVITY_KEY, kind ?? "all", search ?? ""],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }): Promise<Page<ActivityItem>> => {
      const args = { ...activityArgs({ kind, search }, pageParam), limit: PAGE_SIZE };
      const client = backend.serverHttpClient ?? backend.convexClient;
      return client.action(functions.activity.page, args);
    },
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: 0,
  });
}

import { infiniteQueryOptions } from "@tanstack/react-query";
import type { ConvexQueryClient } from "@convex-dev/react-query";
import { functions } from "#contract/functions.ts";
import type { Page } from "#contract/types.ts";
import type { ActivityItem } from "#contract/users.ts";
import type { ActivityArgs } from "./activity-search.ts";

const PAGE_SIZE = 40;
/** First part of the keys of all pages. */
export const ACTIVITY_KEY = "activity";

/** Pages of the feed, newest first. Fetched over HTTP while rendering, over the socket in the browser. */
export function activityPages(backend: ConvexQueryClient, args: ActivityArgs) {
  return infiniteQueryOptions({
    queryKey: [ACTIVITY_KEY, args],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }): Promise<Page<ActivityItem>> => {
      const client = backend.serverHttpClient ?? backend.convexClient;
      return client.action(functions.activity.page, {
        ...args,
        limit: PAGE_SIZE,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      });
    },
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: 0,
  });
}

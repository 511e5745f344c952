import { infiniteQueryOptions } from "@tanstack/react-query";
import type { ConvexQueryClient } from "@convex-dev/react-query";
import { functions } from "#contract/functions.ts";
import type { ActivityPage } from "#contract/users.ts";
import type { ActivityArgs } from "./activity-search.ts";

const PAGE_SIZE = 40;
/** Delay before rereading an incomplete answer; the server itself waits for the newest entries first. */
const REREAD_MS = 1_000;
/** First element of the query keys of all activity pages. */
export const ACTIVITY_KEY = "activity";

/**
 * Query of the feed's pages, newest first: fetched over HTTP by the server, over the WebSocket by the
 * browser.
 */
export function activityPages(backend: ConvexQueryClient, args: ActivityArgs) {
  return infiniteQueryOptions({
    queryKey: [ACTIVITY_KEY, args],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }): Promise<ActivityPage> => {
      const client = backend.serverHttpClient ?? backend.convexClient;
      return client.action(functions.activity.page, {
        ...args,
        limit: PAGE_SIZE,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      });
    },
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: 0,
    refetchInterval: ({ state }) => (isUpToDate(state.data?.pages ?? []) ? false : REREAD_MS),
  });
}

/** Whether the history was up to date when these pages were read, so that no newer entry is missing. */
export function isUpToDate(pages: readonly ActivityPage[]): boolean {
  return pages.every(({ isComplete }) => isComplete);
}

import { convexQuery, type ConvexQueryClient } from "@convex-dev/react-query";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useEffect, useRef } from "react";
import { functions } from "#contract/functions.ts";
import { PagedFeed } from "../../session/paged-feed.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ACTIVITY_KEY, activityPages, isUpToDate } from "./activity-query.ts";
import { ActivityRow } from "./activity-row.tsx";
import type { ActivityArgs } from "./activity-search.ts";

interface ActivityFeedProps {
  readonly backend: ConvexQueryClient;
  readonly args: ActivityArgs;
  readonly isFiltered: boolean;
}

/** Delay before reading again: history is written shortly after the event. */
const HISTORY_LAG_MS = 400;

/** Refetches the feed on any new event or change of an order's status. */
function useRefetchOnEvents(): void {
  const queryClient = useQueryClient();
  const { data: recent } = useQuery(convexQuery(functions.activity.recent, {}));
  const newest = recent?.map(({ id, status }) => `${id} ${status}`).join();
  const seen = useRef(newest);
  useEffect(() => {
    if (newest === undefined || newest === seen.current) return undefined;
    const isFirst = seen.current === undefined;
    seen.current = newest;
    if (isFirst) return undefined;
    const timer = setTimeout(
      () => void queryClient.invalidateQueries({ queryKey: [ACTIVITY_KEY] }),
      HISTORY_LAG_MS,
    );
    return () => clearTimeout(timer);
  }, [newest, queryClient]);
}

/** The activity feed, loaded page by page. */
export function ActivityFeed({ backend, args, isFiltered }: ActivityFeedProps) {
  useRefetchOnEvents();
  const feed = useInfiniteQuery({
    ...activityPages(backend, args),
    placeholderData: (previous) => previous,
  });
  const isBehind = feed.data !== undefined && !isUpToDate(feed.data.pages);
  return (
    <PagedFeed
      feed={feed}
      what="activity"
      notice={
        isBehind ? (
          <output className="block border-b px-4 py-2.5 text-xs text-warn">
            The newest entries are not in the history yet; they appear here by themselves.
          </output>
        ) : undefined
      }
      empty={
        <EmptyState
          icon={History}
          title={isFiltered ? "Nothing matches" : "Nothing happened yet"}
          text={
            isFiltered
              ? "Try another word, kind, market or day."
              : "Orders, fills, transfers and sign-ins appear here."
          }
        />
      }
    >
      {(item) => <ActivityRow key={item.id} item={item} />}
    </PagedFeed>
  );
}

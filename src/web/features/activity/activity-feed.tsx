import { convexQuery, type ConvexQueryClient } from "@convex-dev/react-query";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { History } from "lucide-react";
import { useEffect, useRef } from "react";
import { functions } from "#contract/functions.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { ACTIVITY_KEY, activityPages, isUpToDate } from "./activity-query.ts";
import { ActivityRow } from "./activity-row.tsx";
import type { ActivityArgs } from "./activity-search.ts";

interface ActivityFeedProps {
  readonly backend: ConvexQueryClient;
  readonly args: ActivityArgs;
  readonly isFiltered: boolean;
}

const SKELETON_ROWS = Array.from({ length: 10 }, (_, row) => row);

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
  if (feed.data === undefined) {
    if (feed.isError) {
      return (
        <EmptyState
          title="The activity could not be read"
          text={errorSentence(feed.error)}
          action={
            <Button size="sm" onClick={() => void feed.refetch()}>
              Try again
            </Button>
          }
        />
      );
    }
    return (
      <div className="divide-y">
        <LoadingText />
        {SKELETON_ROWS.map((row) => (
          <div key={row} className="flex h-10 items-center px-4">
            <Skeleton className="h-4 w-full" />
          </div>
        ))}
      </div>
    );
  }
  const items = feed.data.pages.flatMap((page) => page.items);
  const isBehind = !isUpToDate(feed.data.pages);
  // A page may be empty although more follow: the server searches a limited number of rows at a time.
  if (items.length === 0 && !feed.hasNextPage && !isBehind) {
    return (
      <EmptyState
        icon={History}
        title={isFiltered ? "Nothing matches" : "Nothing happened yet"}
        text={
          isFiltered
            ? "Try another word, kind, market or day."
            : "Orders, fills, transfers and sign-ins appear here."
        }
      />
    );
  }
  return (
    <>
      {isBehind ? (
        <output className="block border-b px-4 py-2.5 text-xs text-warn">
          The newest entries are not in the history yet; they appear here by themselves.
        </output>
      ) : null}
      <ul className="divide-y" aria-busy={feed.isPlaceholderData}>
        {items.map((item) => (
          <ActivityRow key={item.id} item={item} />
        ))}
      </ul>
      <div className="flex items-center justify-center border-t p-3 text-xs text-faint">
        {feed.hasNextPage ? (
          <Button
            size="sm"
            busy={feed.isFetchingNextPage}
            onClick={() => void feed.fetchNextPage()}
          >
            Show older
          </Button>
        ) : isBehind ? null : (
          "That is everything."
        )}
      </div>
    </>
  );
}

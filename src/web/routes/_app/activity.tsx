import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { functions } from "#contract/functions.ts";
import { ActivityDownloads } from "../../features/activity/activity-downloads.tsx";
import { ActivityFeed } from "../../features/activity/activity-feed.tsx";
import { ActivityFilters } from "../../features/activity/activity-filters.tsx";
import {
  activityArgs,
  type ActivitySearch,
  isFiltered,
  parseActivitySearch,
} from "../../features/activity/activity-search.ts";
import { useTimeZone } from "../../format/time.ts";
import { Page } from "../../frame/page.tsx";
import { unreadSearch } from "../../session/unread-search.ts";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";
import { Panel } from "../../ui/panel.tsx";

const marketsQuery = convexQuery(functions.markets.list, {});

export const Route = createFileRoute("/_app/activity")({
  validateSearch: unreadSearch,
  head: () => ({ meta: [{ title: "Activity" }] }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { backend, queryClient }, deps }) => {
    const markets = queryClient.ensureQueryData(marketsQuery);
    // Prefetches on the server only: the browser knows the viewer's time zone and shows skeleton rows while
    // loading. The browser's build drops this branch and its imports.
    if (typeof window === "undefined") {
      const { prefetchActivity } = await import("../../features/activity/prefetch-activity.ts");
      await prefetchActivity(queryClient, backend, deps);
    }
    await markets;
  },
  pendingComponent: PageSkeleton,
  component: ActivityPage,
});

function ActivityPage() {
  const { backend } = Route.useRouteContext();
  const given = Route.useSearch();
  const search = useMemo(() => parseActivitySearch(given), [given]);
  const navigate = Route.useNavigate();
  const timeZone = useTimeZone();
  const { data: markets } = useSuspenseQuery(marketsQuery);
  const args = useMemo(() => activityArgs(search, timeZone), [search, timeZone]);
  const filter = useCallback(
    (change: ActivitySearch) =>
      void navigate({
        search: (before) => ({ ...parseActivitySearch({ ...before, ...change }) }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return (
    <Page title="Activity">
      <Panel>
        <ActivityFilters search={search} markets={markets} onChange={filter} />
        <ActivityFeed backend={backend} args={args} isFiltered={isFiltered(search)} />
        <ActivityDownloads args={args} />
      </Panel>
    </Page>
  );
}

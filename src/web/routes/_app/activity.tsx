import { createFileRoute } from "@tanstack/react-router";
import { useCallback } from "react";
import { ActivityFeed } from "../../features/activity/activity-feed.tsx";
import { ActivityFilters } from "../../features/activity/activity-filters.tsx";
import { readActivitySearch, type ActivitySearch } from "../../features/activity/activity-kinds.ts";
import { activityPages } from "../../features/activity/activity-query.ts";
import { Page } from "../../frame/page.tsx";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";
import { Panel } from "../../ui/panel.tsx";

export const Route = createFileRoute("/_app/activity")({
  validateSearch: readActivitySearch,
  head: () => ({ meta: [{ title: "Activity" }] }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { backend, queryClient }, deps }) => {
    const firstPage = queryClient.prefetchInfiniteQuery(activityPages(backend, deps));
    // The browser shows the page's own skeleton rows while loading.
    if (backend.serverHttpClient !== undefined) await firstPage;
  },
  pendingComponent: PageSkeleton,
  component: ActivityPage,
});

function ActivityPage() {
  const { backend } = Route.useRouteContext();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const filter = useCallback(
    (next: ActivitySearch) => void navigate({ search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  return (
    <Page title="Activity">
      <Panel>
        <ActivityFilters {...search} onChange={filter} />
        <ActivityFeed {...search} backend={backend} />
      </Panel>
    </Page>
  );
}

import type { QueryClient } from "@tanstack/react-query";

/** How long an unused query is kept, as in the backend's own client. */
const PREWARMED_MS = 5_000;

/**
 * Drops queries that were preloaded for a page that was never opened: pointing at a link loads the
 * queries of its page, and a cached query is a live subscription.
 */
export function dropPrewarmed(queryClient: QueryClient): void {
  const cache = queryClient.getQueryCache();
  cache.subscribe(({ type, query }) => {
    // A query with data came with the rendered page, whose components subscribe when they are
    // hydrated.
    if (type !== "added" || query.state.data !== undefined) return;
    if (query.queryKey[0] !== "convexQuery") return;
    const drop = () => {
      if (query.getObserversCount() > 0 || cache.get(query.queryHash) !== query) return;
      // On a slow connection the page may still be opening and waiting for the query.
      if (query.state.fetchStatus === "fetching") setTimeout(drop, PREWARMED_MS);
      else cache.remove(query);
    };
    setTimeout(drop, PREWARMED_MS);
  });
}

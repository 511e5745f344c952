import type { QueryClient } from "@tanstack/react-query";

/** As long as the backend's own client keeps a prewarmed query. */
const PREWARMED_MS = 5_000;

/**
 * Lets a query go that was loaded for a page which is not opened: a link that is pointed at loads the
 * queries of its page, and each is a subscription for as long as it is cached.
 */
export function dropPrewarmed(queryClient: QueryClient): void {
  const cache = queryClient.getQueryCache();
  cache.subscribe(({ type, query }) => {
    // What the server rendered is there at once, and its components follow when the page is hydrated.
    if (type !== "added" || query.state.data !== undefined) return;
    if (query.queryKey[0] !== "convexQuery") return;
    const drop = () => {
      if (query.getObserversCount() > 0 || cache.get(query.queryHash) !== query) return;
      // On a slow link a page that is being opened still waits for it.
      if (query.state.fetchStatus === "fetching") setTimeout(drop, PREWARMED_MS);
      else cache.remove(query);
    };
    setTimeout(drop, PREWARMED_MS);
  });
}

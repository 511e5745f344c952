import type { ConvexQueryClient } from "@convex-dev/react-query";
import type { QueryClient } from "@tanstack/react-query";

/**
 * Delays live updates of a query until a component first reads it. A server-rendered page is hydrated
 * part by part, and a price that changed in the meantime would differ from the server's HTML: React
 * would discard that part and render it again.
 */
export function updateFromFirstRead(backend: ConvexQueryClient, queryClient: QueryClient): void {
  const readQueries = new Set<string>();
  const update = backend.onUpdateQueryKeyHash.bind(backend);
  backend.onUpdateQueryKeyHash = (queryHash) => {
    if (readQueries.has(queryHash)) update(queryHash);
  };
  queryClient.getQueryCache().subscribe(({ type, query: { queryHash } }) => {
    if (type === "removed") readQueries.delete(queryHash);
    if (type !== "observerAdded" || readQueries.has(queryHash)) return;
    if (backend.subscriptions[queryHash] === undefined) return;
    readQueries.add(queryHash);
    update(queryHash);
  });
}

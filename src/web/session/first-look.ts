import type { ConvexQueryClient } from "@convex-dev/react-query";
import type { QueryClient } from "@tanstack/react-query";

/**
 * Holds live answers back until somebody looks at the query for the first time. A page that the
 * server rendered is taken over piece by piece, and a price that changed in between would not be the
 * text that the server printed: React would throw the piece away and render it anew.
 */
export function updateFromFirstLook(backend: ConvexQueryClient, queryClient: QueryClient): void {
  const lookedAt = new Set<string>();
  const update = backend.onUpdateQueryKeyHash.bind(backend);
  backend.onUpdateQueryKeyHash = (queryHash) => {
    if (lookedAt.has(queryHash)) update(queryHash);
  };
  queryClient.getQueryCache().subscribe(({ type, query: { queryHash } }) => {
    if (type === "removed") lookedAt.delete(queryHash);
    if (type !== "observerAdded" || lookedAt.has(queryHash)) return;
    if (backend.subscriptions[queryHash] === undefined) return;
    lookedAt.add(queryHash);
    update(queryHash);
  });
}

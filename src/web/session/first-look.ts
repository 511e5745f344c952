import type { ConvexQueryClient } from "@convex-dev/react-query";
import type { QueryClient } from "@tanstack/react-query";

/**
 * Holds live answers back until a component first reads the query. A server-rendered page is
 * hydrated piece by piece, and a price that changed in between would differ from the server's text:
 * React would discard the piece and render it anew.
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

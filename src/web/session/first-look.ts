import type { ConvexQueryClient } from "@convex-dev/react-query";
import type { QueryClient } from "@tanstack/react-query";

/**
 * Delays live updates of a query until a component first reads it. A server-rendered page is
 * hydrated piece by piece, and a price that changed meanwhile would differ from the server's HTML:
 * React would discard that part and render it again.
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

import type { ConvexQueryClient } from "@convex-dev/react-query";
import { queryOptions } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";

/** Delay before rereading an answer that lacks the newest steps; the server itself waits for them first. */
const REREAD_MS = 1_000;

/** Query of an order's life: fetched over HTTP by the server, over the WebSocket by the browser. */
export function orderLifeQuery(backend: ConvexQueryClient, orderId: string) {
  return queryOptions({
    queryKey: ["orderLife", orderId],
    queryFn: () =>
      (backend.serverHttpClient ?? backend.convexClient).action(functions.orders.life, { orderId }),
    staleTime: Infinity,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.isComplete === false ? REREAD_MS : false),
  });
}

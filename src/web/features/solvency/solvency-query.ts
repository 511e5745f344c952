import type { ConvexQueryClient } from "@convex-dev/react-query";
import { queryOptions } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";

const REFETCH_MS = 60_000;

/** Query of the solvency report: fetched over HTTP by the server, over the WebSocket by the browser. */
export function solvencyQuery(backend: ConvexQueryClient) {
  return queryOptions({
    queryKey: ["solvency"],
    queryFn: () =>
      (backend.serverHttpClient ?? backend.convexClient).action(functions.solvency.report, {}),
    staleTime: REFETCH_MS,
    refetchInterval: REFETCH_MS,
  });
}

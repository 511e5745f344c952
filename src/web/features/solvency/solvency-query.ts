import type { ConvexQueryClient } from "@convex-dev/react-query";
import { queryOptions } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";

const READ_EVERY_MS = 60_000;

/** Query of the solvency report: fetched over HTTP by the server, over the WebSocket by the browser. */
export function solvencyQuery(backend: ConvexQueryClient) {
  return queryOptions({
    queryKey: ["solvency"],
    queryFn: () =>
      (backend.serverHttpClient ?? backend.convexClient).action(functions.solvency.report, {}),
    staleTime: READ_EVERY_MS,
    refetchInterval: READ_EVERY_MS,
  });
}

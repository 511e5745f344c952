import type { ConvexQueryClient } from "@convex-dev/react-query";
import { queryOptions } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";

const READ_EVERY_MS = 60_000;

/** Fetched over HTTP while rendering, over the socket in the browser. */
export function solvencyQuery(backend: ConvexQueryClient) {
  return queryOptions({
    queryKey: ["solvency"],
    queryFn: () =>
      (backend.serverHttpClient ?? backend.convexClient).action(functions.solvency.report, {}),
    staleTime: READ_EVERY_MS,
    refetchInterval: READ_EVERY_MS,
  });
}

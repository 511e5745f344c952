import { queryOptions } from "@tanstack/react-query";
import type { HealthReport } from "#contract/health.ts";
import { ADMIN_KEY } from "./admin-queries.ts";

const POLL_MS = 5_000;

/** The exchange's health report, polled while the page is open. */
export const healthQuery = queryOptions({
  queryKey: [ADMIN_KEY, "health"],
  // A stopped exchange answers with status 503, but also with a report.
  queryFn: async (): Promise<HealthReport> => (await fetch("/api/health")).json(),
  refetchInterval: POLL_MS,
  retry: false,
  staleTime: 0,
});

/** Metrics of HTTP requests: count, status and duration. */
import { Histogram, type Registry } from "prom-client";
import type { FinishedRequest } from "../http/request-log.ts";

/** Histogram buckets in seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Areas by path prefix; the first match applies. */
const AREAS: readonly (readonly [prefix: string, area: string])[] = [
  ["/api/v3/", "trading-api"],
  ["/sapi/", "trading-api"],
  ["/api/health", "health"],
  ["/api/exports/", "exports"],
  ["/assets/", "files"],
  ["/metrics", "metrics"],
];

/**
 * The label of a path's area.
 * @param accountsPath path of the auth API, such as "/api/auth"
 */
function areaOf(path: string, accountsPath: string): string {
  if (path.startsWith(`${accountsPath}/sign-in`)) return "sign-in";
  if (path.startsWith(`${accountsPath}/`)) return "accounts";
  const known = AREAS.find(([prefix]) => path.startsWith(prefix));
  if (known !== undefined) return known[1];
  return path.startsWith("/api/") ? "reactive" : "pages";
}

export function requestMetrics(registry: Registry, accountsPath: string) {
  const seconds = new Histogram({
    name: "openbell_http_request_seconds",
    help: "From the first byte of a request to the end of its answer, by area and class of status.",
    labelNames: ["area", "status"] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    finished({ path, status, durationMs }: FinishedRequest): void {
      const statusClass = `${Math.floor(status / 100)}xx`;
      seconds.observe(
        { area: areaOf(path, accountsPath), status: statusClass },
        durationMs / 1_000,
      );
    },
  };
}

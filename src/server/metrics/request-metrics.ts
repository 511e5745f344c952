/** Metrics of HTTP requests: count, status and duration. */
import { Histogram, type Registry } from "prom-client";
import type { FinishedRequest } from "../http/request-log.ts";

/** Histogram buckets in seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

type Area = readonly [prefix: string, area: string];

/** Areas by path prefix; the first match applies. */
const AREAS: readonly Area[] = [
  ["/api/v3/", "trading-api"],
  ["/sapi/", "trading-api"],
  ["/api/health", "health"],
  ["/api/exports/", "exports"],
  ["/assets/", "files"],
  ["/metrics", "metrics"],
];

/** The areas that people and programs use: health checks answer 503 while the exchange starts. */
const FAILING_AREAS = ["sign-in", "accounts", "pages", "reactive", "trading-api", "exports"];

/** The label of a path's area, by the areas of prefixes. */
function areaOf(path: string, areas: readonly Area[]): string {
  for (const [prefix, area] of areas) if (path.startsWith(prefix)) return area;
  return path.startsWith("/api/") ? "reactive" : "pages";
}

/** @param accountsPath path of the auth API, such as "/api/auth" */
export function requestMetrics(registry: Registry, accountsPath: string) {
  const areas: readonly Area[] = [
    [`${accountsPath}/sign-in`, "sign-in"],
    [`${accountsPath}/`, "accounts"],
    ...AREAS,
  ];
  const seconds = new Histogram({
    name: "openbell_http_request_seconds",
    help: "From the first byte of a request to the end of its answer, by area and class of status.",
    labelNames: ["area", "status"] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  // Graphs and alarms for events that should not happen need a value before the first one.
  seconds.zero({ area: "sign-in", status: "4xx" });
  for (const area of FAILING_AREAS) seconds.zero({ area, status: "5xx" });
  return {
    finished({ path, status, durationMs }: FinishedRequest): void {
      const statusClass = `${Math.floor(status / 100)}xx`;
      seconds.observe({ area: areaOf(path, areas), status: statusClass }, durationMs / 1_000);
    },
  };
}

/**
 * `GET /api/health` and `/api/health/ready`: readiness and the current problems;
 * `/api/health/live`: liveness. A degraded exchange is ready, because it trades. A stopped one is
 * neither ready nor live, because only a restart helps. One node of several that is behind the others is
 * live and not ready.
 */
import type { Handler } from "./handlers.ts";
import { HttpError, sendJson } from "./json-answer.ts";

export const HEALTH_PATHS: ReadonlySet<string> = new Set([
  "/api/health",
  "/api/health/live",
  "/api/health/ready",
]);

export interface HealthAnswer {
  readonly status: "ok" | "degraded" | "stopped";
  /** False if another node should answer instead. */
  readonly isReady?: boolean;
  /** Details for operators, such as the newest sequence and the problems. */
  readonly [detail: string]: unknown;
}

export function createHealth(report: () => HealthAnswer): Handler {
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      throw new HttpError(405, "invalidArgument", "Read the health with GET.");
    }
    const { isReady = true, ...health } = report();
    const isStopped = health.status === "stopped";
    const [path] = (request.url ?? "").split("?", 1);
    if (path === "/api/health/live") {
      sendJson(response, isStopped ? 503 : 200, { status: health.status });
    } else {
      sendJson(response, isStopped || !isReady ? 503 : 200, health);
    }
    return true;
  };
}

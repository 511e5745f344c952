/**
 * `GET /api/health` and `/api/health/ready`: readiness and the current problems;
 * `/api/health/live`: liveness. A degraded exchange is ready, because it trades. A stopped one is
 * neither ready nor live, because only a restart helps.
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
  /** Details for operators, such as the newest sequence and the problems. */
  readonly [detail: string]: unknown;
}

export function createHealth(report: () => HealthAnswer): Handler {
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      throw new HttpError(405, "invalidArgument", "Read the health with GET.");
    }
    const health = report();
    const status = health.status === "stopped" ? 503 : 200;
    const [path] = (request.url ?? "").split("?", 1);
    sendJson(response, status, path === "/api/health/live" ? { status: health.status } : health);
    return true;
  };
}

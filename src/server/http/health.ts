/** `GET /api/health`: for load balancers, and for people who wonder. */
import type { Handler } from "./dispatcher.ts";
import { HttpError, sendJson } from "./json-answer.ts";

export interface HealthReport {
  /** Anything but "ok" answers 503. */
  readonly status: "ok" | "stopped";
  /** Such as the newest sequence and the lag behind it. */
  readonly [detail: string]: unknown;
}

export function createHealth(report: () => HealthReport): Handler {
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      throw new HttpError(405, "invalidArgument", "Read the health with GET.");
    }
    const health = report();
    sendJson(response, health.status === "ok" ? 200 : 503, health);
    return true;
  };
}

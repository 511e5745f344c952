/**
 * `GET /metrics`, for callers with the token (METRICS_TOKEN); the path does not exist if no
 * token is set.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { Handler } from "../http/handlers.ts";
import { HttpError } from "../http/json-answer.ts";
import type { Metrics } from "./metrics.ts";

const PATH = "/metrics";
const SCHEME = "Bearer ";

export function createMetricsHandler(metrics: Metrics, token: string | undefined): Handler {
  if (token === undefined) return () => false;
  const expected = digestOf(token);
  return async (request, response) => {
    const [path] = (request.url ?? "").split("?", 1);
    if (path !== PATH) return false;
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      throw new HttpError(405, "invalidArgument", "Read the metrics with GET.");
    }
    const { authorization = "" } = request.headers;
    const given = authorization.startsWith(SCHEME) ? authorization.slice(SCHEME.length) : "";
    if (!timingSafeEqual(digestOf(given), expected)) {
      response.setHeader("www-authenticate", "Bearer");
      throw new HttpError(401, "unauthorized", "The metrics need the token of METRICS_TOKEN.");
    }
    const text = await metrics.text();
    response.writeHead(200, { "content-type": metrics.contentType, "cache-control": "no-store" });
    response.end(request.method === "HEAD" ? undefined : text);
    return true;
  };
}

/** Digests of equal length, as a constant-time comparison requires. */
function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

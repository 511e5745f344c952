/** Logs HTTP requests. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RepeatedLog } from "../limits/repeated-log.ts";
import type { Log } from "../log.ts";
import { requestIdOf } from "./request-id.ts";

/** The reactive protocol's status for a failed function: a client error, not a server failure. */
const STATUS_FUNCTION_FAILED = 560;
const LOGGED_PATH_MAX = 200;

/** Whether the server, and not its caller, is to blame for a status. */
export function isServerFailure(status: number): boolean {
  return status >= 500 && status !== STATUS_FUNCTION_FAILED;
}

export interface FinishedRequest {
  /** The path without the query. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
}

interface RequestLogs {
  readonly log: Log;
  readonly repeats: RepeatedLog;
  readonly onFinished: ((request: FinishedRequest) => void) | undefined;
}

/**
 * Logs one line per finished request; of repeated 503 responses one a minute, with their count.
 * URLs are logged without their query, which may contain tokens.
 * @returns a function that returns the request's logger; it is created on demand because most
 * requests log nothing
 */
export function logRequest(
  { log, repeats, onFinished }: RequestLogs,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  address: string,
): () => Log {
  const startedMs = performance.now();
  let known: Log | undefined;
  const requestLog = () =>
    (known ??= log.child({
      request: requestIdOf(request),
      method: request.method,
      // The path of a password reset link contains its secret.
      path: path.slice(0, LOGGED_PATH_MAX).replace(/(\/reset-password\/).+/, "$1[redacted]"),
      address,
    }));
  response.on("close", () => {
    const status = response.statusCode;
    const durationMs = performance.now() - startedMs;
    onFinished?.({ path, status, durationMs });
    // Successful requests are logged at debug level only.
    if (status < 400 && !log.isLevelEnabled("debug")) return;
    const details = {
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      ...(response.writableFinished ? {} : { cutOff: true }),
    };
    // A health check that waits for the start asks for the same information as the log has.
    if (status === 503 && path.startsWith("/api/health")) requestLog().debug(details, "request");
    else if (status === 503) repeats.warn(details, "a request was turned away", requestLog());
    else if (isServerFailure(status)) requestLog().warn(details, "failed request");
    else if (status >= 400) requestLog().info(details, "request");
    else requestLog().debug(details, "request");
  });
  return requestLog;
}

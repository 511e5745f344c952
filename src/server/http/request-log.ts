/** What the log says of HTTP requests. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RepeatedLog } from "../limits/repeated-log.ts";
import type { Log } from "../log.ts";
import { requestIdOf } from "./request-id.ts";

/** A function's refusal in the reactive protocol: a client error, not a server failure. */
const STATUS_FUNCTION_FAILED = 560;
const LOGGED_PATH_MAX = 200;

export interface FinishedRequest {
  /** Without the query. */
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
 * One line for each finished request. Those that find a part of the exchange unavailable are
 * counted. URLs are logged without their query: it may contain tokens.
 * @returns the log of the request, which is made when the first line needs it: most have none
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
      // The link of a password reset has its secret in the path.
      path: path.slice(0, LOGGED_PATH_MAX).replace(/(\/reset-password\/).+/, "$1[redacted]"),
      address,
    }));
  response.on("close", () => {
    const status = response.statusCode;
    const durationMs = performance.now() - startedMs;
    onFinished?.({ path, status, durationMs });
    // Successful requests are of no interest to the operator.
    if (status < 400 && !log.isLevelEnabled("debug")) return;
    const details = {
      status,
      durationMs: Math.round(durationMs * 10) / 10,
      ...(response.writableFinished ? {} : { cutOff: true }),
    };
    if (status === 503) repeats.warn(details, "a request was turned away", requestLog());
    else if (status >= 500 && status !== STATUS_FUNCTION_FAILED)
      requestLog().warn(details, "failed request");
    else if (status >= 400) requestLog().info(details, "request");
    else requestLog().debug(details, "request");
  });
  return requestLog;
}

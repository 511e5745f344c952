/**
 * Limits the size of request bodies, and checks the other headers that every request must have. The
 * length is declared before the body arrives, and Node reads no more than was declared, so that one check
 * of the headers protects every handler.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpError } from "./json-answer.ts";
import { isOfUndeclaredLength } from "./parsing-limits.ts";

const BODY_BYTES_MAX = 1_048_576;
/** Refused bodies up to this size are read and discarded, so that the client can read the response. */
const DISCARDED_BYTES_MAX = 64 * 1_048_576;

/**
 * Checks the headers for which Node would otherwise answer by itself (parsing-limits.ts).
 * @throws HttpError 400 without a host, 417 for an unknown expectation
 */
export function requireAcceptableHeaders(request: IncomingMessage): void {
  const { expect, host } = request.headers;
  if (host === undefined && request.httpVersion === "1.1") {
    throw new HttpError(400, "invalidArgument", "The request must name a host.");
  }
  if (expect !== undefined && !/^100-continue$/i.test(expect)) {
    throw new HttpError(417, "invalidArgument", "The expectation cannot be met.");
  }
}

/**
 * Checks the declared length of a request's body.
 * @throws HttpError 413 for a body that is too large, 411 for a body of undeclared length
 */
export function requireAcceptableBody(request: IncomingMessage, response: ServerResponse): void {
  if (isOfUndeclaredLength(request)) {
    throw new HttpError(411, "invalidArgument", "Declare the body's length with Content-Length.");
  }
  const length = Number(request.headers["content-length"] ?? 0);
  if (length <= BODY_BYTES_MAX) return;
  if (length > DISCARDED_BYTES_MAX) response.setHeader("connection", "close");
  throw new HttpError(413, "tooLarge", `The body may have at most ${BODY_BYTES_MAX} bytes.`);
}

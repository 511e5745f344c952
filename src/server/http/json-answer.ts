/** JSON answers and refusals of the HTTP layer, in one shape. */
import type { ServerResponse } from "node:http";
import type { EdgeErrorCode, ErrorData } from "#contract/errors.ts";

/** A refused request; handlers throw it, the edge answers it. */
export class HttpError extends Error {
  readonly status: number;
  readonly data: ErrorData;

  constructor(status: number, code: EdgeErrorCode, message: string, field?: string) {
    super(message);
    this.status = status;
    this.data = field === undefined ? { code, message } : { code, field, message };
  }
}

/**
 * Sends a body as JSON, not cached. The body is omitted for HEAD.
 * @returns its bytes
 */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): number {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": length,
    "cache-control": "no-store",
    ...headers,
  });
  response.end(response.req.method === "HEAD" ? undefined : text);
  return length;
}

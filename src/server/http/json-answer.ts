/** JSON responses and errors of the HTTP layer. */
import type { ServerResponse } from "node:http";
import type { ServerErrorCode, ErrorData } from "#contract/errors.ts";

/** A refused request: handlers throw it, edge.ts turns it into a response. */
export class HttpError extends Error {
  readonly status: number;
  readonly data: ErrorData;

  constructor(status: number, code: ServerErrorCode, message: string, field?: string) {
    super(message);
    this.status = status;
    this.data = field === undefined ? { code, message } : { code, field, message };
  }
}

/**
 * Sends JSON that must not be cached. The body is omitted for HEAD.
 * @returns the body's length in bytes
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

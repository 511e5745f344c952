/** JSON responses and errors of the HTTP layer. */
import type { ServerResponse } from "node:http";
import type { HeaderList } from "./set-headers.ts";
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
  return sendJsonWith(response, status, body, Object.entries(headers).flat());
}

/**
 * Like `sendJson`, with many headers. If none was set before, Node sends those of a list in half the time
 * that it takes to set and then to send them.
 * @param headers names and values in turn
 */
export function sendJsonWith(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: HeaderList,
): number {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  const type = "application/json; charset=utf-8";
  const ofEach = ["content-type", type, "content-length", length, "cache-control", "no-store"];
  response.writeHead(status, [...ofEach, ...headers]);
  response.end(response.req.method === "HEAD" ? undefined : text);
  return length;
}

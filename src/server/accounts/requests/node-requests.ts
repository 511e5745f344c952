/** Converts between node:http and the authentication library's Request and Response. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { CLIENT_ADDRESS_HEADER } from "../../http/client-address.ts";
import { clientKeyOf } from "../../limits/client-key.ts";
import { isNestedDeeper } from "../../limits/json-text.ts";
import { type BodyLimits, readRequestBody } from "../../limits/request-body.ts";

const BODY_BYTES_MAX = 64 * 1024;

/** Valid bodies are nested only a few levels deep; parsing thousands takes seconds. */
const BODY_DEPTH_MAX = 32;

/**
 * Browsers send at least one of these with every POST. Without any of them, "sec-fetch-mode" only
 * means that the program uses `fetch`, such as Node's; the library would take it for a page that
 * hides its origin. The origin check is for requests with cookies.
 */
const BROWSER_HEADERS = ["cookie", "origin", "referer", "sec-fetch-site", "sec-fetch-dest"];

/** Cookies of the library and of our plugins; on an https site with a prefix of the browser's. */
const OWN_COOKIE = /^\s*(?:__Secure-|__Host-)?better-auth\./;
/** Many more than a browser has of all cookies, and of these. */
const COOKIES_MAX = 500;
const OWN_COOKIES_MAX = 40;

export class BodyTooLargeError extends Error {}
/** The body is JSON that is nested too deeply to be parsed. */
export class BodyTooDeepError extends Error {}

export function toHeaders(headers: IncomingHttpHeaders): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name.startsWith(":")) continue;
    if (name === "cookie") {
      result.set(name, ownCookies(String(value)));
      continue;
    }
    for (const each of Array.isArray(value) ? value : [value]) result.append(name, each);
  }
  return result;
}

/**
 * The cookies that the library may read. It decodes every cookie several times, and of thousands that
 * cannot be decoded that takes a tenth of a second. Without any, the header stays, empty: requests with
 * cookies have their origin checked.
 */
function ownCookies(header: string): string {
  const own = header.split(";", COOKIES_MAX).filter((cookie) => OWN_COOKIE.test(cookie));
  return own.slice(0, OWN_COOKIES_MAX).join(";").trim();
}

/**
 * @param publicUrl replaces the Host header, which clients control
 * @throws BodyTooLargeError beyond 64 KiB, BodyTooDeepError, BodyCutOffError
 */
export async function toRequest(
  request: IncomingMessage,
  publicUrl: string,
  limits: BodyLimits,
): Promise<Request> {
  const method = request.method ?? "GET";
  const headers = toHeaders(request.headers);
  if (!headers.has(CLIENT_ADDRESS_HEADER) && request.socket.remoteAddress !== undefined) {
    headers.set(CLIENT_ADDRESS_HEADER, request.socket.remoteAddress);
  }
  if (!BROWSER_HEADERS.some((name) => headers.has(name))) headers.delete("sec-fetch-mode");
  const body = method === "GET" || method === "HEAD" ? undefined : await readBody(request, limits);
  const isJson = /json/i.test(request.headers["content-type"] ?? "");
  if (isJson && isNestedDeeper(Buffer.from(body ?? []).toString("latin1"), BODY_DEPTH_MAX)) {
    throw new BodyTooDeepError();
  }
  return new Request(new URL(request.url ?? "/", publicUrl), {
    method,
    headers,
    body: body === undefined || body.length === 0 ? undefined : body,
  });
}

async function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  const address = String(request.headers[CLIENT_ADDRESS_HEADER] ?? "unknown");
  const client = clientKeyOf(undefined, address);
  const body = await readRequestBody(request, limits, { holder: client, client }, ({ length }) => {
    if (length > BODY_BYTES_MAX) throw new BodyTooLargeError();
  });
  return new Uint8Array(body);
}

export async function sendResponse(response: ServerResponse, answer: Response): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) {
    // Cookies stay separate headers: joined by commas they would be unreadable.
    if (name !== "set-cookie") response.setHeader(name, value);
  }
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  // Answers about users must never be cached.
  if (!answer.headers.has("cache-control")) response.setHeader("cache-control", "no-store");
  response.end(body);
}

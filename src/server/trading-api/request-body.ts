/** Reads the body of a call: form parameters, or nothing. */
import type { IncomingMessage } from "node:http";
import type { ClientKey } from "../limits/client-key.ts";
import { type BodyLimits, readRequestBody } from "../limits/request-body.ts";
import { bodyTooLarge, unreadableBody } from "./api-error.ts";

const BODY_BYTES_MAX = 65_536;

/**
 * The body of a request: at once if there is none.
 * @throws ApiError for a body that is too large, incomplete or not form-encoded
 */
export function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  client: ClientKey,
): string | Promise<string> {
  const { headers } = request;
  // The HTTP server accepts no body of undeclared length.
  const length = Number(headers["content-length"] ?? 0);
  if (length === 0) return "";
  if (length > BODY_BYTES_MAX) throw bodyTooLarge(BODY_BYTES_MAX);
  const type = headers["content-type"] ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) throw unreadableBody();
  return readText(request, limits, client);
}

async function readText(
  request: IncomingMessage,
  limits: BodyLimits,
  client: ClientKey,
): Promise<string> {
  try {
    const body = await readRequestBody(request, limits, { holder: client, client }, () => {});
    return body.toString("utf8");
  } catch {
    throw unreadableBody();
  }
}

/** Reads the body of a call: form parameters, or nothing. */
import type { IncomingMessage } from "node:http";
import type { ClientKey } from "../limits/client-key.ts";
import { readInTurn } from "../limits/reading-in-turn.ts";
import type { WorkShares } from "../limits/work-shares.ts";
import { bodyTooLarge, unreadableBody } from "./api-error.ts";

const BODY_BYTES_MAX = 65_536;

/** @throws ApiError for a body that is too large, incomplete or not form-encoded */
export async function readBody(
  request: IncomingMessage,
  turns: { readonly shares: WorkShares; readonly client: ClientKey },
): Promise<string> {
  const { headers } = request;
  // The HTTP server accepts no body of undeclared length.
  const length = Number(headers["content-length"] ?? 0);
  if (length === 0) return "";
  if (length > BODY_BYTES_MAX) throw bodyTooLarge(BODY_BYTES_MAX);
  const type = headers["content-type"] ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) throw unreadableBody();
  // The client may have disconnected while the request waited.
  if (request.destroyed) throw unreadableBody();
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    request.once("end", resolve);
    request.once("close", () => reject(unreadableBody()));
    request.once("error", () => reject(unreadableBody()));
    readInTurn(request, turns, (chunk) => chunks.push(chunk));
  });
  return Buffer.concat(chunks).toString("utf8");
}

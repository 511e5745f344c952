import type { IncomingMessage, ServerResponse } from "node:http";
import type { Preference } from "../limits/fair-queue.ts";

/**
 * A request handler: true if it answers, false if the request is for another handler. It may throw
 * an HttpError; any other error becomes a 500 without details.
 */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean | Promise<boolean>;

export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  page: { readonly nonce: string; readonly preference: Preference },
) => void | Promise<void>;

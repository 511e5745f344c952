import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * True where the handler answered (or will), false where the request is not its own. It may throw an
 * HttpError; anything else that it throws becomes a 500 without details.
 */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean | Promise<boolean>;

export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  page: { readonly nonce: string },
) => void | Promise<void>;

import type { IncomingMessage } from "node:http";

/**
 * Whether a page in a browser sent the request, any page that somebody has open. Browsers say so with
 * every request to a site with HTTPS, and with every WebSocket; programs send neither header.
 */
export function isPageRequest({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
}

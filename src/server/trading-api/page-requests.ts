import type { IncomingMessage } from "node:http";

/**
 * Whether a page in a browser sent the request, which may be of any site. Browsers declare that with
 * every request to a site with HTTPS, and with every WebSocket. Few programs send either header: those
 * that do share the allowance of pages.
 */
export function isPageRequest({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;
}

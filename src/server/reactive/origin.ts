/**
 * Whether a browser page may call: only pages of our own origin. Browsers always say where a page
 * came from and cannot be made to lie; programs that are no browsers say nothing and are let in.
 */
import type { IncomingMessage } from "node:http";

export function isOriginAllowed(request: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (publicUrl !== undefined && from.origin === new URL(publicUrl).origin) return true;
  // A proxy that ends TLS changes the scheme and keeps the host.
  return host !== undefined && from.host === host.toLowerCase();
}

/**
 * Restricts browser pages to the server's own origin. Browsers always send the origin and pages
 * cannot forge it; other programs send none and are allowed.
 */
import type { IncomingMessage } from "node:http";

export function isOriginAllowed(request: IncomingMessage, publicUrl: string | undefined): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (publicUrl !== undefined && from.origin === new URL(publicUrl).origin) return true;
  // A proxy that terminates TLS changes the scheme but keeps the host.
  return host !== undefined && from.host === host.toLowerCase();
}

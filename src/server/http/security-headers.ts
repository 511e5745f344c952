/** Security headers for pages and for responses of the trading API. */
import type { IncomingMessage, ServerResponse } from "node:http";

export interface SecurityOptions {
  readonly publicUrl?: string;
  readonly backendUrl?: string | undefined;
  readonly development?: boolean;
}

const ONE_YEAR = "max-age=31536000";

export function setSecurityHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  nonce: string,
  options: SecurityOptions,
): void {
  response.setHeader("content-security-policy", contentSecurityPolicy(request, nonce, options));
  response.setHeader("referrer-policy", "strict-origin-when-cross-origin");
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("x-frame-options", "DENY");
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader(
    "permissions-policy",
    "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  );
  requireHttps(response, options.publicUrl);
}

/** For API responses: if a browser displays one as a page, it may load and run nothing. */
const API_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * Headers of API responses, names and values in turn. Few, because an HTTP order costs little more than
 * its headers.
 */
export function programHeadersOf({ publicUrl }: SecurityOptions): readonly string[] {
  const headers = ["content-security-policy", API_POLICY, "x-content-type-options", "nosniff"];
  if (isHttps(publicUrl)) headers.push("strict-transport-security", ONE_YEAR);
  return headers;
}

function requireHttps(response: ServerResponse, publicUrl: string | undefined): void {
  if (isHttps(publicUrl)) response.setHeader("strict-transport-security", ONE_YEAR);
}

function isHttps(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith("https:") === true;
}

function contentSecurityPolicy(
  request: IncomingMessage,
  nonce: string,
  { publicUrl, backendUrl, development }: SecurityOptions,
): string {
  return [
    "default-src 'self'",
    // The dev server's own scripts are inline and have no nonce.
    development ? "script-src 'self' 'unsafe-inline'" : `script-src 'self' 'nonce-${nonce}'`,
    // The toast library inserts its styles at run time.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...webSocketOrigins(request, backendUrl ?? publicUrl)].join(" ")}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(publicUrl?.startsWith("https:") ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

/** WebSocket origins for the policy, because some browsers do not apply 'self' to WebSockets. */
function webSocketOrigins(request: IncomingMessage, publicUrl: string | undefined): string[] {
  if (publicUrl !== undefined) {
    const { host, protocol } = new URL(publicUrl);
    return [`${protocol === "https:" ? "wss" : "ws"}://${host}`];
  }
  const { host } = request.headers;
  // The client controls the Host header; it must not be able to end the directive.
  if (host === undefined || !/^[a-z0-9.:[\]-]+$/i.test(host)) return [];
  return [`ws://${host}`, `wss://${host}`];
}

/** The security headers that tell browsers what our pages and our answers to programs may do. */
import type { IncomingMessage, ServerResponse } from "node:http";

export interface SecurityOptions {
  readonly publicUrl?: string;
  readonly backendUrl?: string | undefined;
  readonly development?: boolean;
}

const ONE_YEAR_SECONDS = 31_536_000;

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

/** An answer to a program is no page: should a browser show it as one, it may do nothing. */
const PROGRAM_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Few: an order over HTTP costs about as much as its headers. */
export function setProgramHeaders(response: ServerResponse, { publicUrl }: SecurityOptions): void {
  response.setHeader("content-security-policy", PROGRAM_POLICY);
  response.setHeader("x-content-type-options", "nosniff");
  requireHttps(response, publicUrl);
}

function requireHttps(response: ServerResponse, publicUrl: string | undefined): void {
  if (publicUrl?.startsWith("https:") !== true) return;
  response.setHeader("strict-transport-security", `max-age=${ONE_YEAR_SECONDS}`);
}

function contentSecurityPolicy(
  request: IncomingMessage,
  nonce: string,
  { publicUrl, backendUrl, development }: SecurityOptions,
): string {
  return [
    "default-src 'self'",
    // The development server's own scripts are inline and have no nonce.
    development ? "script-src 'self' 'unsafe-inline'" : `script-src 'self' 'nonce-${nonce}'`,
    // The toasts insert their styles at run time.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...socketAddresses(request, backendUrl ?? publicUrl)].join(" ")}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(publicUrl?.startsWith("https:") ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

/** In addition to 'self', which some browsers do not extend to WebSockets. */
function socketAddresses(request: IncomingMessage, publicUrl: string | undefined): string[] {
  if (publicUrl !== undefined) {
    const { host, protocol } = new URL(publicUrl);
    return [`${protocol === "https:" ? "wss" : "ws"}://${host}`];
  }
  const { host } = request.headers;
  // The client controls the header; no part of it may end the directive.
  if (host === undefined || !/^[a-z0-9.:[\]-]+$/i.test(host)) return [];
  return [`ws://${host}`, `wss://${host}`];
}

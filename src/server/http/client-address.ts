/**
 * The address of the client. X-Forwarded-For is whatever a client claims, unless our own proxies
 * are in front: each appends the address that it saw, so the one that the outermost trusted proxy
 * saw is counted from the right, and everything left of it is untrusted.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * Passes the address to the accounts library; overwritten on every request, so no client can forge
 * it.
 */
export const CLIENT_ADDRESS_HEADER = "x-openbell-client-address";

/** @param trustedProxies how many of our proxies append to X-Forwarded-For; 0 ignores the header */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): string {
  const peer = plainAddress(request.socket.remoteAddress ?? "") ?? "unknown";
  if (trustedProxies === 0) return peer;
  const forwarded = String(request.headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((part) => plainAddress(part.trim()));
  return forwarded.at(-trustedProxies) ?? peer;
}

/** Sets the header for a handler that reads `headers` and nothing else. */
export function nameClientAddress({ headers }: IncomingMessage, address: string): void {
  headers[CLIENT_ADDRESS_HEADER] = address;
}

/** Sets the header wherever the accounts library may look for it. */
export function declareClientAddress(request: IncomingMessage, address: string): void {
  // Node fills these two from the raw headers when they are first read, by the original count: read
  // them before that changes.
  const { headersDistinct, rawHeaders } = request;
  nameClientAddress(request, address);
  headersDistinct[CLIENT_ADDRESS_HEADER] = [address];
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (rawHeaders[index].toLowerCase() === CLIENT_ADDRESS_HEADER) rawHeaders.splice(index, 2);
  }
  rawHeaders.push(CLIENT_ADDRESS_HEADER, address);
}

/** Without port, brackets and the IPv4-in-IPv6 prefix; undefined if it is not an address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
  return isIP(address) === 0 ? undefined : address;
}

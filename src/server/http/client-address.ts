/**
 * The client's IP address. A client can forge X-Forwarded-For, but each trusted proxy appends the
 * address from which it was called. So the client's address is found by counting from the right;
 * everything to the left of it is untrusted.
 */
import type { IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";

/**
 * Header that passes the client's address to the auth library. It is overwritten on every request,
 * so that clients cannot forge it.
 */
export const CLIENT_ADDRESS_HEADER = "x-openbell-client-address";

/** The addresses of open connections, which never change. */
const peers = new WeakMap<Socket, string>();

/** @param trustedProxies how many of our proxies append to X-Forwarded-For; 0 ignores the header */
export function clientAddressOf(request: IncomingMessage, trustedProxies: number): string {
  const peer = peerOf(request.socket);
  if (trustedProxies === 0) return peer;
  const forwarded = String(request.headers["x-forwarded-for"] ?? "");
  return plainAddress(partFromEnd(forwarded, trustedProxies).trim()) ?? peer;
}

/**
 * The nth part from the end of a list with commas; "" if it has fewer. A client may send thousands of
 * parts: only those of our proxies are read.
 */
function partFromEnd(list: string, nth: number): string {
  let end = list.length;
  for (let left = nth; left > 1; left--) {
    end = list.lastIndexOf(",", end - 1);
    if (end <= 0) return "";
  }
  return list.slice(list.lastIndexOf(",", end - 1) + 1, end);
}

function peerOf(socket: Socket): string {
  const known = peers.get(socket);
  if (known !== undefined) return known;
  const peer = plainAddress(socket.remoteAddress ?? "") ?? "unknown";
  // The address of a closed connection is no longer known.
  if (peer !== "unknown") peers.set(socket, peer);
  return peer;
}

/** Sets the header for handlers that read only `headers`. */
export function nameClientAddress({ headers }: IncomingMessage, address: string): void {
  headers[CLIENT_ADDRESS_HEADER] = address;
}

/** Sets the header wherever the auth library may read it. */
export function declareClientAddress(request: IncomingMessage, address: string): void {
  // Node derives both from the raw headers when they are first read, using the original count, so
  // they must be read before the raw headers change.
  const { headersDistinct, rawHeaders } = request;
  nameClientAddress(request, address);
  headersDistinct[CLIENT_ADDRESS_HEADER] = [address];
  for (let index = rawHeaders.length - 2; index >= 0; index -= 2) {
    if (rawHeaders[index].toLowerCase() === CLIENT_ADDRESS_HEADER) rawHeaders.splice(index, 2);
  }
  rawHeaders.push(CLIENT_ADDRESS_HEADER, address);
}

/** The address without port, brackets and IPv4-in-IPv6 prefix; undefined if it is not an IP address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
  return isIP(address) === 0 ? undefined : address;
}

/**
 * Limits the number of connections. At an address's limit, its connection that has been idle
 * longest is closed; at the server's limit, that of the address with the most connections. If no
 * connection is idle, the new one is refused. A connection is idle while no request is in progress
 * on it and it was not upgraded.
 *
 * New connections per address are limited per ten seconds; further ones are closed unread. This
 * bounds connections without a request, and connections that send something other than HTTP: only
 * requests are charged to the address.
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../limits/client-key.ts";

export interface ConnectionBounds {
  readonly all: number;
  /** Connections per address; Infinity if all clients connect through our own proxies. */
  readonly perAddress: number;
  /** New connections per address in ten seconds; Infinity under the same condition. */
  readonly openedPerAddress: number;
}

const OPENED_WINDOW_MS = 10_000;

interface Address {
  count: number;
  /** Idle connections, longest idle first. */
  readonly idle: Set<Socket>;
}

export function boundConnections(
  server: Server,
  { all, perAddress, openedPerAddress }: ConnectionBounds,
  now: () => number = () => performance.now(),
): void {
  const addresses = new Map<string, Address>();
  /** New connections since the window began, by address. */
  const opened = new Map<string, number>();
  let windowStartedMs = now();
  let count = 0;

  function mayOpen(name: string): boolean {
    const nowMs = now();
    if (nowMs - windowStartedMs >= OPENED_WINDOW_MS) {
      opened.clear();
      windowStartedMs = nowMs;
    }
    const before = opened.get(name) ?? 0;
    if (before >= openedPerAddress) return false;
    opened.set(name, before + 1);
    return true;
  }

  server.on("connection", (socket: Socket) => {
    const name = networkOf(socket.remoteAddress ?? "");
    if (!mayOpen(name)) {
      socket.destroy();
      return;
    }
    const address = addresses.get(name) ?? { count: 0, idle: new Set() };
    if (address.count >= perAddress && !endIdle(address)) {
      socket.destroy();
      return;
    }
    if (count >= all && !endIdleOfMost(addresses)) {
      socket.destroy();
      return;
    }
    addresses.set(name, address);
    address.idle.add(socket);
    address.count++;
    count++;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      address.idle.delete(socket);
      count--;
      if (--address.count === 0) addresses.delete(name);
    };
    releaseBySocket.set(socket, release);
    socket.once("close", release);
  });
  server.on("request", ({ socket }, response: ServerResponse) => {
    // Node still emits requests that it parsed before the connection was closed.
    if (socket.destroyed) return;
    const address = addresses.get(networkOf(socket.remoteAddress ?? ""));
    address?.idle.delete(socket);
    response.once("close", () => {
      if (!socket.destroyed) address?.idle.add(socket);
    });
  });
  server.on("upgrade", (_request, socket: Socket) => {
    addresses.get(networkOf(socket.remoteAddress ?? ""))?.idle.delete(socket);
  });
}

/** Each stops counting a socket as soon as it is destroyed, before its close event. */
const releaseBySocket = new WeakMap<Socket, () => void>();

/** Closes the connection that has been idle longest; returns false if none is idle. */
function endIdle({ idle }: Address): boolean {
  const [oldest] = idle;
  if (oldest === undefined) return false;
  releaseBySocket.get(oldest)?.();
  oldest.destroy();
  return true;
}

function endIdleOfMost(addresses: ReadonlyMap<string, Address>): boolean {
  let most: Address | undefined;
  for (const address of addresses.values()) {
    if (address.idle.size > 0 && address.count > (most?.count ?? 0)) most = address;
  }
  return most !== undefined && endIdle(most);
}

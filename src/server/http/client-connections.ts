/**
 * Which connections are closed when there are too many. An address at its limit loses the one that
 * has been idle longest; when the server is at its limit, the address with the most connections
 * does. If none is idle the new connection is refused. A connection is idle while no request is in
 * progress on it and it was not upgraded.
 *
 * New connections per address are limited per ten seconds. Connections beyond that are closed
 * before they are read: requests are charged to their address, but not a connection without one,
 * nor one that sends something other than HTTP.
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "../limits/client-key.ts";

export interface ConnectionBounds {
  readonly all: number;
  /** Infinity if all clients come through our own proxies. */
  readonly perAddress: number;
  /** New connections of one address in ten seconds; Infinity likewise. */
  readonly openedPerAddress: number;
}

const OPENED_WINDOW_MS = 10_000;

interface Address {
  count: number;
  /** The one that has been idle longest comes first. */
  readonly idle: Set<Socket>;
}

export function boundConnections(
  server: Server,
  { all, perAddress, openedPerAddress }: ConnectionBounds,
  now: () => number = () => performance.now(),
): void {
  const addresses = new Map<string, Address>();
  /** Since the window began, by address. */
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
    let isCounted = true;
    const forget = () => {
      if (!isCounted) return;
      isCounted = false;
      address.idle.delete(socket);
      count--;
      if (--address.count === 0) addresses.delete(name);
    };
    forgetting.set(socket, forget);
    socket.once("close", forget);
  });
  server.on("request", ({ socket }, response: ServerResponse) => {
    // Node also hands over what it has parsed of a closed connection.
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

/** Called at once when a socket is closed, before its close event. */
const forgetting = new WeakMap<Socket, () => void>();

/** False if none is idle. */
function endIdle({ idle }: Address): boolean {
  const [oldest] = idle;
  if (oldest === undefined) return false;
  forgetting.get(oldest)?.();
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

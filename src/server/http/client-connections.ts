/**
 * Limits the number of connections. At an address's limit, its connection that has been idle
 * longest is closed; at the server's limit, that of the site (client-key.ts) with the most
 * connections. If no connection is idle, the new one is refused. A site with many networks has at
 * most a quarter of all connections. A connection is idle while no request is in progress on it and
 * it was not upgraded.
 *
 * New connections per address are limited per ten seconds; further ones are closed unread. This
 * bounds connections without a request, and connections that send something other than HTTP: only
 * requests are charged to the address.
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { networkOf, siteOf } from "../limits/client-key.ts";

export interface ConnectionBounds {
  readonly all: number;
  /** Connections per address; Infinity if all clients connect through our own proxies. */
  readonly perAddress: number;
  /** New connections per address in ten seconds; Infinity under the same condition. */
  readonly openedPerAddress: number;
}

const OPENED_WINDOW_MS = 10_000;

/** The part of all connections that one site may have, however many networks it consists of. */
const SITE_SHARE = 0.25;

/** The connections of one network, or of one site with many networks. */
interface Group {
  count: number;
  /** Idle connections, longest idle first. */
  readonly idle: Set<Socket>;
}

export function boundConnections(
  server: Server,
  { all, perAddress, openedPerAddress }: ConnectionBounds,
  now: () => number = () => performance.now(),
): void {
  const perSite = Number.isFinite(perAddress)
    ? Math.max(perAddress, Math.floor(all * SITE_SHARE))
    : Infinity;
  const networks = new Map<string, Group>();
  const sites = new Map<string, Group>();
  const groupsOf = new WeakMap<Socket, readonly Group[]>();
  /** New connections since the window began, by network. */
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

  /** Whether there is room for one more connection, if necessary by closing an idle one. */
  function makeRoom(network: Group, site: Group): boolean {
    if (network.count >= perAddress && !endIdle(network)) return false;
    if (site.count >= perSite && !endIdle(site)) return false;
    return count < all || endIdleOfMost(sites);
  }

  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const [networkName, siteName] = [networkOf(address), siteOf(address)];
    const network = networks.get(networkName) ?? newGroup();
    const site = sites.get(siteName) ?? newGroup();
    if (!mayOpen(networkName) || !makeRoom(network, site)) {
      socket.destroy();
      return;
    }
    networks.set(networkName, network);
    sites.set(siteName, site);
    const groups = [network, site];
    groupsOf.set(socket, groups);
    for (const group of groups) {
      group.idle.add(socket);
      group.count++;
    }
    count++;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      count--;
      for (const group of groups) {
        group.idle.delete(socket);
        group.count--;
      }
      if (network.count === 0) networks.delete(networkName);
      if (site.count === 0) sites.delete(siteName);
    };
    releaseBySocket.set(socket, release);
    socket.once("close", release);
  });
  const setBusy = (socket: Socket): readonly Group[] => {
    const groups = groupsOf.get(socket) ?? [];
    for (const { idle } of groups) idle.delete(socket);
    return groups;
  };
  server.on("request", ({ socket }, response: ServerResponse) => {
    // Node still emits requests that it parsed before the connection was closed.
    if (socket.destroyed) return;
    const groups = setBusy(socket);
    response.on("close", () => {
      if (socket.destroyed) return;
      for (const { idle } of groups) idle.add(socket);
    });
  });
  server.on("upgrade", (_request, socket: Socket) => setBusy(socket));
}

function newGroup(): Group {
  return { count: 0, idle: new Set() };
}

/** Each stops counting a socket as soon as it is destroyed, before its close event. */
const releaseBySocket = new WeakMap<Socket, () => void>();

/** Closes the connection that has been idle longest; returns false if none is idle. */
function endIdle({ idle }: Group): boolean {
  const [oldest] = idle;
  if (oldest === undefined) return false;
  releaseBySocket.get(oldest)?.();
  oldest.destroy();
  return true;
}

function endIdleOfMost(groups: ReadonlyMap<string, Group>): boolean {
  let most: Group | undefined;
  for (const group of groups.values()) {
    if (group.idle.size > 0 && group.count > (most?.count ?? 0)) most = group;
  }
  return most !== undefined && endIdle(most);
}

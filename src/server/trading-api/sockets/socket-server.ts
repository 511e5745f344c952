/**
 * The WebSockets of programs: market streams at `/ws` and `/stream`, calls and user data at
 * `/ws-api/v3`.
 */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { WebSocketServer } from "ws";
import { CLIENT_ADDRESS_HEADER } from "../../http/client-address.ts";
import { refuseUpgrade } from "../../http/refuse-upgrade.ts";
import { clientKeyOf, pagesKeyOf } from "../../limits/client-key.ts";
import { ConnectionSlots, type ConnectionSlotLimits } from "../../limits/connection-slots.ts";
import type { HeldBytes } from "../../limits/held-bytes.ts";
import { Rounds } from "../../limits/rounds.ts";
import { parseInChunks } from "../../limits/chunked-parsing.ts";
import type { RateLimit } from "../../limits/token-bucket.ts";
import type { WorkShares } from "../../limits/work-shares.ts";
import type { Log } from "../../log.ts";
import { isPageRequest } from "../page-requests.ts";
import { ClientSocket, type SocketUser } from "./client-socket.ts";
import { SentMessages } from "./sent-messages.ts";

const MESSAGE_BYTES_MAX = 64 * 1_024;
/**
 * The most fragments of a message: each is a separate object, many times as large as the single
 * byte that it may hold.
 */
const FRAGMENTS_MAX = 64;
/**
 * The most chunks of a frame: as many as the smallest internet packets make of the largest frame.
 */
const CHUNKS_MAX = 256;
const KEEP_ALIVE_MS = 20_000;
/** Keep-alives are spread: a part of the connections is due at each of these intervals. */
const KEEP_ALIVE_PART_MS = 200;
const CUT_EVERY_MS = 1_000;
const CLOSE_GRACE_MS = 1_000;

/** A kind of connection, which its URL selects. */
export interface ConnectionKind {
  /** The rate limit of the client's messages. */
  readonly rate: RateLimit;
  open(socket: ClientSocket): SocketUser;
}

/** Faults of connections that name a key (fault lab). */
export interface ConnectionFaults {
  /** The key that an upgrade request names, if any. */
  namedKey(request: IncomingMessage): string | undefined;
  /** Additional header lines of the answer to the upgrade request. */
  headers(apiKey: string | undefined): readonly string[];
  /** Whether a connection of this age is cut. */
  isCut(apiKey: string, ageMs: number): boolean;
}

export interface SocketServerOptions {
  /** Undefined for a URL that is not part of the trading API; takes a small part of the work of a request. */
  readonly kindOf: (url: string) => ConnectionKind | undefined;
  readonly faults: ConnectionFaults;
  readonly log: Log;
  readonly slots: ConnectionSlotLimits;
  /** The most messages per second to one address. */
  readonly messagesPerSecond: number;
  readonly shares: WorkShares;
  readonly held: HeldBytes;
  /** A monotonic clock. */
  readonly nowMs?: () => number;
  /** Milliseconds since 1970 UTC. */
  readonly timeMs: () => number;
}

export interface SocketServer {
  /** Returns false for another path and leaves the socket untouched. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Closes every connection with the event serverShutdown and 1001 (going away); clients reconnect. */
  close(): Promise<void>;
}

export function createSocketServer(options: SocketServerOptions): SocketServer {
  const { kindOf, faults, held, log, nowMs = () => performance.now(), shares } = options;
  const slots = new ConnectionSlots(options.slots);
  const connections = new Set<ClientSocket>();
  const sent = new SentMessages(options.messagesPerSecond, nowMs);
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MESSAGE_BYTES_MAX,
    maxFragments: FRAGMENTS_MAX,
    maxBufferedChunks: CHUNKS_MAX,
    perMessageDeflate: false,
  });
  const rounds = new Rounds(connections, KEEP_ALIVE_MS / KEEP_ALIVE_PART_MS);
  const keepAlive = setInterval(() => {
    rounds.next((connection) => connection.keepAlive());
  }, KEEP_ALIVE_PART_MS);
  keepAlive.unref();
  sockets.on("headers", (headers, request) => {
    headers.push(...faults.headers(faults.namedKey(request)));
  });
  const cut = setInterval(() => {
    for (const connection of connections) {
      const { apiKey, ageMs } = connection;
      if (apiKey !== undefined && faults.isCut(apiKey, ageMs)) connection.terminate();
    }
  }, CUT_EVERY_MS);
  cut.unref();
  let isClosing = false;

  function open(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    kind: ConnectionKind,
  ): void {
    const address = String(request.headers[CLIENT_ADDRESS_HEADER]);
    const client = clientKeyOf(undefined, address);
    const isOfPage = isPageRequest(request);
    const trafficKey = isOfPage ? pagesKeyOf(address) : client;
    if (isClosing || !sent.mayOpen(trafficKey) || !slots.makeRoom(address)) {
      refuseUpgrade(socket, "503 Service Unavailable\r\nRetry-After: 2");
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      parseInChunks(ws, socket as Socket, (ms) => shares.charge(client, ms));
      const connection: ClientSocket = new ClientSocket(ws, socket as Socket, {
        address,
        isOfPage,
        rate: kind.rate,
        holding: held.open(client, () => ws.terminate()),
        nowMs,
        client,
        shares,
        onSent: (earlier) => sent.take(trafficKey, earlier, connection.userId === undefined),
        onClosed() {
          sent.closed(trafficKey);
          connections.delete(connection);
          slots.remove(connection);
        },
      });
      connection.apiKey = faults.namedKey(request);
      connections.add(connection);
      slots.add(connection);
      sent.opened(trafficKey);
      connection.serve(kind.open(connection));
    });
  }

  return {
    handleUpgrade(request, socket, head) {
      const kind = kindOf(request.url ?? "");
      if (kind === undefined) return false;
      const address = String(request.headers[CLIENT_ADDRESS_HEADER]);
      socket.on("error", () => {});
      // A handshake costs work like any other request.
      const start = () => open(request, socket, head, kind);
      shares.schedule(clientKeyOf(undefined, address), start).catch((error: unknown) => {
        log.error({ err: error }, "an upgrade failed");
        socket.destroy();
      });
      return true;
    },
    async close() {
      isClosing = true;
      clearInterval(keepAlive);
      clearInterval(cut);
      const event = JSON.stringify({ e: "serverShutdown", E: options.timeMs() });
      for (const connection of connections) connection.shutDown(event);
      const deadlineMs = performance.now() + CLOSE_GRACE_MS;
      while (connections.size > 0 && performance.now() < deadlineMs) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      for (const connection of connections) connection.terminate();
      sockets.close();
    },
  };
}

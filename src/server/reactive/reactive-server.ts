/**
 * The reactive protocol server: functions by path over HTTP, and over a WebSocket with queries that
 * stay current. It speaks the protocol of the official `convex` client (1.48.0) and knows nothing of
 * what the functions do; see executor.ts for what its host brings.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import { networkOf } from "../limits/client-key.ts";
import type { HeldBytes } from "../limits/held-bytes.ts";
import type { WorkShares } from "../limits/work-shares.ts";
import { Connection } from "./connection.ts";
import type { ConnectionHost } from "./connection-host.ts";
import type { Executor, Urgency } from "./executor.ts";
import { FlushSchedule } from "./flush-schedule.ts";
import { answerHttpCall, type HttpCallsHost, httpCallOf } from "./http-calls.ts";
import { MutationRunner } from "./mutation-runner.ts";
import { isOriginAllowed } from "./origin.ts";
import { MESSAGE_BYTES_MAX } from "./received-message.ts";
import { QueryStore } from "./query-store.ts";
import { Timestamps } from "./timestamps.ts";
import type { ReactiveLog } from "./reactive-log.ts";
import { RepeatedLog } from "./repeated-log.ts";

/** A household's or an office's pages, not a machine's sockets. */
const CONNECTIONS_PER_ADDRESS_MAX = 256;
const KEEP_ALIVE_MS = 5_000;
/** How long clients get to say goodbye when the server stops. */
const CLOSE_GRACE_MS = 1_000;
/** Beyond this a frame ends its connection; up to it a request that is too large is refused alone. */
const FRAME_BYTES_MAX = 4 * MESSAGE_BYTES_MAX;
/** convex 1.28 brought TransitionChunk. */
const CHUNKS_SINCE = { major: 1, minor: 28 };

export interface ReactiveServerOptions {
  readonly executor: Executor;
  readonly log: ReactiveLog;
  /** Wall clock in milliseconds. */
  readonly clock?: () => number;
  /** The time that clients are told, in milliseconds; the wall clock if left out. */
  readonly serverTime?: () => number;
  /** The address that browsers see, where it differs from the Host header they send. */
  readonly publicUrl?: string;
  /** Who is on the other end, where a trusted proxy stands between; the socket's peer unless told. */
  readonly clientAddress?: (request: IncomingMessage) => string;
  /** What comes beyond is told to come again later. */
  readonly connectionsMax: number;
  /** Behind a proxy everybody has its address, unless `clientAddress` looks further. */
  readonly connectionsPerAddressMax?: number;
  /** What each client may take of the event loop. */
  readonly shares: WorkShares;
  /** What may be held for clients that do not read, or do not finish what they send. */
  readonly held: HeldBytes;
}

export interface ReactiveStatistics {
  readonly connections: number;
  /** Distinct answers kept for subscribers. */
  readonly queries: number;
}

export interface ReactiveServer {
  /** Answers POST /api/query, mutation, action, query_ts, query_at_ts; false for anything else. */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean | Promise<boolean>;
  /** Takes over GET /api/<version>/sync; false for anything else, with the socket untouched. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Tells that what these topics stand for has changed. Call it before the mutation resolves. */
  invalidate(topics: ReadonlyMap<string, Urgency>): void;
  /** Ends the connections of a sign-in session that is over. */
  dropSession(sessionId: string): void;
  statistics(): ReactiveStatistics;
  /** Closes every connection with 1001 (going away); clients reconnect. */
  close(): Promise<void>;
}

export function createReactiveServer(options: ReactiveServerOptions): ReactiveServer {
  const { executor, log, publicUrl, clock = Date.now, serverTime = clock } = options;
  const addressOf = options.clientAddress ?? ((request) => request.socket.remoteAddress ?? "");
  const perAddressMax = options.connectionsPerAddressMax ?? CONNECTIONS_PER_ADDRESS_MAX;
  const timestamps = new Timestamps(clock);
  const queries = new QueryStore(executor, log);
  const connections = new Set<Connection>();
  const countByAddress = new Map<string, number>();
  const { shares, held } = options;
  const host: ConnectionHost & HttpCallsHost = {
    executor,
    shares,
    held,
    log,
    clock,
    serverTime,
    repeats: new RepeatedLog(log, clock),
    timestamps,
    queries,
    addressOf,
    mutations: new MutationRunner(executor, clock),
    schedule: new FlushSchedule(clock),
  };
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: FRAME_BYTES_MAX,
    // Costs seven times the processor time and half a megabyte for each connection.
    perMessageDeflate: false,
  });
  const keepAlive = setInterval(() => {
    for (const connection of connections) connection.keepAlive();
  }, KEEP_ALIVE_MS);
  keepAlive.unref();
  let closing = false;

  function accept(ws: WebSocket, socket: Socket, address: string, joinsChunks: boolean): void {
    const network = networkOf(address);
    const count = countByAddress.get(network) ?? 0;
    if (connections.size >= options.connectionsMax || count >= perAddressMax) {
      ws.on("error", () => {});
      // A reason that the client knows and answers with a slower back-off.
      ws.close(1013, "TooManyConcurrentRequests: too many connections");
      return;
    }
    countByAddress.set(network, count + 1);
    const connection: Connection = new Connection(host, ws, socket, {
      address,
      joinsChunks,
      onClosed() {
        connections.delete(connection);
        const left = (countByAddress.get(network) ?? 1) - 1;
        if (left === 0) countByAddress.delete(network);
        else countByAddress.set(network, left);
      },
    });
    connections.add(connection);
  }

  return {
    handleRequest(request, response) {
      const call = httpCallOf(pathnameOf(request));
      if (call === undefined) return false;
      const guarded: typeof call = isOriginAllowed(request, publicUrl) ? call : refuseOrigin;
      return answerHttpCall(guarded, host, request, response).then(() => true);
    },
    handleUpgrade(request, socket, head) {
      const version = /^\/api\/([^/]+)\/sync$/.exec(pathnameOf(request))?.[1];
      if (version === undefined) return false;
      if (closing) refuseUpgrade(socket, 503, "Service Unavailable");
      else if (!isOriginAllowed(request, publicUrl)) refuseUpgrade(socket, 403, "Forbidden");
      else {
        sockets.handleUpgrade(request, socket, head, (ws) =>
          accept(ws, socket as Socket, addressOf(request), understandsChunks(version)),
        );
      }
      return true;
    },
    invalidate(topics) {
      if (topics.size === 0) return;
      timestamps.advance();
      queries.invalidate(topics);
    },
    dropSession(sessionId) {
      for (const connection of connections) {
        if (connection.sessionId === sessionId) connection.endSession();
      }
    },
    statistics: () => ({ connections: connections.size, queries: queries.size }),
    async close() {
      closing = true;
      clearInterval(keepAlive);
      for (const connection of connections) connection.close(1001, "The server is going away");
      const deadlineMs = performance.now() + CLOSE_GRACE_MS;
      while (connections.size > 0 && performance.now() < deadlineMs) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      for (const connection of connections) connection.terminate();
      host.schedule.close();
      sockets.close();
    },
  };
}

function pathnameOf(request: IncomingMessage): string {
  const url = request.url ?? "";
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

function understandsChunks(version: string): boolean {
  const [major, minor] = version.split(".").map(Number);
  if (major === CHUNKS_SINCE.major) return minor >= CHUNKS_SINCE.minor;
  return major > CHUNKS_SINCE.major;
}

async function refuseOrigin() {
  const message = "Pages of other origins may not call this server.";
  return { status: 403, body: JSON.stringify({ code: "forbidden", message }) };
}

function refuseUpgrade(socket: Duplex, status: number, reason: string): void {
  socket.on("error", () => {});
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}

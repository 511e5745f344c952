/**
 * The reactive protocol server: calls of functions by path over HTTP, and live queries over
 * WebSockets. It implements the protocol of the official `convex` client (1.48.0) and is independent
 * of the functions; executor.ts is the interface to its host.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import { ACTION_MS_MAX } from "./action-time.ts";
import { clientKeyOf } from "../limits/client-key.ts";
import { HeldBytes, type HeldBytesLimits } from "../limits/held-bytes.ts";
import { RecentWork } from "../limits/recent-work.ts";
import { ChunkedWork } from "../limits/chunked-work.ts";
import type { SharedLimits } from "../limits/shared-limits.ts";
import type { WorkShares } from "../limits/work-shares.ts";
import { Connection } from "./connection.ts";
import { limitBytesAfterClose } from "../limits/closing-socket.ts";
import { parseInChunks } from "../limits/chunked-parsing.ts";
import { RETRY_LATER, type ConnectingClient, type ConnectionHost } from "./connection-host.ts";
import { ConnectionSlots } from "../limits/connection-slots.ts";
import type { Executor, Urgency } from "./executor.ts";
import { FlushSchedule } from "./flush-schedule.ts";
import { INCREMENTS } from "./increments.ts";
import { answerHttpCall, type HttpCallsHost, httpCallOf } from "./http-calls.ts";
import { MutationRates, type MutationsPerSecond } from "./mutation-rates.ts";
import { MutationRunner } from "./mutation-runner.ts";
import { isOriginAllowed } from "./origin.ts";
import { MESSAGE_BYTES_MAX } from "./received-message.ts";
import { QueryStore } from "./query-store.ts";
import { Timestamps } from "./timestamps.ts";
import type { ReactiveLog } from "./reactive-log.ts";
import { immediateTurns } from "../limits/immediate-turns.ts";
import { RepeatedLog } from "../limits/repeated-log.ts";
import { Rounds } from "../limits/rounds.ts";

/** Connections per address: enough for a household or an office. */
const CONNECTIONS_PER_ADDRESS_MAX = 256;
const KEEP_ALIVE_MS = 5_000;
/** Interval at which part of the connections are checked. */
const KEEP_ALIVE_PART_MS = 100;
/** How long clients have to close when the server stops. */
const CLOSE_GRACE_MS = 1_000;
/**
 * The time within which a client must close after the request to disconnect; it occupies a socket
 * until then.
 */
const DISCONNECT_MS_MAX = 2_000;
/**
 * Clients that may be refused with an answer at the same time because the server is full; more are
 * refused without an answer.
 */
const TURNED_AWAY_MAX = 64;
/** Memory limits of answers kept for subscribers, each counted once. */
const KEPT_BYTES = { all: 192 * 1_048_576, perClient: 48 * 1_048_576 } as const;
/** A larger frame closes the connection; up to this size only the oversized request is refused. */
const FRAME_BYTES_MAX = 4 * MESSAGE_BYTES_MAX;
/**
 * Fragments per message: each is an object many times as large as the single byte that it may
 * contain.
 */
const FRAGMENTS_MAX = 256;
/** Chunks per frame; enough for the largest frame in the smallest packets of the internet. */
const CHUNKS_MAX = 4_096;
/** First version of the client that understands TransitionChunk. */
const CHUNKS_SINCE = { major: 1, minor: 28 };

export interface ReactiveServerOptions {
  readonly executor: Executor;
  readonly log: ReactiveLog;
  /** The wall clock in milliseconds; Date.now by default. */
  readonly clock?: () => number;
  /** The time sent to clients, in milliseconds; the wall clock by default. */
  readonly serverTime?: () => number;
  /** The URL in browsers, if it differs from the Host header that the server receives. */
  readonly publicUrl?: string;
  /** Returns the client's address, also behind a trusted proxy; the socket's peer by default. */
  readonly clientAddress?: (request: IncomingMessage) => string;
  /** Returns a request's id in log lines, the same as in the host's own lines. */
  readonly requestIdOf?: (request: IncomingMessage) => string;
  /** Whether this process made the request while rendering a client's page; false by default. */
  readonly isOwnRequest?: (request: IncomingMessage) => boolean;
  /** Connection limit; further clients are asked to retry later. */
  readonly connectionsMax: number;
  /**
   * Connection limit per address. Behind a proxy all clients share its address, unless
   * `clientAddress` returns theirs.
   */
  readonly connectionsPerAddressMax?: number;
  /** Mutation limits per user and address; excess mutations wait. */
  readonly mutationsPerSecond?: MutationsPerSecond;
  /** If they count over several nodes. */
  readonly sharedLimits?: SharedLimits | undefined;
  /** Limits each client's use of the event loop. */
  readonly shares: WorkShares;
  /** Limits the memory held for clients that do not read, or do not finish their messages. */
  readonly held: HeldBytes;
  /** Time limit of actions, in milliseconds. */
  readonly actionMsMax?: number;
  /** Memory limits of answers kept for subscribers. */
  readonly keptBytes?: HeldBytesLimits;
}

export interface ReactiveStatistics {
  readonly connections: number;
  readonly queries: number;
  /** Number of topics that the queries depend on. */
  readonly topics: number;
}

export interface ReactiveServer {
  /** Answers POST /api/query, mutation, action, query_ts, query_at_ts; false for anything else. */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean | Promise<boolean>;
  /**
   * Handles upgrades of GET /api/<version>/sync; false for anything else, with the socket
   * untouched.
   */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Reports that the data of these topics has changed. Must be called before the mutation resolves. */
  invalidate(topics: ReadonlyMap<string, Urgency>): void;
  /** Closes the connections of a session that has ended. */
  dropSession(sessionId: string): void;
  statistics(): ReactiveStatistics;
  /** Closes every connection with 1001 (going away); clients reconnect. */
  close(): Promise<void>;
}

export function createReactiveServer(options: ReactiveServerOptions): ReactiveServer {
  const { executor, log, publicUrl, clock = Date.now, serverTime = clock } = options;
  const addressOf = options.clientAddress ?? ((request) => request.socket.remoteAddress ?? "");
  const perAddressMax = options.connectionsPerAddressMax ?? CONNECTIONS_PER_ADDRESS_MAX;
  const timestamps = new Timestamps(() => executor.version());
  const queries = new QueryStore(executor, log);
  const connections = new Set<Connection>();
  const slots = new ConnectionSlots({ all: options.connectionsMax, perAddress: perAddressMax });
  let turnedAway = 0;
  const { shares, held, isOwnRequest = () => false } = options;
  const immediate = immediateTurns(shares);
  const host: ConnectionHost & HttpCallsHost = {
    executor,
    shares,
    held,
    kept: new HeldBytes(options.keptBytes ?? KEPT_BYTES),
    log,
    clock,
    serverTime,
    repeats: new RepeatedLog(log, clock),
    timestamps,
    queries,
    addressOf,
    requestIdOf: options.requestIdOf ?? (() => randomUUID()),
    turnsOf: (request) => (isOwnRequest(request) ? immediate : shares),
    mutations: new MutationRunner(executor, clock),
    mutationRates: new MutationRates(options.mutationsPerSecond, options.sharedLimits),
    actionMsMax: options.actionMsMax ?? ACTION_MS_MAX,
    openings: new ChunkedWork(),
    departures: new ChunkedWork(),
    schedule: new FlushSchedule(clock, () => executor.unsettled?.()),
  };
  const webSockets = {
    noServer: true,
    clientTracking: false,
    maxPayload: FRAME_BYTES_MAX,
    maxFragments: FRAGMENTS_MAX,
    maxBufferedChunks: CHUNKS_MAX,
    // Compression takes seven times the processor time, and half a megabyte per connection.
    perMessageDeflate: false,
    handleProtocols: (asked: ReadonlySet<string>) => (asked.has(INCREMENTS) ? INCREMENTS : false),
    // Missing from the library's types.
    closeTimeout: DISCONNECT_MS_MAX,
  };
  const sockets = new WebSocketServer(webSockets);
  const rounds = new Rounds(connections, KEEP_ALIVE_MS / KEEP_ALIVE_PART_MS);
  const keepAlive = setInterval(() => {
    rounds.next((connection) => connection.keepAlive());
  }, KEEP_ALIVE_PART_MS);
  keepAlive.unref();
  /**
   * Sockets whose upgrade waits for their address's turn, which may come long after the server has
   * closed.
   */
  const waiting = new Set<Duplex>();
  let closing = false;

  /** Accepts the upgrade in its address's turn: a handshake costs work like any other. */
  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, version: string): void {
    const address = addressOf(request);
    const client = clientKeyOf(undefined, address);
    const work = new RecentWork();
    waiting.add(socket);
    const open = (onOpen: (ws: WebSocket) => void) =>
      sockets.handleUpgrade(request, socket, head, (ws) => {
        parseInChunks(ws, socket as Socket, (ms) => shares.charge(client, ms));
        onOpen(ws);
      });
    const start = () => {
      waiting.delete(socket);
      if (closing) refuseUpgrade(socket, "503 Service Unavailable");
      else if (slots.makeRoom(address)) {
        open((ws) => accept(ws, socket as Socket, { address, work, ...featuresOf(ws, version) }));
      } else if (turnedAway < TURNED_AWAY_MAX) {
        open((ws) => turnAway(ws, socket as Socket));
      } else refuseUpgrade(socket, "503 Service Unavailable\r\nRetry-After: 2");
    };
    // The client may leave while its upgrade waits.
    const fail = (error: unknown) => {
      log.error({ err: error }, "an upgrade failed");
      socket.destroy();
    };
    host.openings.run(() => void shares.schedule(client, start, work).catch(fail));
  }

  function accept(ws: WebSocket, socket: Socket, client: Omit<ConnectingClient, "onClosed">): void {
    const connection: Connection = new Connection(host, ws, socket, {
      ...client,
      onClosed() {
        connections.delete(connection);
        slots.remove(connection);
      },
    });
    connections.add(connection);
    slots.add(connection);
  }

  function turnAway(ws: WebSocket, socket: Socket): void {
    turnedAway++;
    limitBytesAfterClose(ws, socket);
    ws.on("error", () => {});
    ws.once("close", () => turnedAway--);
    ws.close(...RETRY_LATER);
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
      if (!isOriginAllowed(request, publicUrl)) refuseUpgrade(socket, "403 Forbidden");
      else upgrade(request, socket, head, version);
      return true;
    },
    invalidate(topics) {
      if (topics.size === 0) return;
      queries.invalidate(topics);
    },
    dropSession(sessionId) {
      for (const connection of connections) {
        if (connection.sessionId === sessionId) connection.endSession();
      }
    },
    statistics: () => ({
      connections: connections.size,
      queries: queries.size,
      topics: queries.topics,
    }),
    async close() {
      closing = true;
      clearInterval(keepAlive);
      for (const socket of waiting) refuseUpgrade(socket, "503 Service Unavailable");
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

/** The client's protocol features. Answers sent as increments are not chunked as well. */
function featuresOf({ protocol }: WebSocket, version: string) {
  const [major, minor] = version.split(".").map(Number);
  const takesIncrements = protocol === INCREMENTS;
  const knowsChunks =
    major === CHUNKS_SINCE.major ? minor >= CHUNKS_SINCE.minor : major > CHUNKS_SINCE.major;
  return { takesIncrements, joinsChunks: knowsChunks && !takesIncrements };
}

async function refuseOrigin() {
  const message = "Pages of other origins may not call this server.";
  return { status: 403, body: JSON.stringify({ code: "forbidden", message }) };
}

/** Refuses an upgrade and destroys the socket: a peer that does not close must not keep it open. */
function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on("error", () => {});
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}

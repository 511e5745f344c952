/**
 * The reactive protocol server: functions by path over HTTP, and over a WebSocket with queries that
 * stay current. It speaks the protocol of the official `convex` client (1.48.0) and knows nothing
 * of what the functions do; executor.ts is the interface to its host.
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
import { RecentWork, type WorkShares } from "../limits/work-shares.ts";
import { Connection } from "./connection.ts";
import { limitBytesAfterClose } from "../limits/closing-socket.ts";
import { COME_LATER, type ConnectingClient, type ConnectionHost } from "./connection-host.ts";
import { ConnectionPlaces } from "../limits/connection-places.ts";
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

/** A household's or an office's pages, not a machine's sockets. */
const CONNECTIONS_PER_ADDRESS_MAX = 256;
const KEEP_ALIVE_MS = 5_000;
/** So often some of the connections have their turn. */
const KEEP_ALIVE_PART_MS = 100;
/** How long clients get to close when the server stops. */
const CLOSE_GRACE_MS = 1_000;
/** How long a client told to disconnect gets to close; it occupies a socket meanwhile. */
const GOODBYE_MS_MAX = 2_000;
/** Clients being told at this moment that there is no place; more are refused without an answer. */
const TURNED_AWAY_MAX = 64;
/** For the answers kept for subscribers, each counted once. */
const KEPT_BYTES = { all: 192 * 1_048_576, perClient: 48 * 1_048_576 } as const;
/** Beyond this a frame ends its connection; up to it a request that is too large is refused alone. */
const FRAME_BYTES_MAX = 4 * MESSAGE_BYTES_MAX;
/** Pieces of a message: each is a separate object, many times as large as the byte that it may hold. */
const FRAGMENTS_MAX = 256;
/** Pieces of a frame; as many as the smallest packets of the internet make of the largest. */
const CHUNKS_MAX = 4_096;
/** convex 1.28 brought TransitionChunk. */
const CHUNKS_SINCE = { major: 1, minor: 28 };

export interface ReactiveServerOptions {
  readonly executor: Executor;
  readonly log: ReactiveLog;
  /** Wall clock in milliseconds. */
  readonly clock?: () => number;
  /** The time sent to clients, in milliseconds; the wall clock by default. */
  readonly serverTime?: () => number;
  /** The address that browsers use, if it differs from the Host header they send. */
  readonly publicUrl?: string;
  /** The client's address if a trusted proxy is in front; the socket's peer by default. */
  readonly clientAddress?: (request: IncomingMessage) => string;
  /** Names a request in log lines, as the host's own lines do. */
  readonly requestIdOf?: (request: IncomingMessage) => string;
  /** Whether this process made the request itself to render a client's page; by default it did not. */
  readonly isOwnRequest?: (request: IncomingMessage) => boolean;
  /** Clients beyond this are told to retry later. */
  readonly connectionsMax: number;
  /** Behind a proxy all clients share its address, unless `clientAddress` looks further. */
  readonly connectionsPerAddressMax?: number;
  /** What users and addresses may have run; beyond it mutations wait. */
  readonly mutationsPerSecond?: MutationsPerSecond;
  /** What each client may use of the event loop. */
  readonly shares: WorkShares;
  /** Memory for clients that do not read, or do not finish what they send. */
  readonly held: HeldBytes;
  /** How long an action may take. */
  readonly actionMsMax?: number;
  /** Memory for answers kept for subscribers. */
  readonly keptBytes?: HeldBytesLimits;
}

export interface ReactiveStatistics {
  readonly connections: number;
  readonly queries: number;
  /** What the queries depend on. */
  readonly topics: number;
}

export interface ReactiveServer {
  /** Answers POST /api/query, mutation, action, query_ts, query_at_ts; false for anything else. */
  handleRequest(request: IncomingMessage, response: ServerResponse): boolean | Promise<boolean>;
  /** Takes over GET /api/<version>/sync; false for anything else, with the socket untouched. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /**
   * Notifies the server that the data of these topics has changed. Call it before the mutation
   * resolves.
   */
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
  const places = new ConnectionPlaces({ all: options.connectionsMax, perAddress: perAddressMax });
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
    mutationRates: new MutationRates(options.mutationsPerSecond),
    actionMsMax: options.actionMsMax ?? ACTION_MS_MAX,
    schedule: new FlushSchedule(clock, () => executor.unsettled?.()),
  };
  const webSockets = {
    noServer: true,
    clientTracking: false,
    maxPayload: FRAME_BYTES_MAX,
    maxFragments: FRAGMENTS_MAX,
    maxBufferedChunks: CHUNKS_MAX,
    // Costs seven times the processor time and half a megabyte for each connection.
    perMessageDeflate: false,
    handleProtocols: (asked: ReadonlySet<string>) => (asked.has(INCREMENTS) ? INCREMENTS : false),
    // Not in its types yet.
    closeTimeout: GOODBYE_MS_MAX,
  };
  const sockets = new WebSocketServer(webSockets);
  const rounds = new Rounds(connections, KEEP_ALIVE_MS / KEEP_ALIVE_PART_MS);
  const keepAlive = setInterval(() => {
    rounds.next((connection) => connection.keepAlive());
  }, KEEP_ALIVE_PART_MS);
  keepAlive.unref();
  /** For upgrades that wait for their address's turn, which may come long after the server has closed. */
  const waiting = new Set<Duplex>();
  let closing = false;

  /** Takes the socket over in its address's turn: a handshake costs work like any other. */
  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, version: string): void {
    const address = addressOf(request);
    const work = new RecentWork();
    waiting.add(socket);
    const start = () => {
      waiting.delete(socket);
      if (closing) refuseUpgrade(socket, "503 Service Unavailable");
      else if (places.makeRoom(address)) {
        sockets.handleUpgrade(request, socket, head, (ws) =>
          accept(ws, socket as Socket, { address, work, ...understandingOf(ws, version) }),
        );
      } else if (turnedAway < TURNED_AWAY_MAX) {
        sockets.handleUpgrade(request, socket, head, (ws) => turnAway(ws, socket as Socket));
      } else refuseUpgrade(socket, "503 Service Unavailable\r\nRetry-After: 2");
    };
    // The client may leave while it waits.
    shares.schedule(clientKeyOf(undefined, address), start, work).catch((error: unknown) => {
      log.error({ err: error }, "an upgrade failed");
      socket.destroy();
    });
  }

  function accept(ws: WebSocket, socket: Socket, client: Omit<ConnectingClient, "onClosed">): void {
    const connection: Connection = new Connection(host, ws, socket, {
      ...client,
      onClosed() {
        connections.delete(connection);
        places.remove(connection);
      },
    });
    connections.add(connection);
    places.add(connection);
  }

  function turnAway(ws: WebSocket, socket: Socket): void {
    turnedAway++;
    limitBytesAfterClose(ws, socket);
    ws.on("error", () => {});
    ws.once("close", () => turnedAway--);
    ws.close(...COME_LATER);
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

/** What a client makes of its messages. Answers that consist of increments are not chunked as well. */
function understandingOf({ protocol }: WebSocket, version: string) {
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

/** Destroys the socket after the answer: a peer that does not close must not keep it open. */
function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on("error", () => {});
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    socket.destroy(),
  );
}

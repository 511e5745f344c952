/**
 * Which handler answers which request, and what is done for every one of them: the client's address,
 * security headers, the size limit, errors, the log. The handlers are given; nothing here knows them.
 */
import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { RepeatedLog } from "../limits/repeated-log.ts";
import type { Log } from "../log.ts";
import { requireAcceptableBody } from "./body-limit.ts";
import { clientKeyOf } from "../limits/client-key.ts";
import { FairQueue, QueueFullError } from "../limits/fair-queue.ts";
import { readInTurn } from "../limits/reading-in-turn.ts";
import type { WorkShares } from "../limits/work-shares.ts";
import type { ClientRequests } from "./client-requests.ts";
import { clientAddressOf, declareClientAddress } from "./client-address.ts";
import { HEALTH_PATHS } from "./health.ts";
import { HttpError, sendJson } from "./json-answer.ts";
import type { OwnRequests } from "./own-requests.ts";
import { PipelinedRequests } from "./pipelined-requests.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";
import { setSecurityHeaders } from "./security-headers.ts";

/**
 * True where the handler answered (or will), false where the request is not its own. It may throw an
 * HttpError; anything else that it throws becomes a 500 without details.
 */
export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
) => boolean | Promise<boolean>;

export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  page: { readonly nonce: string },
) => void | Promise<void>;

export interface DispatcherOptions {
  readonly log: Log;
  readonly requests: ClientRequests;
  /** Requests for pages that this process renders count for their visitors. */
  readonly ownRequests: OwnRequests;
  /** What each address may take of the event loop. */
  readonly shares: WorkShares;
  /** Such as "/api/auth". */
  readonly accountsPath: string;
  /** What is below `accountsPath`, and `/outbox` where it answers that. */
  readonly accounts: Handler;
  /** `GET /api/health`, `/api/health/live` and `/api/health/ready` */
  readonly health: Handler;
  /** The reactive protocol's HTTP calls. */
  readonly reactive: Handler;
  /** The reactive protocol's WebSocket; false for an upgrade that is not its own. */
  readonly reactiveUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Built files; false for a path that is none. */
  readonly files: Handler;
  /** Everything else: server rendering. */
  readonly page: PageHandler;
  /** With `https:` browsers are told to stay with it, and the page connects to the matching `wss:`. */
  readonly publicUrl?: string;
  /** Where pages connect, if not to their own origin. */
  readonly backendUrl?: string | undefined;
  /** How many proxies of ours stand in front and append to X-Forwarded-For; 0 trusts none. */
  readonly trustedProxies?: number;
  /** The development server's inline scripts and its own upgrades (hot reload) are let through. */
  readonly development?: boolean;
}

export interface Dispatcher {
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** A function's refusal in the reactive protocol: the caller's affair, not the server's failure. */
const STATUS_FUNCTION_FAILED = 560;

/**
 * About what a request to the accounts, or for a page, costs the event loop. It is done in many pieces
 * between others' work, so it is not timed.
 */
const REQUEST_MS = 2.5;
/** Requests for accounts and pages begin a few in each turn of the event loop, however many came at once. */
const BEGINNINGS = {
  what: "requests",
  underWay: 2,
  underWayPerClient: 1,
  waiting: 4_000,
  waitingPerClient: 1_000,
} as const;

/** Up to here a body that is not wanted is left to Node. */
const UNREAD_BYTES_MAX = 65_536;

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const PAGE_METHODS = new Set(["GET", "HEAD", "POST"]);
/** Files whose names change with their content. One that is gone needs no rendered page to say so. */
export const HASHED_PREFIX = "/assets/";

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { log, trustedProxies = 0 } = options;
  const pipelined = new PipelinedRequests();
  const beginnings = new FairQueue(BEGINNINGS);
  const repeats = new RepeatedLog(log, Date.now);
  let hasWarned = false;

  async function dispatch(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    address: string,
    nonce: string,
  ): Promise<void> {
    // A browser takes what begins like this for another host, as soon as it is redirected to it.
    if (!path.startsWith("/") || /^\/[/\\]/.test(path))
      throw new HttpError(400, "invalidArgument", "The address is wrong.");
    if (!METHODS.has(request.method ?? "")) {
      throw new HttpError(405, "invalidArgument", "The method is not supported.");
    }
    requireAcceptableBody(request, response);
    if (path === "/api" || path.startsWith("/api/")) {
      if (await answerApi(request, response, path, address)) return;
      throw new HttpError(404, "notFound", "There is nothing at this address.");
    }
    // In development; the accounts say themselves whether they answer it.
    const isOutbox = path === "/outbox" || path.startsWith("/outbox/");
    if (isOutbox && (await options.accounts(request, response))) return;
    if (await options.files(request, response)) return;
    if (path.startsWith(HASHED_PREFIX) && !options.development) {
      throw new HttpError(404, "notFound", "There is no such file.");
    }
    if (!PAGE_METHODS.has(request.method ?? "")) {
      response.setHeader("allow", [...PAGE_METHODS].join(", "));
      throw new HttpError(405, "invalidArgument", "Pages are read with GET.");
    }
    // A page holds its reader's token and session.
    response.setHeader("cache-control", "private, no-store");
    await inTurn(response, address, () => options.page(request, response, { nonce }));
  }

  /** When the address has rested from what it asked for before, and others have begun in between. */
  async function inTurn<T>(
    response: ServerResponse,
    address: string,
    work: () => T | Promise<T>,
  ): Promise<T> {
    const client = clientKeyOf(undefined, address);
    await options.shares.schedule(client, () => options.shares.charge(client, REQUEST_MS));
    try {
      const begun = await beginnings.run(client, () => {
        if (response.destroyed) throw callerLeft();
        // In a box: the place is free as soon as the work has begun.
        return { outcome: work() };
      });
      return await begun.outcome;
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      response.setHeader("retry-after", "1");
      const message = "Too many requests wait at this moment. Try again shortly.";
      throw new HttpError(503, "unavailable", message);
    }
  }

  function answerApi(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    address: string,
  ) {
    if (path.startsWith(`${options.accountsPath}/`)) {
      return inTurn(response, address, () => options.accounts(request, response));
    }
    if (HEALTH_PATHS.has(path)) return options.health(request, response);
    return options.reactive(request, response);
  }

  async function handle(
    request: IncomingMessage,
    response: ServerResponse,
    setRequestLog: (log: Log) => void,
  ): Promise<void> {
    const path = pathOf(request);
    const address = addressOf(request);
    const nonce = randomBytes(16).toString("base64");
    const requestLog = logRequest({ log, repeats }, request, response, path, address);
    setRequestLog(requestLog);
    declareClientAddress(request, address);
    setSecurityHeaders(request, response, nonce, options);
    // The page that asks is counted, and would otherwise wait for itself where its address has no more left.
    if (options.ownRequests.visitorOf(request) !== undefined) {
      await dispatch(request, response, path, address, nonce);
      return;
    }
    const onAnswered = options.requests.begin(response, address);
    await dispatch(request, response, path, address, nonce);
    onAnswered();
  }

  /** Reads what no handler wanted: Node would do so at full speed. */
  function discardUnread(request: IncomingMessage): void {
    if (request.complete || request.destroyed || request.listenerCount("data") > 0) return;
    if (Number(request.headers["content-length"] ?? 0) <= UNREAD_BYTES_MAX) return;
    const client = clientKeyOf(undefined, addressOf(request));
    readInTurn(request, { shares: options.shares, client });
  }

  function addressOf(request: IncomingMessage): string {
    const visitor = options.ownRequests.visitorOf(request);
    if (visitor !== undefined) return visitor;
    if (trustedProxies === 0 && !hasWarned && isForwarded(request)) {
      hasWarned = true;
      log.warn(
        "a request came through a proxy, and TRUSTED_PROXIES is 0: all who come through it count as " +
          "one address. Set it to the number of your proxies; if you have none, ignore this",
      );
    }
    return clientAddressOf(request, trustedProxies);
  }

  return {
    handleRequest(request, response) {
      if (!pipelined.admit(request, response)) return;
      let requestLog = log;
      handle(request, response, (its) => (requestLog = its))
        .catch((error: unknown) => answerError(error, request, response, requestLog))
        .finally(() => discardUnread(request));
    },
    handleUpgrade(request, socket, head) {
      // A peer that vanishes before anybody listens must not end the process.
      socket.on("error", () => {});
      try {
        declareClientAddress(request, addressOf(request));
        if (options.reactiveUpgrade(request, socket, head) || options.development) return;
        refuseUpgrade(socket, "404 Not Found");
      } catch (error) {
        log.error({ err: error }, "an upgrade failed");
        socket.destroy();
      }
    },
  };
}

function callerLeft(): HttpError {
  return new HttpError(400, "invalidArgument", "The caller has left.");
}

function isForwarded({ headers }: IncomingMessage): boolean {
  return headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
}

function answerError(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  log: Log,
): void {
  const wasCutOff = request.errored !== null && !request.complete;
  if (wasCutOff) log.debug({ err: error }, "a request was cut off");
  else if (!(error instanceof HttpError)) log.error({ err: error }, "a request failed");
  if (response.headersSent) {
    // Half an answer is already out; ending the connection is the only way to say that it is one.
    response.destroy();
    return;
  }
  if (error instanceof HttpError) sendJson(response, error.status, error.data);
  else
    sendJson(response, 500, { code: "serverError", message: "Something went wrong on our side." });
}

/**
 * One line for each request once it is over; those that find a part of the exchange away are counted.
 * Addresses are logged without their query: it may hold tokens.
 */
function logRequest(
  { log, repeats }: { readonly log: Log; readonly repeats: RepeatedLog },
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  address: string,
): Log {
  const startedMs = performance.now();
  const child = log.child({
    request: randomUUID(),
    method: request.method,
    // The link of a password reset has its secret in the path.
    path: path.replace(/(\/reset-password\/).+/, "$1[redacted]"),
    address,
  });
  response.on("close", () => {
    const status = response.statusCode;
    const details = {
      status,
      durationMs: Math.round((performance.now() - startedMs) * 10) / 10,
      ...(response.writableFinished ? {} : { cutOff: true }),
    };
    if (status === 503) repeats.warn(details, "a request was turned away", child);
    else if (status >= 500 && status !== STATUS_FUNCTION_FAILED) child.warn(details, "request");
    // What went well is of no interest to who looks after the server.
    else if (status >= 400) child.info(details, "request");
    else child.debug(details, "request");
  });
  return child;
}

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? "";
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

/**
 * Common handling of every request, before and after its handler: rate limiting, the client's
 * address, security headers, a body limit, error responses and a log line. A starting and a running
 * exchange share it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type ClientKey, clientKeyOf } from "../limits/client-key.ts";
import { readInTurn } from "../limits/reading-in-turn.ts";
import { RepeatedLog } from "../limits/repeated-log.ts";
import type { WorkShares } from "../limits/work-shares.ts";
import type { Log } from "../log.ts";
import { requireAcceptableBody, requireAcceptableHeaders } from "./body-limit.ts";
import { clientAddressOf, declareClientAddress, nameClientAddress } from "./client-address.ts";
import type { ClientRequests } from "./client-requests.ts";
import { HttpError, sendJson } from "./json-answer.ts";
import type { OwnRequests } from "./own-requests.ts";
import { isOfUndeclaredLength } from "./parsing-limits.ts";
import { PipelinedRequests } from "./pipelined-requests.ts";
import { type FinishedRequest, logRequest } from "./request-log.ts";
import { takeRandomBytes } from "./random-pool.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";
import { programHeadersOf, setSecurityHeaders } from "./security-headers.ts";
import { setHeaders } from "./set-headers.ts";

export interface Visit {
  /** The path without query; begins with one slash. */
  readonly path: string;
  readonly address: string;
  /** Nonce of the page's scripts in the content security policy. */
  readonly nonce: string;
}

export interface Answerer {
  /** Answers a request. May throw an HttpError; any other error becomes a 500 without details. */
  answer(request: IncomingMessage, response: ServerResponse, visit: Visit): unknown;
  /** Handles an upgrade; false if it is for another handler. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Development mode: allows the dev server's inline scripts and its own upgrades (hot reload). */
  readonly development?: boolean;
  /**
   * Whether the path belongs to the trading API, which has no pages, does not use the auth library and
   * sends the headers of `programHeadersOf` by itself.
   */
  isForPrograms?(path: string): boolean;
}

export interface EdgeOptions {
  readonly log: Log;
  readonly requests: ClientRequests;
  /**
   * Recognises requests that this process makes while rendering; they count against the page's
   * visitor.
   */
  readonly ownRequests: OwnRequests;
  /** Limits each client's use of the event loop. */
  readonly shares: WorkShares;
  /**
   * The public URL. With `https:` browsers are instructed to use HTTPS only, and pages connect to the
   * matching `wss:`.
   */
  readonly publicUrl?: string;
  /** The origin of the reactive backend, if it is not the page's own. */
  readonly backendUrl?: string | undefined;
  /** Called for every finished request. */
  readonly onFinished?: (request: FinishedRequest) => void;
  /** How many of our own proxies append to X-Forwarded-For; 0 trusts none. */
  readonly trustedProxies?: number;
}

export interface Edge {
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse) => void;
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  passTo(next: Answerer): void;
}

/** At least 128 bits, as the CSP specification requires. */
const NONCE_BYTES = 16;
/**
 * The approximate event-loop time of a request without its handler, in milliseconds, logging
 * included.
 */
const REQUEST_MS = 0.1;
/**
 * Requests that may wait per throttled address, which may be a proxy's. The connections of further
 * requests are closed.
 */
const WAITING_MAX = 512;
/** An unread body up to this size is left to Node. */
const UNREAD_BYTES_MAX = 65_536;
/** The longest path; a query may be longer. */
const PATH_LENGTH_MAX = 1_024;
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

export function createEdge(options: EdgeOptions, first: Answerer): Edge {
  const { log, onFinished, trustedProxies = 0 } = options;
  /** Number of waiting requests per throttled client. */
  const waiting = new Map<ClientKey, number>();
  const pipelined = new PipelinedRequests();
  const repeats = new RepeatedLog(log, Date.now);
  const programHeaders = programHeadersOf(options);
  let answerer = first;
  let hasWarned = false;

  function answer(request: IncomingMessage, response: ServerResponse, visit: Visit): unknown {
    // Much that is done with a path takes longer than its length.
    if (visit.path.length > PATH_LENGTH_MAX) {
      throw new HttpError(414, "invalidArgument", "The address is too long.");
    }
    // In a redirect, browsers would interpret a path with two leading slashes as another host.
    if (!visit.path.startsWith("/") || /^\/[/\\]/.test(visit.path))
      throw new HttpError(400, "invalidArgument", "The address is wrong.");
    if (!METHODS.has(request.method ?? "")) {
      throw new HttpError(405, "invalidArgument", "The method is not supported.");
    }
    requireAcceptableHeaders(request);
    requireAcceptableBody(request, response);
    return answerer.answer(request, response, visit);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let requestLog = () => log;
    try {
      const path = pathOf(request);
      const address = addressOf(request);
      requestLog = logRequest({ log, repeats, onFinished }, request, response, path, address);
      const visit = { path, address, nonce: prepare(request, response, path, address) };
      // A request made while rendering counts as part of the page's request: if it had to wait for
      // its address, the page would wait for itself.
      if (options.ownRequests.visitorOf(request) !== undefined) {
        await answer(request, response, visit);
        return;
      }
      const turn = turnOf(request, address);
      if (turn !== undefined) await turn;
      const onAnswered = options.requests.begin(response, address);
      await answer(request, response, visit);
      onAnswered();
    } catch (error) {
      answerError(error, request, response, requestLog());
    } finally {
      discardUnread(request);
    }
  }

  /**
   * Sets the headers before any handler runs; those of programs are sent with their answers.
   * @returns the nonce of the page's scripts
   */
  function prepare(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    address: string,
  ): string {
    if (answerer.isForPrograms?.(path) === true) {
      nameClientAddress(request, address);
      return "";
    }
    const nonce = takeRandomBytes(NONCE_BYTES).toString("base64");
    declareClientAddress(request, address);
    const { development = false } = answerer;
    setSecurityHeaders(request, response, nonce, { ...options, development });
    return nonce;
  }

  /**
   * Charges the address the fixed cost of a request, which files and refusals have as well.
   * @returns a promise to wait for if the address is throttled
   */
  function turnOf({ socket }: IncomingMessage, address: string): Promise<void> | undefined {
    const client = clientKeyOf(undefined, address);
    const { shares } = options;
    if (shares.isThrottled(client)) return waitForTurn(socket, client);
    shares.charge(client, REQUEST_MS);
    return undefined;
  }

  async function waitForTurn(socket: Socket, client: ClientKey): Promise<void> {
    const { shares } = options;
    const before = waiting.get(client) ?? 0;
    if (before >= WAITING_MAX) {
      socket.destroy();
      throw new HttpError(503, "unavailable", "Too many requests wait at this moment.");
    }
    waiting.set(client, before + 1);
    await shares.schedule(client, () => shares.charge(client, REQUEST_MS));
    if (waiting.get(client) === 1) waiting.delete(client);
    else waiting.set(client, (waiting.get(client) ?? 1) - 1);
    if (socket.destroyed) throw new HttpError(400, "invalidArgument", "The caller has left.");
  }

  /** Reads a body that no handler has read, at the client's rate; Node would read it at full speed. */
  function discardUnread(request: IncomingMessage): void {
    if (request.complete || request.destroyed || request.listenerCount("data") > 0) return;
    if (Number(request.headers["content-length"] ?? 0) <= UNREAD_BYTES_MAX) return;
    const client = clientKeyOf(undefined, addressOf(request));
    readInTurn(request, { shares: options.shares, client });
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
      // Part of the response has been sent: only closing the connection can signal the error.
      response.destroy();
      return;
    }
    if (answerer.isForPrograms?.(pathOf(request)) === true) setHeaders(response, programHeaders);
    if (error instanceof HttpError) sendJson(response, error.status, error.data);
    else {
      const message = "Something went wrong on our side.";
      sendJson(response, 500, { code: "serverError", message });
    }
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
      // Its body is not parsed, so the next request cannot be found after it.
      if (isOfUndeclaredLength(request)) response.setHeader("connection", "close");
      pipelined.handle(request, response, () => void handle(request, response));
    },
    handleUpgrade(request, socket, head) {
      // Without a listener, a socket error would end the process.
      socket.on("error", () => {});
      try {
        declareClientAddress(request, addressOf(request));
        if (answerer.upgrade(request, socket, head) || answerer.development) return;
        refuseUpgrade(socket, "404 Not Found");
      } catch (error) {
        log.error({ err: error }, "an upgrade failed");
        socket.destroy();
      }
    },
    passTo(next) {
      answerer = next;
    },
  };
}

function isForwarded({ headers }: IncomingMessage): boolean {
  return headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
}

function pathOf(request: IncomingMessage): string {
  const url = request.url ?? "";
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

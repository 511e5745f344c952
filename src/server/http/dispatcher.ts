/** Which handler answers which request. The handlers are passed in; this file knows none of them. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { clientKeyOf } from "../limits/client-key.ts";
import { FairQueue, QueueFullError } from "../limits/fair-queue.ts";
import type { WorkShares } from "../limits/work-shares.ts";
import type { Answerer, Visit } from "./edge.ts";
import type { Handler, PageHandler } from "./handlers.ts";
import { HEALTH_PATHS } from "./health.ts";
import { HttpError } from "./json-answer.ts";

export interface DispatcherOptions {
  /** What each address may use of the event loop. */
  readonly shares: WorkShares;
  /** Such as "/api/auth". */
  readonly accountsPath: string;
  /** Paths below `accountsPath`, and `/outbox` if it answers that. */
  readonly accounts: Handler;
  /** `GET /api/health`, `/api/health/live` and `/api/health/ready` */
  readonly health: Handler;
  /** `GET /metrics`; false if there is no such address. */
  readonly metrics: Handler;
  /** Downloads, below `/api/exports/`. */
  readonly exports: Handler;
  /** `GET /api/solvency` */
  readonly solvency: Handler;
  /** The interface for programs, at the paths that `isForPrograms` tells. */
  readonly tradingApi: Handler;
  readonly isForPrograms: (path: string) => boolean;
  readonly reactive: Handler;
  /** WebSockets; false if the upgrade is for another handler. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Built files; false if there is no such file. */
  readonly files: Handler;
  /** Icons of coins without one. */
  readonly coinIcons: Handler;
  readonly coinBadges: Handler;
  /** Everything else: server rendering. */
  readonly page: PageHandler;
  /** Allows the development server's inline scripts and its own upgrades (hot reload). */
  readonly development?: boolean;
}

/**
 * The approximate cost to the event loop of a request to the accounts, or for a page. It runs in
 * many pieces between others' work, so it is not timed.
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

const PAGE_METHODS = new Set(["GET", "HEAD", "POST"]);
/** Files whose names change with their content. A missing one does not need a rendered 404 page. */
export const HASHED_PREFIX = "/assets/";

export function createDispatcher(options: DispatcherOptions): Answerer {
  const beginnings = new FairQueue(BEGINNINGS);

  async function dispatch(
    request: IncomingMessage,
    response: ServerResponse,
    { path, address, nonce }: Visit,
  ): Promise<void> {
    if (options.isForPrograms(path) && (await options.tradingApi(request, response))) return;
    if (path === "/api" || path.startsWith("/api/")) {
      if (await answerApi(request, response, path, address)) return;
      throw new HttpError(404, "notFound", "There is nothing at this address.");
    }
    if (await options.metrics(request, response)) return;
    // In development; the accounts decide whether they answer it.
    const isOutbox = path === "/outbox" || path.startsWith("/outbox/");
    if (isOutbox && (await options.accounts(request, response))) return;
    if (await options.coinIcons(request, response)) return;
    if (await options.files(request, response)) return;
    // In development the icons are Vite's, and it answers last.
    if (!options.development && (await options.coinBadges(request, response))) return;
    if (path.startsWith(HASHED_PREFIX) && !options.development) {
      throw new HttpError(404, "notFound", "There is no such file.");
    }
    if (!PAGE_METHODS.has(request.method ?? "")) {
      response.setHeader("allow", [...PAGE_METHODS].join(", "));
      throw new HttpError(405, "invalidArgument", "Pages are read with GET.");
    }
    // A page contains its reader's token and session.
    response.setHeader("cache-control", "private, no-store");
    await inTurn(response, address, () => options.page(request, response, { nonce }));
  }

  /**
   * Once the address has rested from its earlier requests, and others have had their turns in
   * between.
   */
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
        // Wrapped in an object: the place is free as soon as the work has begun.
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
    if (path === "/api/solvency") {
      return inTurn(response, address, () => options.solvency(request, response));
    }
    if (path.startsWith("/api/exports/")) {
      return inTurn(response, address, () => options.exports(request, response));
    }
    return options.reactive(request, response);
  }

  return {
    answer: dispatch,
    upgrade: options.upgrade,
    isForPrograms: options.isForPrograms,
    development: options.development,
  };
}

function callerLeft(): HttpError {
  return new HttpError(400, "invalidArgument", "The caller has left.");
}

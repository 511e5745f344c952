/** Routes requests to handlers. The handlers are passed in; this file knows none of them. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { clientKeyOf } from "../limits/client-key.ts";
import { FairQueue, type Preference, QueueFullError } from "../limits/fair-queue.ts";
import type { WorkShares } from "../limits/work-shares.ts";
import type { Answerer, Visit } from "./edge.ts";
import type { Handler, PageHandler } from "./handlers.ts";
import { HEALTH_PATHS } from "./health.ts";
import { HttpError } from "./json-answer.ts";

export interface DispatcherOptions {
  /** Limits each client's use of the event loop. */
  readonly shares: WorkShares;
  /** Path of the auth API, such as "/api/auth". */
  readonly accountsPath: string;
  /** Answers paths below `accountsPath`; returns false for `/outbox` if there is none. */
  readonly accounts: Handler;
  /** `GET /api/health`, `/api/health/live` and `/api/health/ready` */
  readonly health: Handler;
  /** `GET /metrics`; false if metrics are not offered. */
  readonly metrics: Handler;
  /** File exports, below `/api/exports/`. */
  readonly exports: Handler;
  /** `GET /api/solvency` */
  readonly solvency: Handler;
  /** The trading API, which answers all paths for which `isForPrograms` is true. */
  readonly tradingApi: Handler;
  readonly isForPrograms: (path: string) => boolean;
  readonly reactive: Handler;
  /** Handles WebSocket upgrades; false if the upgrade is for another handler. */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** Static files of the build; false if the file does not exist. */
  readonly files: Handler;
  /** Uploaded icons of coins; false if the coin has none. */
  readonly coinIcons: Handler;
  /** Badges for coins without an icon. */
  readonly coinBadges: Handler;
  /** Answers everything else with a server-rendered page. */
  readonly page: PageHandler;
  /** Development mode: allows the dev server's inline scripts and its own upgrades (hot reload). */
  readonly development?: boolean;
}

/**
 * The approximate event-loop time of an auth or page request, in milliseconds. It is estimated because
 * the work on such a request is interleaved with that on others.
 */
const REQUEST_MS = 2.5;
/** Few auth and page requests start per turn of the event loop, however many arrive at once. */
const START_LIMITS = {
  what: "requests",
  underWay: 2,
  underWayPerClient: 1,
  waiting: 4_000,
  waitingPerClient: 1_000,
} as const;

const PAGE_METHODS = new Set(["GET", "HEAD", "POST"]);
/**
 * Path of files whose names contain a hash of their content. A missing file gets no rendered 404
 * page.
 */
export const HASHED_PREFIX = "/assets/";

export function createDispatcher(options: DispatcherOptions): Answerer {
  const starts = new FairQueue(START_LIMITS);

  async function dispatch(
    request: IncomingMessage,
    response: ServerResponse,
    { path, address, nonce }: Visit,
  ): Promise<void> {
    if (path === "/api" || path.startsWith("/api/")) {
      if (await answerApi(request, response, path, address)) return;
      throw new HttpError(404, "notFound", "There is nothing at this address.");
    }
    if (await options.metrics(request, response)) return;
    // The mail outbox, in development only: the auth handler decides whether to answer.
    const isOutbox = path === "/outbox" || path.startsWith("/outbox/");
    if (isOutbox && (await options.accounts(request, response))) return;
    if (await options.coinIcons(request, response)) return;
    if (await options.files(request, response)) return;
    // In development Vite serves the built icons, and only after this.
    if (!options.development && (await options.coinBadges(request, response))) return;
    if (path.startsWith(HASHED_PREFIX) && !options.development) {
      throw new HttpError(404, "notFound", "There is no such file.");
    }
    if (!PAGE_METHODS.has(request.method ?? "")) {
      response.setHeader("allow", [...PAGE_METHODS].join(", "));
      throw new HttpError(405, "invalidArgument", "Pages are read with GET.");
    }
    // Pages contain the viewer's token and session.
    response.setHeader("cache-control", "private, no-store");
    const preference = preferenceOf(address);
    await inTurn(response, address, () => options.page(request, response, { nonce, preference }));
  }

  /** A crowd of visitors never shuts out users who have signed in at their address. */
  function preferenceOf(address: string): Preference {
    return options.shares.isVouched(clientKeyOf(undefined, address)) ? "preferred" : "ordinary";
  }

  /** Runs the work when the address is no longer throttled, and others have had their turns. */
  async function inTurn<T>(
    response: ServerResponse,
    address: string,
    work: () => T | Promise<T>,
  ): Promise<T> {
    const client = clientKeyOf(undefined, address);
    await options.shares.schedule(client, () => options.shares.charge(client, REQUEST_MS));
    const preference = preferenceOf(address);
    try {
      const start = () => {
        if (response.destroyed) {
          throw new HttpError(400, "invalidArgument", "The caller has left.");
        }
        // Wrapped in an object so that the promise is not awaited: the queue's place is free as
        // soon as the work has started.
        return { outcome: work() };
      };
      const started = await starts.run(client, start, undefined, preference);
      return await started.outcome;
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
    answer(request, response, visit) {
      if (options.isForPrograms(visit.path)) return options.tradingApi(request, response);
      return dispatch(request, response, visit);
    },
    upgrade: options.upgrade,
    isForPrograms: options.isForPrograms,
    development: options.development,
  };
}

/**
 * Answers requests while the exchange starts: the port is open before the journal is replayed, so that
 * pages and load balancers can report it. An API call waits for the exchange, so that a short start is
 * a slow answer and not a failure; after some seconds the answer asks it to retry.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { escapeHtml, htmlPage, sendHtml } from "./html.ts";
import type { Answerer, Visit } from "./edge.ts";
import { sendJson } from "./json-answer.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";

const RETRY_AFTER_SECONDS = 2;
/** Shorter than the timeouts of most clients and proxies. */
const CALL_WAITS_MS = 10_000;

export interface StartProgress {
  readonly percent: number;
  readonly secondsLeft?: number;
}

export interface StartingOptions {
  readonly productName: string;
  /** Undefined until known. */
  readonly progress: () => StartProgress | undefined;
  /** The handler, once the exchange is open; never settles if the start fails. */
  readonly opened: Promise<Answerer>;
  readonly callWaitsMs?: number;
}

export function whileStarting(options: StartingOptions): Answerer {
  const { productName, progress: progressOf, opened, callWaitsMs = CALL_WAITS_MS } = options;
  const status = "starting";

  async function answerCall(request: IncomingMessage, response: ServerResponse, visit: Visit) {
    const open = await Promise.race([opened, nothingAfter(callWaitsMs)]);
    if (open !== null) {
      await open.answer(request, response, visit);
      return;
    }
    response.setHeader("retry-after", RETRY_AFTER_SECONDS);
    const message = "The exchange is starting; try again in a moment.";
    sendJson(response, 503, { code: "unavailable", message });
  }

  return {
    async answer(request, response, visit) {
      const { path } = visit;
      const progress = progressOf();
      if (path === "/api/health/live") {
        sendJson(response, 200, { status });
        return;
      }
      const isHealth = path === "/api/health" || path === "/api/health/ready";
      if (!isHealth && (path === "/api" || path.startsWith("/api/"))) {
        await answerCall(request, response, visit);
        return;
      }
      response.setHeader("retry-after", RETRY_AFTER_SECONDS);
      if (isHealth) {
        sendJson(response, 503, { ...NOTHING_YET, status, progress });
      } else {
        response.setHeader("refresh", RETRY_AFTER_SECONDS);
        sendHtml(response, 503, startingPage(productName, progress));
      }
    },
    upgrade(_request, socket) {
      refuseUpgrade(socket, `503 Service Unavailable\r\nRetry-After: ${RETRY_AFTER_SECONDS}`);
      return true;
    },
  };
}

/** Parts of a running exchange's health report; values not known yet, such as the sequence, are absent. */
const NOTHING_YET = {
  history: { status: "starting" },
  problems: [],
  warnings: [],
};

function nothingAfter(ms: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref();
  });
}

function startingPage(productName: string, progress: StartProgress | undefined): string {
  const { percent = 0, secondsLeft } = progress ?? {};
  const left =
    secondsLeft === undefined || secondsLeft < 1 ? "" : ` About ${timeText(secondsLeft)} left.`;
  const done = progress === undefined ? "" : ` ${percent} % of its journal is read.${left}`;
  return htmlPage(
    `${productName} is starting`,
    `<h1>${escapeHtml(productName)} is starting</h1>` +
      `<p role="status">${done.trim()} This page shows the exchange as soon as it is open.</p>`,
  );
}

function timeText(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "one second" : `${seconds} seconds`;
  return `${Math.round(seconds / 60)} minutes`;
}

/**
 * Answers while the exchange starts: the port is open before the journal is replayed, so that people
 * see a page that says so, and load balancers and programs are told to come back.
 */
import { escapeHtml, htmlPage, sendHtml } from "../accounts/requests/html.ts";
import type { Answerer } from "./edge.ts";
import { sendJson } from "./json-answer.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";

const RETRY_AFTER_SECONDS = 2;

export interface StartProgress {
  readonly percent: number;
  readonly secondsLeft?: number;
}

export interface StartingOptions {
  readonly productName: string;
  /** Undefined while it is not known. */
  readonly progress: () => StartProgress | undefined;
}

export function whileStarting({ productName, progress: progressOf }: StartingOptions): Answerer {
  return {
    answer(_request, response, { path }) {
      const progress = progressOf();
      if (path === "/api/health/live") {
        sendJson(response, 200, { status: "starting" });
        return;
      }
      response.setHeader("retry-after", RETRY_AFTER_SECONDS);
      if (path === "/api/health" || path === "/api/health/ready") {
        sendJson(response, 503, { status: "starting", progress });
      } else if (path === "/api" || path.startsWith("/api/")) {
        const message = "The exchange is starting; try again in a moment.";
        sendJson(response, 503, { code: "unavailable", message });
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

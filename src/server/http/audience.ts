/** Whether anyone uses the exchange: the simulation trades less while nobody does. */
import type { Duplex } from "node:stream";
import type { FinishedRequest } from "./request-log.ts";

/** How long a request counts: pages that are looked at have a WebSocket open. */
const REQUEST_COUNTS_MS = 60_000;
/** Asked by machines, all day. */
const WATCHING = /^\/(?:api\/health|metrics)(?:\/|$)/;

export class Audience {
  readonly #nowMs: () => number;
  #connections = 0;
  /** Whoever starts an exchange looks at it first. */
  #lastMs: number;

  /** @param nowMs monotonic milliseconds */
  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#lastMs = nowMs();
  }

  finished({ path }: Pick<FinishedRequest, "path">): void {
    if (!WATCHING.test(path)) this.#lastMs = this.#nowMs();
  }

  /** A WebSocket, which counts until it closes. */
  connected(socket: Duplex): void {
    this.#connections += 1;
    socket.once("close", () => (this.#connections -= 1));
  }

  isThere(): boolean {
    return this.#connections > 0 || this.#nowMs() - this.#lastMs < REQUEST_COUNTS_MS;
  }
}

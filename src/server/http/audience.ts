/** Tracks whether anyone uses the exchange: the simulation trades less while no one does. */
import type { Duplex } from "node:stream";
import type { FinishedRequest } from "./request-log.ts";

/** How long after a request the exchange counts as used; pages in view have a WebSocket open as well. */
const REQUEST_COUNTS_MS = 60_000;
/** Paths that monitoring requests all day; they do not count. */
const WATCHING = /^\/(?:api\/health|metrics)(?:\/|$)/;

export class Audience {
  readonly #nowMs: () => number;
  #connections = 0;
  /** Initially the start, which counts as use. */
  #lastMs: number;

  /** @param nowMs monotonic milliseconds */
  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#lastMs = nowMs();
  }

  finished({ path }: Pick<FinishedRequest, "path">): void {
    if (!WATCHING.test(path)) this.#lastMs = this.#nowMs();
  }

  /** Counts a WebSocket until it closes. */
  connected(socket: Duplex): void {
    this.#connections += 1;
    socket.once("close", () => (this.#connections -= 1));
  }

  isPresent(): boolean {
    return this.#connections > 0 || this.#nowMs() - this.#lastMs < REQUEST_COUNTS_MS;
  }
}

/**
 * When connections are updated: after urgent changes in the next turn of the event loop, after
 * others at most ten times a second. Either way a slice at a time, so that a fan-out to thousands
 * of connections delays a mutation by one slice at most.
 */
import type { Urgency } from "./executor.ts";

export interface Flushable {
  flush(): void;
}

const CONNECTIONS_PER_SLICE = 32;
const SLICE_MS_MAX = 5;
const CONFLATION_INTERVAL_MS = 100;

export class FlushSchedule {
  #clock: () => number;
  #urgent = new Set<Flushable>();
  /** Waiting for the next tick of the conflated changes. */
  #conflated = new Set<Flushable>();
  /** Taken by the last tick. */
  #fanOut = new Set<Flushable>();
  #slice: NodeJS.Immediate | undefined;
  #tick: NodeJS.Timeout | undefined;
  #lastTickMs = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  add(connection: Flushable, urgency: Urgency): void {
    if (urgency === "now") {
      this.#urgent.add(connection);
      this.#startSlice();
      return;
    }
    this.#conflated.add(connection);
    if (this.#tick !== undefined) return;
    const sinceMs = this.#clock() - this.#lastTickMs;
    // If the clock was set back, act as if a long time had passed.
    const waitMs = sinceMs < 0 ? 0 : Math.max(0, CONFLATION_INTERVAL_MS - sinceMs);
    this.#tick = setTimeout(this.#onTick, waitMs);
  }

  /** Call it when a connection has closed or was updated by other means. */
  remove(connection: Flushable): void {
    this.#urgent.delete(connection);
    this.#conflated.delete(connection);
    this.#fanOut.delete(connection);
  }

  close(): void {
    clearTimeout(this.#tick);
    clearImmediate(this.#slice);
    this.#tick = undefined;
    this.#slice = undefined;
    this.#urgent.clear();
    this.#conflated.clear();
    this.#fanOut.clear();
  }

  #onTick = (): void => {
    this.#tick = undefined;
    this.#lastTickMs = this.#clock();
    for (const connection of this.#conflated) this.#fanOut.add(connection);
    this.#conflated.clear();
    this.#startSlice();
  };

  #startSlice(): void {
    this.#slice ??= setImmediate(this.#runSlice);
  }

  #runSlice = (): void => {
    this.#slice = undefined;
    let left = CONNECTIONS_PER_SLICE;
    const untilMs = performance.now() + SLICE_MS_MAX;
    for (const queue of [this.#urgent, this.#fanOut]) {
      for (const connection of queue) {
        if (left-- === 0 || performance.now() > untilMs) {
          this.#startSlice();
          return;
        }
        queue.delete(connection);
        connection.flush();
      }
    }
  };
}

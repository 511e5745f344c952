/**
 * Schedules the updates of connections: after urgent changes in the next turn of the event loop,
 * after others at most ten times a second, and each connection at most twenty times a second,
 * because a user's own orders may change far faster than anyone reads. Updates run in slices, so
 * that a fan-out to thousands of connections delays a mutation by one slice at most.
 */
import type { Urgency } from "./executor.ts";

export interface Flushable {
  flush(): void;
}

/**
 * A slice delays the thread's other work, and an order meets several: on its arrival, before it
 * is sent to the engine, and with its answer. With four times as many connections in a slice, orders
 * beside a fan-out to 1 000 pages took twice as long at p99.
 */
const CONNECTIONS_PER_SLICE = 8;
const SLICE_MS_MAX = 0.5;
const CONFLATION_INTERVAL_MS = 100;
/** An urgent change within this time after the connection's last update waits for the next tick. */
const URGENT_INTERVAL_MS = 50;

export class FlushSchedule {
  #clock: () => number;
  readonly #unsettled: (() => Promise<void> | undefined) | undefined;
  #urgent = new Set<Flushable>();
  /** Connections with conflated changes, which wait for the next tick. */
  #conflated = new Set<Flushable>();
  /** Connections that the last tick took and that are not updated yet. */
  #fanOut = new Set<Flushable>();
  #slice: NodeJS.Immediate | undefined;
  #tick: NodeJS.Timeout | undefined;
  #lastTickMs = 0;
  readonly #updatedAtMs = new WeakMap<Flushable, number>();

  /**
   * @param unsettled returns a promise that resolves when queries may run again; undefined if they
   * may run now
   */
  constructor(clock: () => number, unsettled?: () => Promise<void> | undefined) {
    this.#clock = clock;
    this.#unsettled = unsettled;
  }

  /** Whether no query may run now; the connection is then updated as soon as queries may run again. */
  defer(connection: Flushable): boolean {
    const unsettled = this.#unsettled?.();
    void unsettled?.then(() => this.add(connection, "now"));
    return unsettled !== undefined;
  }

  add(connection: Flushable, urgency: Urgency): void {
    if (urgency === "now" && !this.#wasJustUpdated(connection)) {
      this.#urgent.add(connection);
      this.#startSlice();
      return;
    }
    if (this.#urgent.has(connection)) return;
    this.#conflated.add(connection);
    if (this.#tick !== undefined) return;
    const sinceMs = this.#clock() - this.#lastTickMs;
    // If the clock was set back, act as if enough time had passed.
    const waitMs = sinceMs < 0 ? 0 : Math.max(0, CONFLATION_INTERVAL_MS - sinceMs);
    this.#tick = setTimeout(this.#onTick, waitMs);
  }

  #wasJustUpdated(connection: Flushable): boolean {
    const sinceMs = this.#clock() - (this.#updatedAtMs.get(connection) ?? -Infinity);
    return sinceMs >= 0 && sinceMs < URGENT_INTERVAL_MS;
  }

  /** Removes a connection that has closed or was updated by other means. */
  remove(connection: Flushable): void {
    this.#updatedAtMs.set(connection, this.#clock());
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
    for (const connection of this.#conflated) {
      if (this.#wasJustUpdated(connection)) continue;
      this.#conflated.delete(connection);
      this.#fanOut.add(connection);
    }
    if (this.#conflated.size > 0) this.#tick = setTimeout(this.#onTick, CONFLATION_INTERVAL_MS);
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

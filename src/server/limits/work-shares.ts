/**
 * Limits each client's share of the event loop. Work done for a client is timed; a client that has
 * used more than its share within a short time is throttled, across all its connections and calls,
 * and others are served.
 *
 * - A client gets a quarter of the loop, and a sixth if it keeps using up its share. The more
 *   clients do so, the longer each is throttled, so that together they never use more than about half
 *   of the loop, however many addresses an attacker has. A client that uses up its share once or
 *   twice, such as a loading page, is not throttled longer because of others.
 * - Work done for a throttled client, such as finishing what it had begun, counts towards its next
 *   throttling.
 * - Of a client's waiting work, that of the connection with the least recent work goes first: a new
 *   connection does not wait for the backlog of others at its address.
 */
import type { ClientKey } from "./client-key.ts";

/**
 * Work after which a client is throttled: too short for a person to notice, and longer than most
 * pages need to load.
 */
const WORK_MS_MAX = 10;
const WINDOW_MS = 50;
/** Duration of a throttling, as a multiple of the work before it. */
const THROTTLE_FACTOR = 3;
/** Duration of a throttling, likewise, for a client that keeps using up its share. */
const THROTTLE_FACTOR_PERSISTENT = 5;
/** A client that is throttled again within this time keeps using up its share. */
const AGAIN_MS = 1_000;
/**
 * After this many consecutive throttlings, a client is throttled longer, the more clients do the
 * same.
 */
const THROTTLES_IN_ROW_MAX = 3;
/** The multiple is at least this times the number of clients that keep using up their share. */
const THROTTLE_FACTOR_EACH = 2;
/**
 * The approximate time to check a caller's token, in milliseconds; estimated because it is done in
 * pieces beside others' work.
 */
export const AUTHENTICATION_MS = 0.2;
const SWEEP_AT = 1_000;
/** The period after which a connection's past work counts half. */
const HALF_LIFE_MS = 5_000;

interface Usage {
  windowStartMs: number;
  spentMs: number;
  throttle: NodeJS.Timeout | undefined;
  throttleEndMs: number;
  throttlesInRow: number;
  /** Waiting callbacks; first come, first served among connections with equal recent work. */
  readonly waiting: Map<() => void, RecentWork | undefined>;
}

/** The recent work done for one of a client's connections. */
export class RecentWork {
  #ms = 0;
  #atMs = 0;

  add(ms: number, nowMs: number): void {
    this.#ms = this.msAt(nowMs) + ms;
    this.#atMs = nowMs;
  }

  msAt(nowMs: number): number {
    return this.#ms * 2 ** ((this.#atMs - nowMs) / HALF_LIFE_MS);
  }
}

export class WorkShares {
  readonly #now: () => number;
  readonly #usages = new Map<ClientKey, Usage>();
  /** Number of throttled clients that keep using up their share. */
  #persistent = 0;
  #sweepAt = SWEEP_AT;

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Runs the work now, even for a throttled client, and charges its time.
   * @param connection the client's connection for which the work is done
   */
  run<T>(client: ClientKey, work: () => T, connection?: RecentWork): T {
    const startedMs = this.#now();
    try {
      return work();
    } finally {
      this.charge(client, this.#now() - startedMs, connection);
    }
  }

  /**
   * Runs the work in the client's turn: at once unless it is throttled. Settles with the work's
   * result.
   */
  async schedule<T>(
    client: ClientKey,
    work: () => T | Promise<T>,
    connection?: RecentWork,
  ): Promise<T> {
    if (!this.isThrottled(client)) return this.run(client, work, connection);
    return new Promise<T>((resolve, reject) => {
      const start = () => {
        try {
          resolve(this.run(client, work, connection));
        } catch (error) {
          reject(error);
        }
      };
      this.whenUnthrottled(client, start, connection);
    });
  }

  isThrottled(client: ClientKey): boolean {
    return this.#usages.get(client)?.throttle !== undefined;
  }

  /**
   * Calls back once when the client is no longer throttled, after earlier callers and connections
   * with less recent work; at once if it is not throttled.
   */
  whenUnthrottled(client: ClientKey, callback: () => void, connection?: RecentWork): void {
    const usage = this.#usages.get(client);
    if (usage?.throttle === undefined) callback();
    else usage.waiting.set(callback, connection);
  }

  /** Cancels a callback passed to `whenUnthrottled`. */
  forget(client: ClientKey, callback: () => void): void {
    this.#usages.get(client)?.waiting.delete(callback);
  }

  /** Charges time to the client; throttles it if its share is used up. */
  charge(client: ClientKey, spentMs: number, connection?: RecentWork): void {
    const usage = this.#usageOf(client);
    const nowMs = this.#now();
    connection?.add(spentMs, nowMs);
    if (usage.throttle === undefined && nowMs - usage.windowStartMs > WINDOW_MS) {
      usage.windowStartMs = nowMs;
      usage.spentMs = 0;
    }
    usage.spentMs += spentMs;
    this.#throttleIfDue(usage);
  }

  close(): void {
    for (const { throttle } of this.#usages.values()) clearTimeout(throttle);
    this.#usages.clear();
  }

  #throttleIfDue(usage: Usage): void {
    if (usage.spentMs < WORK_MS_MAX || usage.throttle !== undefined) return;
    const isAgain = this.#now() - usage.throttleEndMs < AGAIN_MS;
    usage.throttlesInRow = isAgain ? usage.throttlesInRow + 1 : 1;
    let factor = THROTTLE_FACTOR;
    if (isPersistent(usage)) {
      this.#persistent++;
      factor = Math.max(THROTTLE_FACTOR_PERSISTENT, THROTTLE_FACTOR_EACH * this.#persistent);
    }
    usage.throttle = setTimeout(() => this.#wake(usage), usage.spentMs * factor);
    usage.spentMs = 0;
  }

  #wake(usage: Usage): void {
    usage.throttle = undefined;
    usage.throttleEndMs = usage.windowStartMs = this.#now();
    if (isPersistent(usage)) this.#persistent--;
    // Work may have been charged while the client was throttled.
    this.#throttleIfDue(usage);
    // Includes callbacks that are added meanwhile, until the share is used up again.
    while (usage.throttle === undefined) {
      const callback = this.#nextOf(usage);
      if (callback === undefined) return;
      usage.waiting.delete(callback);
      callback();
    }
  }

  #nextOf({ waiting }: Usage): (() => void) | undefined {
    const nowMs = this.#now();
    let next: (() => void) | undefined;
    let leastMs = Infinity;
    for (const [callback, connection] of waiting) {
      const ms = connection?.msAt(nowMs) ?? 0;
      if (ms < leastMs) [next, leastMs] = [callback, ms];
      if (ms === 0) break;
    }
    return next;
  }

  #usageOf(client: ClientKey): Usage {
    const known = this.#usages.get(client);
    if (known !== undefined) return known;
    if (this.#usages.size >= this.#sweepAt) this.#sweep();
    const usage: Usage = {
      windowStartMs: -Infinity,
      spentMs: 0,
      throttle: undefined,
      throttleEndMs: -Infinity,
      throttlesInRow: 0,
      waiting: new Map(),
    };
    this.#usages.set(client, usage);
    return usage;
  }

  /** Removes clients that have been idle. */
  #sweep(): void {
    const nowMs = this.#now();
    for (const [client, { windowStartMs, throttle }] of this.#usages) {
      if (throttle === undefined && nowMs - windowStartMs > AGAIN_MS) this.#usages.delete(client);
    }
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#usages.size);
  }
}

function isPersistent({ throttlesInRow }: Usage): boolean {
  return throttlesInRow > THROTTLES_IN_ROW_MAX;
}

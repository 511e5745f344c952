/**
 * Limits each client's share of the event loop. Work done for a client is timed; a client that has
 * used more than its share within a short time is throttled, across all its connections and calls,
 * and others are served.
 *
 * - A client gets a quarter of the loop, and a sixth if it keeps using up its share. The more
 *   clients do so, the longer each is throttled, so that together they never use more than about half
 *   of the loop, however many addresses an attacker has. A client that uses up its share once or
 *   twice, such as a loading page, is not throttled longer because of others.
 * - Work done for a throttled client, such as finishing a request, counts towards its next
 *   throttling.
 * - Of a client's waiting work, that of the connection with the least recent work goes first: a new
 *   connection does not wait for the backlog of others at its address.
 * - Visitors of all addresses together have a share as well (visitor-pool.ts), except those of
 *   addresses that users have vouched for by signing in there.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { type ClientKey, isVisitor } from "./client-key.ts";
import type { RecentWork } from "./recent-work.ts";
import { VisitorPool } from "./visitor-pool.ts";
import { VouchedAddresses } from "./vouched-addresses.ts";

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
const PERSISTENT_WITHIN_MS = 1_000;
/**
 * After this many consecutive throttlings, a client is throttled longer, the more clients do the
 * same.
 */
const THROTTLES_IN_ROW_MAX = 3;
/** The multiple is at least this times the number of clients that keep using up their share. */
const THROTTLE_FACTOR_EACH = 2;
/**
 * The approximate time to check a caller's token, in milliseconds; estimated because it is interleaved
 * with other work.
 */
export const AUTHENTICATION_MS = 0.2;
const SWEEP_AT = 1_000;
/**
 * The price of a visitor's turn while visitors wait, in milliseconds of work. Most turns only let
 * work begin, which is done a little later and must not wait again.
 */
const TURN_MS = 1;

interface Waiting {
  readonly connection: RecentWork | undefined;
  /** Calls back in the asynchronous context of the waiting caller, not of the caller whose turn ends. */
  readonly call: () => void;
}

interface Usage {
  windowStartMs: number;
  spentMs: number;
  throttle: NodeJS.Timeout | undefined;
  throttleEndMs: number;
  throttlesInRow: number;
  /** Work that a turn among the visitors has paid for, in milliseconds. */
  prepaidMs: number;
  /** Waiting callbacks; first come, first served among connections with equal recent work. */
  readonly waiting: Map<() => void, Waiting>;
}

export class WorkShares {
  readonly #now: () => number;
  readonly #usages = new Map<ClientKey, Usage>();
  readonly #visitors: VisitorPool;
  readonly #vouched = new VouchedAddresses();
  /** Number of throttled clients that keep using up their share. */
  #persistent = 0;
  #sweepAt = SWEEP_AT;

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#visitors = new VisitorPool({ now, serve: (client) => this.#serve(client) });
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
      const nowMs = this.#now();
      this.#charge(client, nowMs - startedMs, nowMs, connection);
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
    return this.inTurn(client, work, connection);
  }

  /**
   * Like `schedule`, but without a promise if the work is done at once: it then returns or throws like
   * the work.
   */
  inTurn<T>(
    client: ClientKey,
    work: () => T | Promise<T>,
    connection?: RecentWork,
  ): T | Promise<T> {
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
    return this.#usages.get(client)?.throttle !== undefined || this.#isHeldBack(client);
  }

  /** Must be called when a user has proved their identity from the address. */
  vouch(userId: string, address: string): void {
    this.#vouched.add(userId, address, this.#now());
  }

  /** Whether a user has proved their identity from the visitor's address recently. */
  isVouched(client: ClientKey): boolean {
    return this.#vouched.has(client, this.#now());
  }

  /**
   * Calls back once when the client is no longer throttled, after earlier callers and connections
   * with less recent work; at once if it is not throttled.
   */
  whenUnthrottled(client: ClientKey, callback: () => void, connection?: RecentWork): void {
    if (!this.isThrottled(client)) {
      callback();
      return;
    }
    const usage = this.#usageOf(client);
    usage.waiting.set(callback, { connection, call: AsyncLocalStorage.bind(callback) });
    if (usage.throttle === undefined) this.#visitors.wait(client);
  }

  /** Cancels a callback passed to `whenUnthrottled`. */
  forget(client: ClientKey, callback: () => void): void {
    this.#usages.get(client)?.waiting.delete(callback);
  }

  /** Charges time to the client; throttles it if its share is used up. */
  charge(client: ClientKey, spentMs: number, connection?: RecentWork): void {
    this.#charge(client, spentMs, this.#now(), connection);
  }

  #charge(client: ClientKey, spentMs: number, nowMs: number, connection?: RecentWork): void {
    const usage = this.#usageOf(client);
    connection?.add(spentMs, nowMs);
    if (usage.throttle === undefined && nowMs - usage.windowStartMs > WINDOW_MS) {
      usage.windowStartMs = nowMs;
      usage.spentMs = 0;
    }
    usage.spentMs += spentMs;
    this.#chargeVisitors(client, usage, spentMs, nowMs);
    this.#throttleIfDue(client, usage);
  }

  close(): void {
    for (const { throttle } of this.#usages.values()) clearTimeout(throttle);
    this.#usages.clear();
    this.#visitors.close();
  }

  #isStranger(client: ClientKey, nowMs: number): boolean {
    return isVisitor(client) && !this.#vouched.has(client, nowMs);
  }

  #chargeVisitors(client: ClientKey, usage: Usage, spentMs: number, nowMs: number): void {
    if (!this.#isStranger(client, nowMs)) return;
    const prepaidMs = Math.min(usage.prepaidMs, spentMs);
    usage.prepaidMs -= prepaidMs;
    this.#visitors.charge(client, spentMs - prepaidMs, nowMs);
  }

  /** Whether the client waits because visitors together have used up their share. */
  #isHeldBack(client: ClientKey): boolean {
    if (!this.#visitors.mustWait || !this.#isStranger(client, this.#now())) return false;
    return (this.#usages.get(client)?.prepaidMs ?? 0) <= 0;
  }

  #throttleIfDue(client: ClientKey, usage: Usage): void {
    if (usage.spentMs < WORK_MS_MAX || usage.throttle !== undefined) return;
    const isAgain = this.#now() - usage.throttleEndMs < PERSISTENT_WITHIN_MS;
    usage.throttlesInRow = isAgain ? usage.throttlesInRow + 1 : 1;
    let factor = THROTTLE_FACTOR;
    if (isPersistent(usage)) {
      this.#persistent++;
      factor = Math.max(THROTTLE_FACTOR_PERSISTENT, THROTTLE_FACTOR_EACH * this.#persistent);
    }
    usage.throttle = setTimeout(() => this.#wake(client, usage), usage.spentMs * factor);
    usage.spentMs = 0;
  }

  #wake(client: ClientKey, usage: Usage): void {
    usage.throttle = undefined;
    usage.throttleEndMs = usage.windowStartMs = this.#now();
    if (isPersistent(usage)) this.#persistent--;
    // Work may have been charged while the client was throttled.
    this.#throttleIfDue(client, usage);
    // Includes callbacks that are added in the meantime, until the share is used up again.
    while (usage.throttle === undefined && usage.waiting.size > 0) {
      if (this.#isHeldBack(client)) {
        this.#visitors.wait(client);
        return;
      }
      this.#callNext(usage);
    }
  }

  /**
   * Calls a visitor back in the visitors' turn. Returns whether more of its callbacks wait for such
   * turns.
   */
  #serve(client: ClientKey): boolean {
    const usage = this.#usages.get(client);
    // Once throttled, its callbacks wait until it is no longer throttled.
    if (usage === undefined || usage.throttle !== undefined) return false;
    this.#visitors.charge(client, TURN_MS - usage.prepaidMs);
    usage.prepaidMs = TURN_MS;
    this.#callNext(usage);
    return usage.throttle === undefined && usage.waiting.size > 0;
  }

  #callNext(usage: Usage): void {
    const callback = this.#nextOf(usage);
    if (callback === undefined) return;
    const next = usage.waiting.get(callback);
    usage.waiting.delete(callback);
    next?.call();
  }

  #nextOf({ waiting }: Usage): (() => void) | undefined {
    const nowMs = this.#now();
    let next: (() => void) | undefined;
    let leastMs = Infinity;
    for (const [callback, { connection }] of waiting) {
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
      prepaidMs: 0,
      waiting: new Map(),
    };
    this.#usages.set(client, usage);
    return usage;
  }

  /** Removes clients that have been idle. */
  #sweep(): void {
    const nowMs = this.#now();
    for (const [client, { windowStartMs, throttle, waiting }] of this.#usages) {
      if (throttle !== undefined || waiting.size > 0) continue;
      if (nowMs - windowStartMs > PERSISTENT_WITHIN_MS) this.#usages.delete(client);
    }
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#usages.size);
  }
}

function isPersistent({ throttlesInRow }: Usage): boolean {
  return throttlesInRow > THROTTLES_IN_ROW_MAX;
}

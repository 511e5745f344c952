/**
 * Shares of the event loop. Work done for a client is timed; a client that has used more than its
 * share within a while rests, across all its connections and calls, and others are served.
 *
 * - A client gets a quarter of the loop, and a sixth while it keeps using up its share. The more
 *   clients do so, the longer each of them rests, so that together they never use more than about
 *   half of it, however many addresses an attacker has. A client that does so once or twice, such
 *   as a loading page, does not rest longer because of the others.
 * - Work done for a client while it rests, such as finishing what it had begun, counts towards its
 *   next rest.
 * - Among a client's waiting work, the connection with the least recent work goes first: a newcomer
 *   does not wait for the backlog of others at its address.
 */
import type { ClientKey } from "./client-key.ts";

/** Too short for a person to notice, and longer than most pages need to load. */
const WORK_MS_MAX = 10;
const WINDOW_MS = 50;
/** A rest lasts this many times as long as the work before it. */
const REST_FACTOR = 3;
/** Same for a client that keeps using up its share. */
const REST_FACTOR_PERSISTENT = 5;
/** A client that rests again this soon keeps using up its share. */
const AGAIN_MS = 1_000;
/** After this many rests in close succession a client rests longer, the more others do the same. */
const RESTS_IN_ROW_MAX = 3;
/** Times as long as the work, for each client that keeps using up its share. */
const REST_FACTOR_EACH = 2;
/**
 * The approximate cost of checking a caller's token: done in pieces beside others' work, so not
 * timed.
 */
export const AUTHENTICATION_MS = 0.2;
const SWEEP_AT = 1_000;
/** The period after which work done for a connection counts half. */
const HALF_LIFE_MS = 5_000;

interface Account {
  windowStartMs: number;
  spentMs: number;
  rest: NodeJS.Timeout | undefined;
  restedAtMs: number;
  restsInRow: number;
  /** First come, first served among equals. */
  readonly waiting: Map<() => void, RecentWork | undefined>;
}

/** Recent work for one of a client's connections. */
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
  readonly #accounts = new Map<ClientKey, Account>();
  /** Clients at rest that keep using up their share. */
  #persistent = 0;
  #sweepAt = SWEEP_AT;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Does the work now, whatever the client has used, and charges its time.
   * @param connection of the client for which it is done
   */
  run<T>(client: ClientKey, work: () => T, connection?: RecentWork): T {
    const startedMs = this.#now();
    try {
      return work();
    } finally {
      this.charge(client, this.#now() - startedMs, connection);
    }
  }

  /** Does the work in the client's turn: at once unless it rests. Settles as the work does. */
  async schedule<T>(
    client: ClientKey,
    work: () => T | Promise<T>,
    connection?: RecentWork,
  ): Promise<T> {
    if (!this.isResting(client)) return this.run(client, work, connection);
    return new Promise<T>((resolve, reject) => {
      const start = () => {
        try {
          resolve(this.run(client, work, connection));
        } catch (error) {
          reject(error);
        }
      };
      this.whenRested(client, start, connection);
    });
  }

  isResting(client: ClientKey): boolean {
    return this.#accounts.get(client)?.rest !== undefined;
  }

  /**
   * Calls back once when the client has rested, after earlier callers and those with less recent
   * work; at once if it is not resting.
   */
  whenRested(client: ClientKey, callback: () => void, connection?: RecentWork): void {
    const account = this.#accounts.get(client);
    if (account?.rest === undefined) callback();
    else account.waiting.set(callback, connection);
  }

  /** Cancels the callback. */
  forget(client: ClientKey, callback: () => void): void {
    this.#accounts.get(client)?.waiting.delete(callback);
  }

  /** Charges time to the client. */
  charge(client: ClientKey, spentMs: number, connection?: RecentWork): void {
    const account = this.#accountOf(client);
    const nowMs = this.#now();
    connection?.add(spentMs, nowMs);
    if (account.rest === undefined && nowMs - account.windowStartMs > WINDOW_MS) {
      account.windowStartMs = nowMs;
      account.spentMs = 0;
    }
    account.spentMs += spentMs;
    this.#restIfDue(account);
  }

  close(): void {
    for (const { rest } of this.#accounts.values()) clearTimeout(rest);
    this.#accounts.clear();
  }

  #restIfDue(account: Account): void {
    if (account.spentMs < WORK_MS_MAX || account.rest !== undefined) return;
    const isAgain = this.#now() - account.restedAtMs < AGAIN_MS;
    account.restsInRow = isAgain ? account.restsInRow + 1 : 1;
    let factor = REST_FACTOR;
    if (isPersistent(account)) {
      this.#persistent++;
      factor = Math.max(REST_FACTOR_PERSISTENT, REST_FACTOR_EACH * this.#persistent);
    }
    account.rest = setTimeout(() => this.#wake(account), account.spentMs * factor);
    account.spentMs = 0;
  }

  #wake(account: Account): void {
    account.rest = undefined;
    account.restedAtMs = account.windowStartMs = this.#now();
    if (isPersistent(account)) this.#persistent--;
    // For work done meanwhile.
    this.#restIfDue(account);
    // Includes callbacks added meanwhile, until the share is used up again.
    while (account.rest === undefined) {
      const callback = this.#nextOf(account);
      if (callback === undefined) return;
      account.waiting.delete(callback);
      callback();
    }
  }

  #nextOf({ waiting }: Account): (() => void) | undefined {
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

  #accountOf(client: ClientKey): Account {
    const known = this.#accounts.get(client);
    if (known !== undefined) return known;
    if (this.#accounts.size >= this.#sweepAt) this.#sweep();
    const account: Account = {
      windowStartMs: -Infinity,
      spentMs: 0,
      rest: undefined,
      restedAtMs: -Infinity,
      restsInRow: 0,
      waiting: new Map(),
    };
    this.#accounts.set(client, account);
    return account;
  }

  /** Forgets the clients that were idle recently. */
  #sweep(): void {
    const nowMs = this.#now();
    for (const [client, { windowStartMs, rest }] of this.#accounts) {
      if (rest === undefined && nowMs - windowStartMs > AGAIN_MS) this.#accounts.delete(client);
    }
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#accounts.size);
  }
}

function isPersistent({ restsInRow }: Account): boolean {
  return restsInRow > RESTS_IN_ROW_MAX;
}

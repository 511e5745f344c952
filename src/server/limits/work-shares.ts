/**
 * Shares of the event loop. What is done for a client is timed; a client that has taken more than its
 * share within a while rests, over all of its connections and calls together, and others are served.
 *
 * A client that rests alone gets a quarter of the loop. The more of them rest, the longer each does,
 * so that all of them together never take more than half of it, however many addresses an attacker has.
 */
import type { ClientKey } from "./client-key.ts";

const WORK_MS_MAX = 20;
const WINDOW_MS = 100;
/** A rest lasts this many times as long as the work before it, if no other client rests. */
const REST_FACTOR_MIN = 3;
/** And this many times as long for each client that rests. */
const REST_FACTOR_EACH = 2;
const SWEEP_AT = 1_000;

interface Account {
  windowStartMs: number;
  spentMs: number;
  rest: NodeJS.Timeout | undefined;
  /** First come, first served. */
  readonly waiting: Set<() => void>;
}

export class WorkShares {
  readonly #now: () => number;
  readonly #accounts = new Map<ClientKey, Account>();
  #resting = 0;
  #sweepAt = SWEEP_AT;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Does the work now, whatever the client has taken, and counts its time. */
  run<T>(client: ClientKey, work: () => T): T {
    const startedMs = this.#now();
    try {
      return work();
    } finally {
      this.charge(client, this.#now() - startedMs);
    }
  }

  /** Does the work when it is the client's turn: at once unless it rests. Settles as the work does. */
  async schedule<T>(client: ClientKey, work: () => T | Promise<T>): Promise<T> {
    if (!this.isResting(client)) return this.run(client, work);
    return new Promise<T>((resolve, reject) => {
      this.whenRested(client, () => {
        try {
          resolve(this.run(client, work));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  isResting(client: ClientKey): boolean {
    return this.#accounts.get(client)?.rest !== undefined;
  }

  /** Calls once when the client has rested, after those who asked before; at once if it does not rest. */
  whenRested(client: ClientKey, callback: () => void): void {
    const account = this.#accounts.get(client);
    if (account?.rest === undefined) callback();
    else account.waiting.add(callback);
  }

  /** The callback is not called any more. */
  forget(client: ClientKey, callback: () => void): void {
    this.#accounts.get(client)?.waiting.delete(callback);
  }

  /** Counts time that was spent for the client. */
  charge(client: ClientKey, spentMs: number): void {
    const account = this.#accountOf(client);
    const nowMs = this.#now();
    if (nowMs - account.windowStartMs > WINDOW_MS) {
      account.windowStartMs = nowMs;
      account.spentMs = 0;
    }
    account.spentMs += spentMs;
    if (account.spentMs < WORK_MS_MAX || account.rest !== undefined) return;
    this.#resting++;
    const factor = Math.max(REST_FACTOR_MIN, REST_FACTOR_EACH * this.#resting);
    account.rest = setTimeout(() => this.#wake(account), account.spentMs * factor);
    account.spentMs = 0;
  }

  close(): void {
    for (const { rest } of this.#accounts.values()) clearTimeout(rest);
    this.#accounts.clear();
  }

  #wake(account: Account): void {
    account.rest = undefined;
    this.#resting--;
    // What is added meanwhile is called too, until the share is used up again.
    for (const callback of account.waiting) {
      if (account.rest !== undefined) return;
      account.waiting.delete(callback);
      callback();
    }
  }

  #accountOf(client: ClientKey): Account {
    const known = this.#accounts.get(client);
    if (known !== undefined) return known;
    if (this.#accounts.size >= this.#sweepAt) this.#sweep();
    const account: Account = {
      windowStartMs: -Infinity,
      spentMs: 0,
      rest: undefined,
      waiting: new Set(),
    };
    this.#accounts.set(client, account);
    return account;
  }

  /** Forgets the clients that have done nothing of late. */
  #sweep(): void {
    const nowMs = this.#now();
    for (const [client, { windowStartMs, rest }] of this.#accounts) {
      if (rest === undefined && nowMs - windowStartMs > WINDOW_MS) this.#accounts.delete(client);
    }
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#accounts.size);
  }
}

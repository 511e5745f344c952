/**
 * How many mutations a second one user, and one address, may have run, over WebSockets and HTTP
 * together. What exceeds that waits or comes again later. It is not refused with an answer: a
 * re-sent mutation may have been executed before, and a refusal would contradict that.
 */
import { type ClientKey, clientKeyOf } from "../limits/client-key.ts";
import { type RateLimit, TokenBucket } from "../limits/token-bucket.ts";

const SECOND_MS = 1_000;
/** A mutation that would wait longer comes again later. */
export const WAIT_MS_MAX = 10_000;
/** By then a bucket is full again, like a new one. */
const REMEMBERED_MS = WAIT_MS_MAX + 2 * SECOND_MS;

export interface MutationsPerSecond {
  readonly perUser: number;
  readonly perAddress: number;
}

const MUTATIONS_PER_SECOND: MutationsPerSecond = { perUser: 1_000, perAddress: 2_000 };

interface Allowance {
  readonly bucket: TokenBucket;
  readonly limit: RateLimit;
  usedAtMs: number;
}

export class MutationRates {
  readonly #limits: MutationsPerSecond;
  readonly #nowMs: () => number;
  /** Least recently used first. */
  readonly #allowances = new Map<ClientKey, Allowance>();

  /** @param nowMs a monotonic clock */
  constructor(limits = MUTATIONS_PER_SECOND, nowMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  /** How many users and addresses are remembered. */
  get size(): number {
    return this.#allowances.size;
  }

  /**
   * Takes a mutation from the allowances of its user and its address.
   * @param client the user, or the address of a visitor
   * @param waitMsMax how long it can wait
   * @returns the milliseconds that it has to wait; if these are more than it can, nothing was taken
   */
  take(client: ClientKey, address: string, waitMsMax = WAIT_MS_MAX): number {
    const { perUser, perAddress } = this.#limits;
    const nowMs = this.#nowMs();
    const visitor = clientKeyOf(undefined, address);
    const allowances = [this.#allowanceOf(visitor, perAddress, nowMs)];
    if (client !== visitor) allowances.push(this.#allowanceOf(client, perUser, nowMs));
    const waits = allowances.map(({ bucket, limit }) => bucket.waitMs(limit, 1, nowMs));
    const waitMs = Math.max(...waits);
    if (waitMs > waitMsMax) return waitMs;
    for (const { bucket, limit } of allowances) bucket.take(limit, 1, nowMs);
    return waitMs;
  }

  #allowanceOf(client: ClientKey, capacity: number, nowMs: number): Allowance {
    const allowance = this.#allowances.get(client) ?? {
      bucket: new TokenBucket(),
      limit: { capacity, windowMs: SECOND_MS },
      usedAtMs: nowMs,
    };
    allowance.usedAtMs = nowMs;
    this.#allowances.delete(client);
    this.#allowances.set(client, allowance);
    for (const [oldest, { usedAtMs }] of this.#allowances) {
      if (nowMs - usedAtMs <= REMEMBERED_MS) break;
      this.#allowances.delete(oldest);
    }
    return allowance;
  }
}

/**
 * Limits mutations per second of a user and of an address, over WebSockets and HTTP together.
 * Excess mutations wait or are retried later. They are not refused with an answer: a re-sent
 * mutation may have been executed before, and a refusal would contradict that.
 */
import { type ClientKey, clientKeyOf, isVisitor } from "../limits/client-key.ts";
import type { SharedLimits, SharedRate } from "../limits/shared-limits.ts";
import { type RateLimit, TokenBucket } from "../limits/token-bucket.ts";

const SECOND_MS = 1_000;
/** A mutation that would wait longer has to be retried later. */
export const WAIT_MS_MAX = 10_000;
/** How long a bucket is remembered: it is full again then, like a new one. */
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
  /** Buckets per client, least recently used first. */
  readonly #allowances = new Map<ClientKey, Allowance>();

  readonly #shared: SharedRate | undefined;

  /**
   * @param shared undefined if there are no other nodes
   * @param nowMs a monotonic clock
   */
  constructor(
    limits = MUTATIONS_PER_SECOND,
    shared?: SharedLimits,
    nowMs: () => number = () => performance.now(),
  ) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#shared = shared?.rate("mutations", (client, count) => {
      const nowMs = this.#nowMs();
      const { bucket, limit } = this.#allowanceOf(client, nowMs);
      bucket.charge(limit, count, nowMs);
    });
  }

  /** Number of remembered users and addresses. */
  get size(): number {
    return this.#allowances.size;
  }

  /**
   * Takes a mutation from the buckets of its user and its address.
   * @param client the user, or the address of a visitor
   * @param waitMsMax how long the mutation can wait, in milliseconds
   * @returns the milliseconds to wait; if they exceed `waitMsMax`, nothing was taken
   */
  take(client: ClientKey, address: string, waitMsMax = WAIT_MS_MAX): number {
    const nowMs = this.#nowMs();
    const visitor = clientKeyOf(undefined, address);
    const clients = client === visitor ? [visitor] : [visitor, client];
    const allowances = clients.map((each) => this.#allowanceOf(each, nowMs));
    const waits = allowances.map(({ bucket, limit }) => bucket.waitMs(limit, 1, nowMs));
    const waitMs = Math.max(...waits);
    if (waitMs > waitMsMax) return waitMs;
    for (const { bucket, limit } of allowances) bucket.take(limit, 1, nowMs);
    for (const each of clients) this.#shared?.use(each, 1, this.#capacityOf(each));
    return waitMs;
  }

  #capacityOf(client: ClientKey): number {
    return isVisitor(client) ? this.#limits.perAddress : this.#limits.perUser;
  }

  #allowanceOf(client: ClientKey, nowMs: number): Allowance {
    const allowance = this.#allowances.get(client) ?? {
      bucket: new TokenBucket(),
      limit: { capacity: this.#capacityOf(client), windowMs: SECOND_MS },
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

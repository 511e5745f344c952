/**
 * Limits how often each user may change their own data, where that needs no command to the
 * exchange.
 */
import type { SharedLimits, SharedRate } from "../limits/shared-limits.ts";
import { type RateLimit, TokenBucket } from "../limits/token-bucket.ts";
import { FunctionError } from "./function-error.ts";

/** More than a user needs; each change is one write to the database. */
const CHANGE_RATE: RateLimit = { capacity: 60, windowMs: 60_000 };
const USERS_MAX = 10_000;

export class OwnChangeRates {
  readonly #buckets = new Map<string, TokenBucket>();
  readonly #shared: SharedRate | undefined;

  /** @param shared undefined if there are no other nodes */
  constructor(shared?: SharedLimits) {
    this.#shared = shared?.rate("ownChanges", (userId, count) => {
      this.#bucketOf(userId).charge(CHANGE_RATE, count, performance.now());
    });
  }

  /** @throws FunctionError `tooManyRequests` */
  admit(userId: string): void {
    const bucket = this.#bucketOf(userId);
    const nowMs = performance.now();
    const waitMs = bucket.waitMs(CHANGE_RATE, 1, nowMs);
    if (waitMs > 0) {
      throw new FunctionError({
        code: "tooManyRequests",
        message: "That was too many changes in a minute; try again in a moment.",
        retryAfterMs: waitMs,
      });
    }
    bucket.take(CHANGE_RATE, 1, nowMs);
    this.#shared?.use(userId, 1, CHANGE_RATE.capacity);
  }

  #bucketOf(userId: string): TokenBucket {
    const bucket = this.#buckets.get(userId) ?? new TokenBucket();
    // The most recently used buckets are at the end; a dropped bucket had time to refill.
    this.#buckets.delete(userId);
    this.#buckets.set(userId, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > USERS_MAX) this.#buckets.delete(oldest);
    return bucket;
  }
}

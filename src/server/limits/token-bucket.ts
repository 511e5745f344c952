/** A rate limit: at most `capacity` at once, refilled evenly over `windowMs`. */
export interface RateLimit {
  readonly capacity: number;
  readonly windowMs: number;
}

/** A token bucket for one client. The limit is passed each time because it may change. */
export class TokenBucket {
  /** Undefined until first used: the bucket is then full, regardless of its limit. */
  #tokens: number | undefined;
  #atMs = 0;

  /**
   * Milliseconds until `count` tokens are available; 0 if they are available now.
   * @param nowMs from a monotonic clock
   */
  waitMs({ capacity, windowMs }: RateLimit, count: number, nowMs: number): number {
    const missing = count - this.#refilled({ capacity, windowMs }, nowMs);
    return missing <= 0 ? 0 : Math.ceil((missing * windowMs) / capacity);
  }

  /** Used tokens that are not refilled yet, rounded up to whole tokens. */
  used(limit: RateLimit, nowMs: number): number {
    return Math.ceil(limit.capacity - this.#refilled(limit, nowMs));
  }

  take(limit: RateLimit, count: number, nowMs: number): void {
    this.#tokens = this.#refilled(limit, nowMs) - count;
    this.#atMs = nowMs;
  }

  /**
   * Takes tokens that were used elsewhere, whether they were available or not. The client waits for
   * them, but never longer than for a whole capacity.
   */
  charge(limit: RateLimit, count: number, nowMs: number): void {
    const tokens = this.#refilled(limit, nowMs);
    this.#tokens = Math.min(tokens, Math.max(tokens - count, -limit.capacity));
    this.#atMs = nowMs;
  }

  #refilled({ capacity, windowMs }: RateLimit, nowMs: number): number {
    if (this.#tokens === undefined) return capacity;
    if (nowMs < this.#atMs) throw new RangeError("the clock of a bucket went back");
    const refilled = this.#tokens + ((nowMs - this.#atMs) * capacity) / windowMs;
    return Math.min(capacity, refilled);
  }
}

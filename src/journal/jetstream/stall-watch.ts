/**
 * Notices a reader to whom a server no longer gives what the stream has. NATS 2.9 servers were seen, after
 * others were killed and frozen, whose copy of a stream had fallen behind for good: they serve their readers
 * heartbeats, and no messages.
 */

/** How long a message may be under way to a reader. */
const LATE_MS_MAX = 2_000;

export class StallWatch {
  readonly #lastPosition: () => Promise<number>;
  readonly #now: () => number;
  #next = 0;
  #askedMs: number;
  /** The end of the stream when it was last queried. */
  #known = 0;

  /**
   * @param lastPosition where the stream ends, by the server that leads it
   * @param now a steady clock, in milliseconds
   */
  constructor(lastPosition: () => Promise<number>, now: () => number) {
    this.#lastPosition = lastPosition;
    this.#now = now;
    this.#askedMs = now();
  }

  /**
   * Call at intervals while the reader waits for a message. Queries the end of the stream once the
   * reader has waited for long.
   * @param next the position of that message
   */
  async isStalled(next: number): Promise<boolean> {
    const nowMs = this.#now();
    if (next !== this.#next) {
      this.#next = next;
      this.#askedMs = nowMs;
      this.#known = 0;
    }
    if (nowMs - this.#askedMs < LATE_MS_MAX) return false;
    if (next <= this.#known) return true;
    this.#askedMs = nowMs;
    try {
      this.#known = await this.#lastPosition();
    } catch {
      // Unknown while the stream has no leader.
    }
    return false;
  }
}

/**
 * Does work that no caller awaits in chunks, with a turn of the event loop after each. Thousands of
 * connections may open or close at once: each needs little work, but all of it in one turn would delay
 * other clients' orders.
 */

/** Work in one turn of the event loop, for all who have some. */
const CHUNK_MS = 2;

export class ChunkedWork {
  readonly #now: () => number;
  /** The remaining work of each, in order. */
  readonly #works: Iterator<unknown>[] = [];
  #leftMs = CHUNK_MS;
  #isScheduled = false;
  #isWorking = false;

  /** @param now a monotonic clock in milliseconds */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Does the work: at once, as far as this turn has time left.
   * @param work does a small part with each step, and never throws
   */
  add(work: Iterator<unknown>): void {
    this.#works.push(work);
    this.#work();
    this.#schedule();
  }

  /** Does the work in one step: now if this turn has time left and nothing waits, else in its turn. */
  run(work: () => void): void {
    this.add({
      next() {
        work();
        return { done: true, value: undefined };
      },
    });
  }

  #work(): void {
    // Work that adds more is followed by it.
    if (this.#isWorking) return;
    this.#isWorking = true;
    while (this.#works.length > 0 && this.#leftMs > 0) {
      const startedMs = this.#now();
      const isDone = this.#works[0].next().done === true;
      if (isDone) this.#works.shift();
      this.#leftMs -= this.#now() - startedMs;
    }
    this.#isWorking = false;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#leftMs = CHUNK_MS;
      this.#work();
      if (this.#works.length > 0) this.#schedule();
      else this.#leftMs = CHUNK_MS;
    });
  }
}

/**
 * Does work that is not awaited in pieces, with a turn of the event loop after each. Thousands of
 * connections may close at once, and what each leaves behind has to be forgotten one by one.
 */

/** Work in one turn of the event loop, for all who have some. */
const PIECE_MS = 2;

export class WorkInPieces {
  readonly #now: () => number;
  /** What is left of each, in order. */
  readonly #works: Iterator<unknown>[] = [];
  #leftMs = PIECE_MS;
  #isScheduled = false;

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

  #work(): void {
    while (this.#works.length > 0 && this.#leftMs > 0) {
      const startedMs = this.#now();
      const isDone = this.#works[0].next().done === true;
      if (isDone) this.#works.shift();
      this.#leftMs -= this.#now() - startedMs;
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#leftMs = PIECE_MS;
      this.#work();
      if (this.#works.length > 0) this.#schedule();
      else this.#leftMs = PIECE_MS;
    });
  }
}

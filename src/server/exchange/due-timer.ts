/**
 * Wakes the exchange when a timer is due and no command arrives to advance the time. Only commands
 * advance the journal's time, so the exchange then submits a command that does nothing else.
 */

/**
 * The longest delay of a platform timer; for a longer delay the timer is set again when it fires.
 */
const DELAY_MS_MAX = 24 * 60 * 60 * 1000;

export class DueTimer {
  readonly #wake: () => void;
  readonly #now: () => number;
  #dueMs = Infinity;
  #timeout: ReturnType<typeof setTimeout> | undefined;

  constructor(wake: () => void, now: () => number) {
    this.#wake = wake;
    this.#now = now;
  }

  /** Replaces the previous due time; Infinity if nothing is due. */
  set(dueMs: number): void {
    if (dueMs === this.#dueMs && this.#timeout !== undefined) return;
    this.stop();
    this.#dueMs = dueMs;
    if (dueMs === Infinity) return;
    const delayMs = Math.min(DELAY_MS_MAX, Math.max(1, dueMs - this.#now()));
    this.#timeout = setTimeout(() => this.#onTimeout(), delayMs);
    // The timer must not keep an otherwise idle process alive.
    this.#timeout.unref();
  }

  /** Recomputes the delay after the time has leapt. */
  refresh(): void {
    const dueMs = this.#dueMs;
    if (this.#timeout === undefined) return;
    this.stop();
    this.set(dueMs);
  }

  stop(): void {
    clearTimeout(this.#timeout);
    this.#timeout = undefined;
  }

  #onTimeout(): void {
    this.#timeout = undefined;
    if (this.#now() >= this.#dueMs) this.#wake();
    else this.set(this.#dueMs);
  }
}

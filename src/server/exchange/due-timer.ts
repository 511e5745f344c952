/**
 * Wakes the exchange when something is due and no command comes that would bring the time along.
 * The time of the journal is the commands' alone: waking means to submit one that asks for nothing.
 */

/** A timer of the platform holds no more; it is set again when it has run down. */
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

  /** Takes the place of what was set before; Infinity stands for nothing. */
  set(dueMs: number): void {
    if (dueMs === this.#dueMs && this.#timeout !== undefined) return;
    this.stop();
    this.#dueMs = dueMs;
    if (dueMs === Infinity) return;
    const delayMs = Math.min(DELAY_MS_MAX, Math.max(1, dueMs - this.#now()));
    this.#timeout = setTimeout(() => this.#ring(), delayMs);
    // What is due must not keep a process alive that has nothing else to do.
    this.#timeout.unref();
  }

  /** Looks anew how long it is until then: the time has leapt. */
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

  #ring(): void {
    this.#timeout = undefined;
    if (this.#now() >= this.#dueMs) this.#wake();
    else this.set(this.#dueMs);
  }
}

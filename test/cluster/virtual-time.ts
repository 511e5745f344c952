/** Time that passes only when everything at the present moment is done: for seeded simulations. */
import type { Random } from "../disk/journal-disk.ts";

interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly action: () => void;
}

export class VirtualTime {
  readonly random: Random;
  #nowMs = 0;
  #order = 0;
  #due: Due[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  readonly now = (): number => this.#nowMs;

  after(ms: number, action: () => void): void {
    const due = { atMs: this.#nowMs + ms, order: this.#order++, action };
    // A few dozen wait at once.
    const at = this.#due.findIndex(({ atMs }) => atMs > due.atMs);
    this.#due.splice(at === -1 ? this.#due.length : at, 0, due);
  }

  readonly delay = (ms: number): Promise<void> => new Promise((resolve) => this.after(ms, resolve));

  /** After a random time below `maxMs`. */
  soon(maxMs: number, action: () => void): void {
    this.after(1 + this.random(maxMs), action);
  }

  /** Runs until the condition holds; false if it does not within the time, or nothing is due. */
  async runUntil(condition: () => boolean, maxMs: number): Promise<boolean> {
    const endMs = this.#nowMs + maxMs;
    await settled();
    while (!condition()) {
      const next = this.#due.at(0);
      if (next === undefined || next.atMs > endMs) {
        this.#nowMs = endMs;
        return false;
      }
      this.#due.shift();
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.action();
      await settled();
    }
    return true;
  }
}

/** Lets everything continue that waits for nothing but promises. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

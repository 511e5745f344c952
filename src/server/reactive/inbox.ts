/**
 * One connection's messages that wait for their turn, in the order in which they came. Once the
 * handling of them has taken a share of the event loop within a while, the connection rests for as
 * long as it took, and others are served.
 */
const WORK_MS_MAX = 20;
const WINDOW_MS = 100;

export class Inbox {
  readonly #onRested: () => void;
  #texts: string[] = [];
  #size = 0;
  #windowStartMs = -Infinity;
  #spentMs = 0;
  #rest: NodeJS.Timeout | undefined;

  /** @param onRested called after a rest, when messages may be handled again */
  constructor(onRested: () => void) {
    this.#onRested = onRested;
  }

  get length(): number {
    return this.#texts.length;
  }

  /** In characters. */
  get size(): number {
    return this.#size;
  }

  push(text: string): void {
    this.#texts.push(text);
    this.#size += text.length;
  }

  /** Undefined where nothing waits and during a rest. */
  take(): string | undefined {
    if (this.#rest !== undefined) return undefined;
    const text = this.#texts.shift();
    if (text !== undefined) this.#size -= text.length;
    return text;
  }

  /** Call it with what one message took of the event loop. */
  spend(startedMs: number, endedMs: number): void {
    if (startedMs - this.#windowStartMs > WINDOW_MS) {
      this.#windowStartMs = startedMs;
      this.#spentMs = 0;
    }
    this.#spentMs += endedMs - startedMs;
    if (this.#spentMs < WORK_MS_MAX) return;
    this.#rest = setTimeout(() => {
      this.#rest = undefined;
      this.#onRested();
    }, this.#spentMs);
    this.#spentMs = 0;
  }

  close(): void {
    clearTimeout(this.#rest);
    this.#texts.length = 0;
    this.#size = 0;
  }
}

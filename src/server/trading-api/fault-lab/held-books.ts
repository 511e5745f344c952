/** Earlier answers about order books, repeated to keys that shall see stale books. */

/** The most answers held for all keys: a full book has ten thousand levels. */
const HELD_MAX = 32;

export class HeldBooks {
  readonly #nowMs: () => number;
  readonly #held = new Map<string, { readonly answer: unknown; readonly sinceMs: number }>();

  /** @param nowMs a monotonic clock */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The answer held under this name; the new answer if the held one is older than `staleMs`. */
  newestOf(name: string, staleMs: number, answer: unknown): unknown {
    const nowMs = this.#nowMs();
    const held = this.#held.get(name);
    if (held !== undefined && nowMs - held.sinceMs < staleMs) return held.answer;
    this.#held.delete(name);
    this.#held.set(name, { answer, sinceMs: nowMs });
    const [oldest] = this.#held.keys();
    if (this.#held.size > HELD_MAX) this.#held.delete(oldest);
    return answer;
  }
}

/** Errors of reads, for the callers that wait for them. */
export class RecentFailures {
  readonly #keptMs: number;
  readonly #nowMs: () => number;
  /** In the order in which they happened. */
  readonly #failures = new Map<string, { readonly error: unknown; readonly untilMs: number }>();

  /** @param nowMs a monotonic clock */
  constructor(keptMs: number, nowMs: () => number) {
    this.#keptMs = keptMs;
    this.#nowMs = nowMs;
  }

  /** How many are in memory. */
  get count(): number {
    return this.#failures.size;
  }

  add(key: string, error: unknown): void {
    this.#forgetOld();
    this.#failures.delete(key);
    this.#failures.set(key, { error, untilMs: this.#nowMs() + this.#keptMs });
  }

  /** @throws the error of the last read, if it failed a short while ago */
  throwIfFailed(key: string): void {
    this.#forgetOld();
    const failure = this.#failures.get(key);
    if (failure !== undefined) throw failure.error;
  }

  #forgetOld(): void {
    const nowMs = this.#nowMs();
    for (const [key, { untilMs }] of this.#failures) {
      if (untilMs > nowMs) return;
      this.#failures.delete(key);
    }
  }
}

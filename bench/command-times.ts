/**
 * Latency percentiles of single commands. Kept in a histogram of ten-nanosecond steps, so that measuring
 * allocates nothing; the cost of reading the clock is measured first and subtracted.
 */
const STEP_NANOS = 10;
const STEPS = 100_000;

export class CommandTimes {
  readonly #counts = new Uint32Array(STEPS);
  #total = 0;
  #maxNanos = 0;
  readonly #clockNanos = clockNanos();

  /** Times `run` for `count` indexes starting at `from`. */
  measure(from: number, count: number, run: (at: number) => void): void {
    for (let at = from; at < from + count; at++) {
      const start = performance.now();
      run(at);
      const nanos = Math.max(0, (performance.now() - start) * 1e6 - this.#clockNanos);
      this.#counts[Math.min(STEPS - 1, Math.floor(nanos / STEP_NANOS))]++;
      if (nanos > this.#maxNanos) this.#maxNanos = nanos;
    }
    this.#total += count;
  }

  /** Upper edge of the histogram step at a percentile, in nanoseconds. */
  percentile(share: number): number {
    let left = Math.ceil(this.#total * share);
    for (let step = 0; step < STEPS; step++) {
      left -= this.#counts[step];
      if (left <= 0) return (step + 1) * STEP_NANOS;
    }
    return STEPS * STEP_NANOS;
  }

  summary(): string {
    const at = (share: number) => `${this.percentile(share)} ns`;
    return (
      `p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, ` +
      `longest ${(this.#maxNanos / 1000).toFixed(0)} µs (clock ${this.#clockNanos.toFixed(0)} ns)`
    );
  }
}

/** The shortest time between two clock reads. */
function clockNanos(): number {
  let least = Infinity;
  for (let index = 0; index < 200_000; index++) {
    const start = performance.now();
    const nanos = (performance.now() - start) * 1e6;
    if (nanos > 0 && nanos < least) least = nanos;
  }
  return least;
}

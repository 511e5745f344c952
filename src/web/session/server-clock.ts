/**
 * Estimates the server's clock from the timestamps that it sends, independent of the page's wall
 * clock. A timestamp is always older than its arrival, so the estimate is never ahead of the
 * server. Of the recent samples the one with the least delay is the most accurate.
 */

const SAMPLES_MAX = 16;

export class ServerClock {
  readonly #nowMs: () => number;
  #offsetsMs: number[] = [];

  /**
   * @param nowMs a monotonic clock. If it stops while the machine sleeps, the estimate lags behind
   * the server until the next sample, which is the safe side.
   */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Adds a sample.
   * @param serverMs the server's time in milliseconds since 1970
   */
  received(serverMs: number): void {
    this.#offsetsMs = [...this.#offsetsMs, serverMs - this.#nowMs()].slice(-SAMPLES_MAX);
  }

  /** The estimated server time in milliseconds since 1970; null before the first sample. */
  nowMs(): number | null {
    if (this.#offsetsMs.length === 0) return null;
    return this.#nowMs() + Math.max(...this.#offsetsMs);
  }

  /**
   * How much longer a sample that arrives now was delayed than the fastest recent one, in
   * milliseconds.
   */
  delayMs(serverMs: number): number {
    const nowMs = this.nowMs();
    return nowMs === null ? 0 : Math.max(0, nowMs - serverMs);
  }
}

/** A jump of the wall clock by more than clock synchronisation would cause: the machine slept. */
const SLEEP_MS_MIN = 2_000;

/**
 * A monotonic clock that includes sleep: the browser's clock may stop while the machine sleeps, so the
 * wall clock's advance in that time is added.
 */
export function awakeClock(
  wallMs: () => number = Date.now,
  monotonicMs: () => number = () => performance.now(),
): () => number {
  let [wall, monotonic] = [wallMs(), monotonicMs()];
  let sleptMs = 0;
  return () => {
    const [wallNow, monotonicNow] = [wallMs(), monotonicMs()];
    const leaptMs = wallNow - wall - (monotonicNow - monotonic);
    if (leaptMs > SLEEP_MS_MIN) sleptMs += leaptMs;
    [wall, monotonic] = [wallNow, monotonicNow];
    return monotonicNow + sleptMs;
  };
}

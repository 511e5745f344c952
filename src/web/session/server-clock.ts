/**
 * The server's clock as a page knows it: by the times that the server sends, whatever the page's own
 * clock says. A time is always older than its arrival, so the estimate is never ahead of the server;
 * of the last ones that which travelled fastest is the nearest.
 */

const SAMPLES_MAX = 16;

export class ServerClock {
  readonly #nowMs: () => number;
  #offsetsMs: number[] = [];

  /**
   * @param nowMs a monotonic clock. One that stands still while the machine sleeps leaves the estimate
   * behind the server until it is heard again, which is on the safe side.
   */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** @param serverMs what the server's clock showed, in milliseconds since 1970 */
  heard(serverMs: number): void {
    this.#offsetsMs = [...this.#offsetsMs, serverMs - this.#nowMs()].slice(-SAMPLES_MAX);
  }

  /** Milliseconds since 1970; null until the server was heard. */
  nowMs(): number | null {
    if (this.#offsetsMs.length === 0) return null;
    return this.#nowMs() + Math.max(...this.#offsetsMs);
  }
}

/** A leap of the wall clock beyond what its corrections make: the machine slept. */
const SLEEP_MS_MIN = 2_000;

/**
 * A clock that only runs forward. The browser's monotonic clock may stand still while the machine
 * sleeps; what the wall clock leapt ahead meanwhile is added to it.
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

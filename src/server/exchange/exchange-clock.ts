/**
 * The exchange's own time, which stamps commands and fires timers. It starts at the wall clock and
 * advances by the monotonic one, so a wall clock that is set wrong changes nothing: a small
 * difference is caught up slowly, a large one is reported and not followed.
 *
 * Invariants: exchange time never goes back, and while the process runs it is never more than
 * `RATE_SHARE` faster or slower than real time. The only leap that is followed is the time that the
 * machine slept, as far as both its uptime and the wall clock confirm it (docs/decisions/016).
 *
 * The threads share one time: the thread that created the clock observes it, all others read it.
 */
import { uptime } from "node:os";
import { assert } from "#engine/assert.ts";

/** The largest difference that is caught up; beyond it, either clock may be the wrong one. */
export const SKEW_MS_MAX = 60_000;
/** How much faster or slower than real time exchange time passes while it catches up. */
const RATE_SHARE = 0.05;
/** The machine's uptime is coarse: a smaller difference is not a sleep. */
const SLEEP_MS_MIN = 1_000;
const OBSERVED_EVERY_MS = 1_000;

/** The clocks from which exchange time is derived, in milliseconds. */
export interface TimeSources {
  /** The machine's wall clock, since 1970 UTC. */
  readonly wallMs: () => number;
  /** Cannot be set, the same in all threads; stops while the machine sleeps. */
  readonly monotonicMs: () => number;
  /** Cannot be set; advances while the machine sleeps. */
  readonly uptimeMs: () => number;
}

export const SYSTEM_TIME: TimeSources = {
  wallMs: Date.now,
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  uptimeMs: () => uptime() * 1000,
};

export interface ClockHealth {
  /** "ok" if the wall clock is followed, else the direction in which it deviates too far. */
  readonly state: "ok" | "wallClockAhead" | "wallClockBehind";
  /** Wall clock minus exchange time, in milliseconds. */
  readonly skewMs: number;
}

export interface ClockLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Exchange time in memory that all threads share; any thread may read it or set it forward. */
export class SharedTime {
  /** Exchange time minus the monotonic clock, in microseconds. */
  readonly offset: BigInt64Array<SharedArrayBuffer>;
  readonly #monotonicMs: () => number;

  constructor(offset: BigInt64Array<SharedArrayBuffer>, monotonicMs = SYSTEM_TIME.monotonicMs) {
    this.offset = offset;
    this.#monotonicMs = monotonicMs;
  }

  /** The exchange time in whole milliseconds since 1970 UTC. */
  readonly now = (): number => Math.floor(this.exactMs());

  exactMs(): number {
    return this.#monotonicMs() + Number(Atomics.load(this.offset, 0)) / 1000;
  }

  /**
   * Moves exchange time forward, or back while nothing calls `now`: callers ensure that it never
   * goes back.
   */
  shift(byMs: number): void {
    Atomics.add(this.offset, 0, BigInt(Math.round(byMs * 1000)));
  }
}

export class ExchangeClock {
  readonly time: SharedTime;
  readonly #sources: TimeSources;
  readonly #log: ClockLog;
  #observedMs: number;
  #uptimeMs: number;
  #loggedState: ClockHealth["state"] = "ok";
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(log: ClockLog, sources: TimeSources = SYSTEM_TIME) {
    this.#sources = sources;
    this.#log = log;
    this.time = new SharedTime(
      new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)),
      sources.monotonicMs,
    );
    this.#observedMs = sources.monotonicMs();
    this.#uptimeMs = sources.uptimeMs();
    this.time.shift(sources.wallMs() - this.#observedMs);
  }

  /** The exchange time in whole milliseconds since 1970 UTC. */
  readonly now = (): number => this.time.now();

  health(): ClockHealth {
    const skewMs = Math.round(this.#skewMs());
    return { state: stateAt(skewMs), skewMs };
  }

  /** Observes the clocks at intervals; `onLeap` is called after the machine slept. */
  start(onLeap: () => void): void {
    this.#timer ??= setInterval(() => {
      if (this.observe()) onLeap();
    }, OBSERVED_EVERY_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Compares with the wall clock and catches up within limits. @returns whether time leapt forward */
  observe(): boolean {
    const { monotonicMs, uptimeMs } = this.#sources;
    const elapsedMs = monotonicMs() - this.#observedMs;
    assert(elapsedMs >= 0, "the monotonic clock never goes back");
    const sleptMs = uptimeMs() - this.#uptimeMs - elapsedMs;
    this.#observedMs += elapsedMs;
    this.#uptimeMs += elapsedMs;
    if (Math.abs(sleptMs) >= SLEEP_MS_MIN) this.#uptimeMs += sleptMs;
    // Both clocks must agree on a leap.
    const leapMs = Math.min(sleptMs, this.#skewMs());
    const hasSlept = leapMs >= SLEEP_MS_MIN;
    if (hasSlept) {
      this.time.shift(leapMs);
      this.#log.info(
        { leapMs: Math.round(leapMs) },
        "the machine slept, and the time has followed",
      );
    }
    const skewMs = this.#skewMs();
    if (Math.abs(skewMs) <= SKEW_MS_MAX) {
      const stepMs = RATE_SHARE * elapsedMs;
      this.time.shift(Math.min(stepMs, Math.max(-stepMs, skewMs)));
    }
    this.#logChange(skewMs);
    return hasSlept;
  }

  #skewMs(): number {
    return this.#sources.wallMs() - this.time.exactMs();
  }

  /** Logs a change of state once, not every second. */
  #logChange(skewMs: number): void {
    const state = stateAt(skewMs);
    if (state === this.#loggedState) return;
    this.#loggedState = state;
    const fields = { skewMs: Math.round(skewMs) };
    if (state === "ok") this.#log.info(fields, "the wall clock is followed again");
    else {
      this.#log.warn(
        fields,
        "the wall clock has leapt away from exchange time and is not followed: set it right, " +
          "or start the exchange again to go by it",
      );
    }
  }
}

function stateAt(skewMs: number): ClockHealth["state"] {
  if (Math.abs(skewMs) <= SKEW_MS_MAX) return "ok";
  return skewMs > 0 ? "wallClockAhead" : "wallClockBehind";
}

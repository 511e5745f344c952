/**
 * What a person owned at past moments: by the minute for a day, by the hour for longer. Only
 * moments at which something changed are kept; in between it was as before.
 */
export interface EquityPoint {
  readonly time: number;
  readonly equity: number;
}

export interface Ownership {
  /** When this became so, milliseconds since 1970 UTC. */
  readonly timeMs: number;
  /** Total units by asset, the asset with number 1 first. */
  readonly totals: readonly number[];
  /** Settlement units deposited until then. */
  readonly deposited: bigint;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MINUTES_KEPT_MS = 25 * HOUR_MS;
const HOURS_KEPT_MS = 400 * DAY_MS;
const POINTS_MAX = 180;
const STEPS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  7 * DAY_MS,
];

class Moments {
  readonly #stepMs: number;
  readonly #keptMs: number;
  #moments: Ownership[] = [];

  constructor(stepMs: number, keptMs: number) {
    this.#stepMs = stepMs;
    this.#keptMs = keptMs;
  }

  keep(moment: Ownership): void {
    const last = this.#moments.at(-1);
    const step = Math.floor(moment.timeMs / this.#stepMs);
    if (last !== undefined && Math.floor(last.timeMs / this.#stepMs) === step) {
      this.#moments[this.#moments.length - 1] = moment;
      return;
    }
    this.#moments.push(moment);
    // Cut in blocks; one moment from before the cut must stay, it says how things stood there.
    if (this.#moments.length % 256 !== 0) return;
    const stale = this.#countUntil(moment.timeMs - this.#keptMs) - 1;
    if (stale > 0) this.#moments = this.#moments.slice(stale);
  }

  at(timeMs: number): Ownership | undefined {
    return this.#moments[this.#countUntil(timeMs) - 1];
  }

  state(): Ownership[] {
    return this.#moments;
  }

  restore(moments: Ownership[]): void {
    this.#moments = moments;
  }

  #countUntil(timeMs: number): number {
    let low = 0;
    let high = this.#moments.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#moments[middle].timeMs <= timeMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class EquityHistory {
  readonly #minutes = new Moments(MINUTE_MS, MINUTES_KEPT_MS);
  readonly #hours = new Moments(HOUR_MS, HOURS_KEPT_MS);

  keep(timeMs: number, totals: readonly number[], deposited: bigint): void {
    const moment = { timeMs, totals, deposited };
    this.#minutes.keep(moment);
    this.#hours.keep(moment);
  }

  state() {
    return { minutes: this.#minutes.state(), hours: this.#hours.state() };
  }

  restore({ minutes, hours }: ReturnType<EquityHistory["state"]>): void {
    this.#minutes.restore(minutes);
    this.#hours.restore(hours);
  }

  /** What was owned at a moment; undefined where nothing yet. */
  at(timeMs: number): Ownership | undefined {
    return this.#minutes.at(timeMs) ?? this.#hours.at(timeMs);
  }

  /** Up to 180 even steps between two moments, neither included. */
  times(fromMs: number, untilMs: number): number[] {
    const span = untilMs - fromMs;
    const step = STEPS_MS.find((candidate) => span / candidate <= POINTS_MAX) ?? STEPS_MS.at(-1)!;
    const times: number[] = [];
    const first = Math.ceil(Math.max(fromMs, untilMs - POINTS_MAX * step) / step) * step;
    for (let time = first; time < untilMs; time += step) times.push(time);
    return times;
  }
}

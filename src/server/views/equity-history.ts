/**
 * The holdings of a person at past moments: by the minute for a day, by the hour before that. Only
 * moments of change are stored; in between, balances stay the same.
 */
export interface EquityPoint {
  readonly time: number;
  readonly equity: number;
}

export interface Ownership {
  /** When these totals took effect, milliseconds since 1970 UTC. */
  readonly timeMs: number;
  /** Total units by asset, from asset 1 to the last asset of the latest moment. */
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

// Columns of a row: the time, the deposited amount in two parts, the total of each asset.
const TIME = 0;
const DEPOSITED_HIGH = 1;
const DEPOSITED_LOW = 2;
const TOTALS = 3;
/** Bits of the lower part, which a float64 holds exactly. */
const LOW_BITS = 53n;

class Moments {
  readonly #stepMs: number;
  readonly #keptMs: number;
  #rows = new Float64Array(0);
  #width = TOTALS;
  #count = 0;

  constructor(stepMs: number, keptMs: number) {
    this.#stepMs = stepMs;
    this.#keptMs = keptMs;
  }

  keep({ timeMs, totals, deposited }: Ownership): void {
    if (TOTALS + totals.length > this.#width) this.#widen(TOTALS + totals.length);
    const step = Math.floor(timeMs / this.#stepMs);
    const isNew =
      this.#count === 0 || Math.floor(this.#timeOf(this.#count - 1) / this.#stepMs) !== step;
    if (isNew) {
      if ((this.#count + 1) * this.#width > this.#rows.length) this.#grow();
      this.#count += 1;
    }
    const row = (this.#count - 1) * this.#width;
    this.#rows[row + TIME] = timeMs;
    this.#rows[row + DEPOSITED_HIGH] = Number(deposited >> LOW_BITS);
    this.#rows[row + DEPOSITED_LOW] = Number(BigInt.asUintN(Number(LOW_BITS), deposited));
    this.#rows.set(totals, row + TOTALS);
    // Removed in blocks; one moment before the cut must stay, for it has the balances at the cut.
    if (!isNew || this.#count % 256 !== 0) return;
    const stale = this.#countUntil(timeMs - this.#keptMs) - 1;
    if (stale <= 0) return;
    this.#rows.copyWithin(0, stale * this.#width, this.#count * this.#width);
    this.#count -= stale;
  }

  at(timeMs: number): Ownership | undefined {
    const count = this.#countUntil(timeMs);
    if (count === 0) return undefined;
    const row = (count - 1) * this.#width;
    const rows = this.#rows;
    return {
      timeMs: rows[row + TIME],
      totals: Array.from(rows.subarray(row + TOTALS, row + this.#width)),
      deposited:
        (BigInt(rows[row + DEPOSITED_HIGH]) << LOW_BITS) + BigInt(rows[row + DEPOSITED_LOW]),
    };
  }

  state() {
    return { rows: this.#rows.slice(0, this.#count * this.#width), width: this.#width };
  }

  restore({ rows, width }: ReturnType<Moments["state"]>): void {
    this.#rows = rows;
    this.#width = width;
    this.#count = rows.length / width;
  }

  #timeOf(index: number): number {
    return this.#rows[index * this.#width + TIME];
  }

  #grow(): void {
    // Grows by a quarter: a start restores rows of exactly the size needed, and each person's may
    // grow by one.
    const count = this.#count + Math.max(16, this.#count >> 2);
    const rows = new Float64Array(count * this.#width);
    rows.set(this.#rows);
    this.#rows = rows;
  }

  /** Adds columns for new assets: an asset had no balances before it was listed. */
  #widen(width: number): void {
    const rows = new Float64Array(this.#count * width);
    for (let index = 0; index < this.#count; index += 1) {
      const row = index * this.#width;
      rows.set(this.#rows.subarray(row, row + this.#width), index * width);
    }
    this.#rows = rows;
    this.#width = width;
  }

  #countUntil(timeMs: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#timeOf(middle) <= timeMs) low = middle + 1;
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

  /** The totals at a moment; undefined before the first. */
  at(timeMs: number): Ownership | undefined {
    return this.#minutes.at(timeMs) ?? this.#hours.at(timeMs);
  }

  /** Up to 180 evenly spaced times between two moments, both exclusive. */
  times(fromMs: number, untilMs: number): number[] {
    const span = untilMs - fromMs;
    const step = STEPS_MS.find((candidate) => span / candidate <= POINTS_MAX) ?? STEPS_MS.at(-1)!;
    const times: number[] = [];
    const first = Math.ceil(Math.max(fromMs, untilMs - POINTS_MAX * step) / step) * step;
    for (let time = first; time < untilMs; time += step) times.push(time);
    return times;
  }
}

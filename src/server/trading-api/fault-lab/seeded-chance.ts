/**
 * A seeded random generator (mulberry32 by Tommy Ettinger, public domain): equal seeds give equal
 * draws.
 */
export class SeededChance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** True with the given probability. A certain result uses up no draw. */
  percent(percent: number): boolean {
    return percent > 0 && (percent >= 100 || this.#next() * 100 < percent);
  }

  /** A number from 0 to below `max`. */
  upTo(max: number): number {
    return max === 0 ? 0 : Math.floor(this.#next() * max);
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

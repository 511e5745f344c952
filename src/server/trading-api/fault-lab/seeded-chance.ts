/** Chance from a seed (mulberry32 by Tommy Ettinger, public domain): the same draws for the same seed. */
export class SeededChance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** True in so many of a hundred draws. No draw is used up if the answer is certain. */
  percent(percent: number): boolean {
    return percent > 0 && (percent >= 100 || this.#next() * 100 < percent);
  }

  /** From 0 until before `max`. */
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

/**
 * The price levels of all books in one table of 32-byte rows: price, quantity waiting there, and the
 * ends of the queue of orders. Level 0 stands for "none".
 */

/** Float64 fields of a row, at `level * LEVEL_FLOATS + field`. */
export const LEVEL_FLOATS = 4;
export const LEVEL_PRICE_TICKS = 0;
/** Sum of the remaining lots of its orders. Exact: each lot is backed by a hold. */
export const LEVEL_TOTAL_LOTS = 1;

/** Int32 fields of the same row, at `level * LEVEL_INTS + field`. */
export const LEVEL_INTS = 8;
export const LEVEL_FIRST_ORDER = 4;
export const LEVEL_LAST_ORDER = 5;
/** 0 for bids, 1 for asks. */
export const LEVEL_SIDE = 6;
const LEVEL_NEXT_FREE = 7;

export const NO_LEVEL = 0;

const INITIAL_CAPACITY = 1 << 8;

export class LevelTable {
  floats = new Float64Array(INITIAL_CAPACITY * LEVEL_FLOATS);
  ints = new Int32Array(this.floats.buffer);
  #capacity = INITIAL_CAPACITY;
  #fresh = 1;
  #free = NO_LEVEL;

  /** An empty level; there are never more levels than open orders. */
  allocate(side: number, priceTicks: number): number {
    let level = this.#free;
    if (level !== NO_LEVEL) {
      this.#free = this.ints[level * LEVEL_INTS + LEVEL_NEXT_FREE];
    } else {
      if (this.#fresh === this.#capacity) this.#grow();
      level = this.#fresh++;
    }
    this.floats[level * LEVEL_FLOATS + LEVEL_PRICE_TICKS] = priceTicks;
    this.floats[level * LEVEL_FLOATS + LEVEL_TOTAL_LOTS] = 0;
    const at = level * LEVEL_INTS;
    this.ints[at + LEVEL_FIRST_ORDER] = 0;
    this.ints[at + LEVEL_LAST_ORDER] = 0;
    this.ints[at + LEVEL_SIDE] = side;
    return level;
  }

  free(level: number): void {
    this.ints[level * LEVEL_INTS + LEVEL_NEXT_FREE] = this.#free;
    this.#free = level;
  }

  #grow(): void {
    this.#capacity *= 2;
    const floats = new Float64Array(this.#capacity * LEVEL_FLOATS);
    floats.set(this.floats);
    this.floats = floats;
    this.ints = new Int32Array(floats.buffer);
  }
}

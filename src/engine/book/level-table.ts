/**
 * The price levels of all books in one table of 32-byte rows: price, quantity, the ends of the
 * queue of orders, and the place in the ladder or, in a free row, the next free one. Level 0 means
 * "none". Rows are read and written like those of order-table.ts.
 */
import type { Lots, Ticks } from "../amount.ts";
import { grown } from "../typed-arrays.ts";
import { PriceNodes } from "./price-nodes.ts";

export const NO_LEVEL = 0;
const NONE = 0;

const INITIAL_CAPACITY = 1 << 8;
const ROW_FLOATS = 4;

export class LevelTable {
  /** By which the levels are found. */
  readonly nodes = new PriceNodes();
  // A row is two float64 followed by four int32.
  #floats = new Float64Array(INITIAL_CAPACITY * ROW_FLOATS);
  #ints = new Int32Array(this.#floats.buffer);
  /** By level, outside the rows, because few levels have icebergs. 0 for a level not in use. */
  #hiddenLots = new Float64Array(INITIAL_CAPACITY);
  #capacity = INITIAL_CAPACITY;
  #fresh = 1;
  #free = NONE;

  priceOf(level: number): Ticks {
    return this.#floats[level << 2] as Ticks;
  }

  /** Sum of its orders' visible quantities. Exact: each lot is backed by a hold. */
  totalLotsOf(level: number): Lots {
    return this.#floats[(level << 2) | 1] as Lots;
  }
  setTotalLots(level: number, lots: number): void {
    this.#floats[(level << 2) | 1] = lots;
  }

  /** Sum of what its icebergs hide. */
  hiddenLotsOf(level: number): Lots {
    return this.#hiddenLots[level] as Lots;
  }
  /** A negative change takes lots off. */
  addHiddenLots(level: number, change: number): void {
    this.#hiddenLots[level] += change;
  }

  firstOrderOf(level: number): number {
    return this.#ints[(level << 3) | 4];
  }
  setFirstOrder(level: number, slot: number): void {
    this.#ints[(level << 3) | 4] = slot;
  }

  lastOrderOf(level: number): number {
    return this.#ints[(level << 3) | 5];
  }
  setLastOrder(level: number, slot: number): void {
    this.#ints[(level << 3) | 5] = slot;
  }

  /** Market id × 2, plus 1 for asks. */
  marketAndSideOf(level: number): number {
    return this.#ints[(level << 3) | 6];
  }

  /** Its place in its price's ladder. */
  slotOf(level: number): number {
    return this.#ints[(level << 3) | 7];
  }
  setSlot(level: number, slot: number): void {
    this.#ints[(level << 3) | 7] = slot;
  }

  /** An empty level with no hidden quantity; there are never more levels than open orders. */
  allocate(marketAndSide: number, priceTicks: number): number {
    let level = this.#free;
    if (level !== NONE) {
      this.#free = this.#ints[(level << 3) | 7];
    } else {
      if (this.#fresh === this.#capacity) this.#grow();
      level = this.#fresh++;
    }
    this.#floats[level << 2] = priceTicks;
    this.setTotalLots(level, 0);
    this.setFirstOrder(level, 0);
    this.setLastOrder(level, 0);
    this.#ints[(level << 3) | 6] = marketAndSide;
    return level;
  }

  free(level: number): void {
    this.#ints[(level << 3) | 7] = this.#free;
    this.#free = level;
  }

  #grow(): void {
    this.#capacity *= 2;
    this.#floats = grown(this.#floats, this.#capacity * ROW_FLOATS);
    this.#ints = new Int32Array(this.#floats.buffer);
    this.#hiddenLots = grown(this.#hiddenLots, this.#capacity);
  }
}

/**
 * The price levels of all books in one table of 32-byte rows: price, quantity, the first and last
 * order of the queue, and the slot in the price ladder or, in a free row, the next free row. Level
 * 0 means "none". Rows are read and written like those of order-table.ts.
 */
import type { Lots, Ticks } from "../amount.ts";
import { grown } from "../typed-arrays.ts";
import { PriceNodes } from "./price-nodes.ts";

export const NO_LEVEL = 0;
const NONE = 0;

const INITIAL_CAPACITY = 1 << 8;
const ROW_FLOATS = 4;

export class LevelTable {
  /** The nodes of the price ladders, through which levels are found. */
  readonly nodes = new PriceNodes();
  // A row is two float64 followed by four int32.
  #floats = new Float64Array(INITIAL_CAPACITY * ROW_FLOATS);
  #ints = new Int32Array(this.#floats.buffer);
  /**
   * Hidden quantity by level, outside the rows, because few levels have icebergs. 0 for an unused
   * level.
   */
  #hiddenLots = new Float64Array(INITIAL_CAPACITY);
  #capacity = INITIAL_CAPACITY;
  #fresh = 1;
  #free = NONE;

  priceOf(level: number): Ticks {
    return this.#floats[level << 2] as Ticks;
  }

  /** Sum of the visible quantities of the level's orders. Exact: each lot is backed by a hold. */
  totalLotsOf(level: number): Lots {
    return this.#floats[(level << 2) | 1] as Lots;
  }
  setTotalLots(level: number, lots: number): void {
    this.#floats[(level << 2) | 1] = lots;
  }

  /** Sum of the hidden quantities of the level's icebergs. */
  hiddenLotsOf(level: number): Lots {
    return this.#hiddenLots[level] as Lots;
  }
  /** Adds to the level's hidden quantity; `change` may be negative. */
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

  /** The level's slot in the price ladder of its market and side. */
  slotOf(level: number): number {
    return this.#ints[(level << 3) | 7];
  }
  setSlot(level: number, slot: number): void {
    this.#ints[(level << 3) | 7] = slot;
  }

  /**
   * Allocates an empty level without hidden quantity; there are never more levels than open orders.
   */
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

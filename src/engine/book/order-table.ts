/**
 * The open orders of all markets in one table. A row is 56 bytes: the hot path is bound by memory,
 * not by arithmetic. The layout of a row is defined once, by the pair of functions that read and
 * write each field; these are small enough to be always inlined, whereas a constant of another
 * module would be loaded and checked at each use. A row is found by order id through a chained hash
 * table. It is linked into its account's open orders, in order of placement, and, unless the order
 * waits, into the queue of its price level. Rows are reused.
 *
 * Slot 0 means "none". Price levels are in price-ladder.ts, money is in ledger.ts.
 */
import type { RowFees } from "../accounts/packed-fees.ts";
import type { Lots } from "../amount.ts";
import { assert } from "../assert.ts";
import { grown } from "../typed-arrays.ts";
import type { LevelTable } from "./level-table.ts";

export const NO_ORDER = 0;
const NONE = 0;
/** Flag stored with the packed fees, which use the bits below. */
const HAS_DETAILS = 1 << 30;

/** The maximum of open orders over all markets; 448 MB of rows. */
const OPEN_ORDERS_MAX = 1 << 23;
/** Rows reserved for the further orders of a list whose first order found the table not full. */
const ROWS_RESERVED = 2;
const INITIAL_CAPACITY = 1 << 10;
/** Float64 fields of a row; a row has twice as many of int32. */
const ROW_FLOATS = 7;

export class OrderTable {
  /** The number of open orders. */
  count = 0;

  // A row: float64 id · int32 chain, level, account, fees, next, previous · float64 shown and total
  // lots · int32 neighbours of its account.
  #floats = new Float64Array(INITIAL_CAPACITY * ROW_FLOATS);
  #ints = new Int32Array(this.#floats.buffer);
  #capacity = INITIAL_CAPACITY;
  /** The first slot that was never used. */
  #fresh = 1;
  /** Head of the free list, linked like the queue of a level. */
  #free = NONE;
  /**
   * Heads of the hash chains, as many as rows: a second order in a chain costs a visit to its row.
   * Order ids are dense and ascending, so their low bits spread them evenly.
   */
  #chains = new Int32Array(INITIAL_CAPACITY);
  #chainMask = INITIAL_CAPACITY - 1;

  readonly #levels: LevelTable;
  readonly #max: number;

  /** @param max the number of rows, a power of two; row 0 is not used */
  constructor(levels: LevelTable, max = OPEN_ORDERS_MAX) {
    this.#levels = levels;
    this.#max = max;
  }

  /** Whether only the reserved rows are left. */
  get isFull(): boolean {
    return this.count >= this.#max - 1 - ROWS_RESERVED;
  }

  idOf(slot: number): number {
    return this.#floats[Math.imul(slot, 7)];
  }

  /** The visible remaining quantity of an order; an iceberg's hidden part is in its details. */
  visibleLotsOf(slot: number): Lots {
    return this.#floats[Math.imul(slot, 7) + 4] as Lots;
  }
  setVisibleLots(slot: number, lots: number): void {
    this.#floats[Math.imul(slot, 7) + 4] = lots;
  }

  /**
   * The order's quantity as placed or last amended, less what self-trade prevention removed. The
   * filled quantity of a resting order is this less its remaining quantity.
   */
  totalLotsOf(slot: number): Lots {
    return this.#floats[Math.imul(slot, 7) + 5] as Lots;
  }
  setTotalLots(slot: number, lots: number): void {
    this.#floats[Math.imul(slot, 7) + 5] = lots;
  }

  /** The level at which the order rests, which has its price; NO_LEVEL while it is in no book. */
  levelOf(slot: number): number {
    return Math.max(NONE, this.#ints[Math.imul(slot, 14) + 3]);
  }
  setLevel(slot: number, level: number): void {
    this.#ints[Math.imul(slot, 14) + 3] = level;
  }

  /**
   * Market id × 2, plus 1 for a sell: read from the order's level if it rests, else from its row.
   */
  marketAndSideOf(slot: number): number {
    const level = this.#ints[Math.imul(slot, 14) + 3];
    return level < 0 ? ~level : this.#levels.marketAndSideOf(level);
  }
  /** Sets the market and side of an order that leaves the book, or is not in it yet. */
  setMarketAndSide(slot: number, marketAndSide: number): void {
    this.#ints[Math.imul(slot, 14) + 3] = ~marketAndSide;
  }

  accountOf(slot: number): number {
    return this.#ints[Math.imul(slot, 14) + 4];
  }
  setAccount(slot: number, account: number): void {
    this.#ints[Math.imul(slot, 14) + 4] = account;
  }

  /** Both fee rates and two flags. */
  feesOf(slot: number): RowFees {
    return (this.#ints[Math.imul(slot, 14) + 5] & ~HAS_DETAILS) as RowFees;
  }
  /** Sets the fees of an order that has no details so far. */
  setFees(slot: number, packed: RowFees): void {
    this.#ints[Math.imul(slot, 14) + 5] = packed & ~HAS_DETAILS;
  }

  /** Whether the order has details in addition to its row (order-details.ts); few orders do. */
  hasDetails(slot: number): boolean {
    return (this.#ints[Math.imul(slot, 14) + 5] & HAS_DETAILS) !== 0;
  }
  getsDetails(slot: number): void {
    this.#ints[Math.imul(slot, 14) + 5] |= HAS_DETAILS;
  }

  /** The next order in the queue of the same level. */
  nextOf(slot: number): number {
    return this.#ints[Math.imul(slot, 14) + 6];
  }
  setNext(slot: number, next: number): void {
    this.#ints[Math.imul(slot, 14) + 6] = next;
  }

  /** The previous order in the queue of the same level. */
  previousOf(slot: number): number {
    return this.#ints[Math.imul(slot, 14) + 7];
  }
  setPrevious(slot: number, previous: number): void {
    this.#ints[Math.imul(slot, 14) + 7] = previous;
  }

  /** The order that the same account placed before this one. */
  previousOfAccount(slot: number): number {
    return this.#ints[Math.imul(slot, 14) + 12];
  }
  setPreviousOfAccount(slot: number, previous: number): void {
    this.#ints[Math.imul(slot, 14) + 12] = previous;
  }

  /** The order that the same account placed after this one. */
  nextOfAccount(slot: number): number {
    return this.#ints[Math.imul(slot, 14) + 13];
  }
  setNextOfAccount(slot: number, next: number): void {
    this.#ints[Math.imul(slot, 14) + 13] = next;
  }

  /** The slot of an open order; NO_ORDER if no open order has that id. */
  find(orderId: number): number {
    let slot = this.#chains[orderId & this.#chainMask];
    while (slot !== NONE && this.idOf(slot) !== orderId) slot = this.#chainNextOf(slot);
    return slot;
  }

  /** Allocates a slot for the order and indexes it; the caller fills the other fields. */
  allocate(orderId: number): number {
    let slot = this.#free;
    if (slot !== NONE) {
      this.#free = this.nextOf(slot);
    } else {
      if (this.#fresh === this.#capacity) this.#grow();
      slot = this.#fresh++;
    }
    this.#floats[Math.imul(slot, 7)] = orderId;
    this.#addToChain(slot, orderId);
    this.count++;
    return slot;
  }

  /** Frees the slot; the order is no longer found. */
  free(slot: number): void {
    const chain = this.idOf(slot) & this.#chainMask;
    const after = this.#chainNextOf(slot);
    let before = this.#chains[chain];
    if (before === slot) {
      this.#chains[chain] = after;
    } else {
      while (this.#chainNextOf(before) !== slot) {
        before = this.#chainNextOf(before);
        assert(before !== NONE, "an open order stands in its chain");
      }
      this.#setChainNext(before, after);
    }
    this.setNext(slot, this.#free);
    this.#free = slot;
    this.count--;
  }

  #addToChain(slot: number, orderId: number): void {
    const chain = orderId & this.#chainMask;
    this.#setChainNext(slot, this.#chains[chain]);
    this.#chains[chain] = slot;
  }

  #chainNextOf(slot: number): number {
    return this.#ints[Math.imul(slot, 14) + 2];
  }
  #setChainNext(slot: number, next: number): void {
    this.#ints[Math.imul(slot, 14) + 2] = next;
  }

  #grow(): void {
    this.#capacity *= 2;
    assert(this.#capacity <= this.#max, "the order table stays within its bound");
    this.#floats = grown(this.#floats, this.#capacity * ROW_FLOATS);
    this.#ints = new Int32Array(this.#floats.buffer);
    this.#chains = new Int32Array(this.#capacity);
    this.#chainMask = this.#capacity - 1;
    // The table grows only when no slot is free, so every slot below the fresh one holds an open
    // order.
    for (let slot = 1; slot < this.#fresh; slot++) this.#addToChain(slot, this.idOf(slot));
  }
}

/**
 * The open orders of all markets in one table. A row is 64 bytes, one cache line: the hot path is
 * bound by memory, not by arithmetic. What stands where in a row is said once, by the pair of
 * functions that read and write it; they are so small that they are always compiled into their
 * callers, where a constant of another module would be loaded and checked at each use. Rows are found by order id through a hash of chains, are
 * linked into the queue of their price level, unless they wait, and into the list of their account's
 * open orders in order of placement, and are handed out again after use.
 *
 * Slot 0 stands for "none". Never: ownership of prices (price-ladder.ts) or of money (ledger.ts).
 */
import { assert } from "./assert.ts";

const HAS_CLIENT_ID = 1;
const IS_POST_ONLY = 2;
const MAKER_FEE_SHIFT = 2;
const TAKER_FEE_SHIFT = 16;
/** Fees are at most 10 000 bps, which 14 bits hold. */
const FEE_MASK = (1 << 14) - 1;

/** Bit 0 client order id, 1 post only, 2-15 maker fee and 16-29 taker fee in bps. */
export function packFees(
  makerFeeBps: number,
  takerFeeBps: number,
  hasClientId: boolean,
  postOnly: boolean,
): number {
  return (
    (hasClientId ? HAS_CLIENT_ID : 0) |
    (postOnly ? IS_POST_ONLY : 0) |
    (makerFeeBps << MAKER_FEE_SHIFT) |
    (takerFeeBps << TAKER_FEE_SHIFT)
  );
}
export const makerFeeOf = (packed: number): number => (packed >> MAKER_FEE_SHIFT) & FEE_MASK;
export const takerFeeOf = (packed: number): number => (packed >> TAKER_FEE_SHIFT) & FEE_MASK;
export const hasClientId = (packed: number): boolean => (packed & HAS_CLIENT_ID) !== 0;
export const isPostOnly = (packed: number): boolean => (packed & IS_POST_ONLY) !== 0;

export const NO_ORDER = 0;
const NONE = 0;

/** Open orders over all markets; 512 MB of rows. */
const OPEN_ORDERS_MAX = 1 << 23;
const INITIAL_CAPACITY = 1 << 10;
/** Chains per slot: a second order in a chain costs a visit to its row. */
const CHAINS_PER_SLOT = 2;
/** Numbers of a row by either view. */
const ROW_FLOATS = 8;

export class OrderTable {
  /** Open orders now. */
  count = 0;

  // A row is three float64 followed by ten int32.
  #floats = new Float64Array(INITIAL_CAPACITY * ROW_FLOATS);
  #ints = new Int32Array(this.#floats.buffer);
  #capacity = INITIAL_CAPACITY;
  /** First slot never used so far. */
  #fresh = 1;
  /** Head of the list of slots given back, linked as the queue of a level is. */
  #free = NONE;
  /** Head of each chain; ids are dense and ascending, so their low bits spread them evenly. */
  #chains = new Int32Array(INITIAL_CAPACITY * CHAINS_PER_SLOT);
  #chainMask = INITIAL_CAPACITY * CHAINS_PER_SLOT - 1;

  get isFull(): boolean {
    return this.count >= OPEN_ORDERS_MAX - 1;
  }

  idOf(slot: number): number {
    return this.#floats[slot << 3];
  }

  /** What is left and stands in the book; what an iceberg hides is in its details. */
  shownLotsOf(slot: number): number {
    return this.#floats[(slot << 3) | 1];
  }
  setShownLots(slot: number, lots: number): void {
    this.#floats[(slot << 3) | 1] = lots;
  }

  /** The quantity as it was asked for; what is filled is this less all that is left. */
  totalLotsOf(slot: number): number {
    return this.#floats[(slot << 3) | 2];
  }
  setTotalLots(slot: number, lots: number): void {
    this.#floats[(slot << 3) | 2] = lots;
  }

  /** The order before it in the queue of its level. */
  previousOf(slot: number): number {
    return this.#ints[(slot << 4) | 6];
  }
  setPrevious(slot: number, previous: number): void {
    this.#ints[(slot << 4) | 6] = previous;
  }

  /** The order after it in the queue of its level. */
  nextOf(slot: number): number {
    return this.#ints[(slot << 4) | 7];
  }
  setNext(slot: number, next: number): void {
    this.#ints[(slot << 4) | 7] = next;
  }

  /** The level that says its price, NO_LEVEL while the order waits for its activation. */
  levelOf(slot: number): number {
    return this.#ints[(slot << 4) | 8];
  }
  setLevel(slot: number, level: number): void {
    this.#ints[(slot << 4) | 8] = level;
  }

  accountOf(slot: number): number {
    return this.#ints[(slot << 4) | 10];
  }
  setAccount(slot: number, account: number): void {
    this.#ints[(slot << 4) | 10] = account;
  }

  /** Market id × 2, plus 1 for a sell. */
  marketAndSideOf(slot: number): number {
    return this.#ints[(slot << 4) | 11];
  }
  setMarketAndSide(slot: number, marketAndSide: number): void {
    this.#ints[(slot << 4) | 11] = marketAndSide;
  }

  /** Both fees and two flags, see `packFees`. */
  feesOf(slot: number): number {
    return this.#ints[(slot << 4) | 12];
  }
  setFees(slot: number, packed: number): void {
    this.#ints[(slot << 4) | 12] = packed;
  }

  /** The account's order placed before it. */
  previousOfAccount(slot: number): number {
    return this.#ints[(slot << 4) | 13];
  }
  setPreviousOfAccount(slot: number, previous: number): void {
    this.#ints[(slot << 4) | 13] = previous;
  }

  /** The account's order placed after it. */
  nextOfAccount(slot: number): number {
    return this.#ints[(slot << 4) | 14];
  }
  setNextOfAccount(slot: number, next: number): void {
    this.#ints[(slot << 4) | 14] = next;
  }

  /** Where its details are (order-details.ts), NO_DETAILS for a plain order. */
  detailsOf(slot: number): number {
    return this.#ints[(slot << 4) | 15];
  }
  setDetails(slot: number, place: number): void {
    this.#ints[(slot << 4) | 15] = place;
  }

  /** The slot of an open order, NO_ORDER where there is none of that id. */
  find(orderId: number): number {
    let slot = this.#chains[orderId & this.#chainMask];
    while (slot !== NONE && this.idOf(slot) !== orderId) slot = this.#chainNextOf(slot);
    return slot;
  }

  /** Takes a slot for the order and makes it findable; the caller fills the other fields. */
  allocate(orderId: number): number {
    let slot = this.#free;
    if (slot !== NONE) {
      this.#free = this.nextOf(slot);
    } else {
      if (this.#fresh === this.#capacity) this.#grow();
      slot = this.#fresh++;
    }
    this.#floats[slot << 3] = orderId;
    this.#addToChain(slot, orderId);
    this.count++;
    return slot;
  }

  /** Gives the slot back; the order is no longer found. */
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
    return this.#ints[(slot << 4) | 9];
  }
  #setChainNext(slot: number, next: number): void {
    this.#ints[(slot << 4) | 9] = next;
  }

  #grow(): void {
    this.#capacity *= 2;
    assert(this.#capacity <= OPEN_ORDERS_MAX, "the order table stays within its bound");
    const floats = new Float64Array(this.#capacity * ROW_FLOATS);
    floats.set(this.#floats);
    this.#floats = floats;
    this.#ints = new Int32Array(floats.buffer);
    this.#chains = new Int32Array(this.#capacity * CHAINS_PER_SLOT);
    this.#chainMask = this.#chains.length - 1;
    // It grows only when no slot is free, so every slot below the fresh one holds an open order.
    for (let slot = 1; slot < this.#fresh; slot++) this.#addToChain(slot, this.idOf(slot));
  }
}

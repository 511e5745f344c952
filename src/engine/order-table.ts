/**
 * The open orders of all markets in one table. A row is 64 bytes, one cache line: the hot path is
 * bound by memory, not by arithmetic. Rows are found by order id through a hash of chains, are
 * linked into the queue of their price level, unless they wait, and into the list of their account's
 * open orders in order of placement, and are handed out again after use.
 *
 * Slot 0 stands for "none". Never: ownership of prices (price-ladder.ts) or of money (ledger.ts).
 */
import { assert } from "./assert.ts";

/** Float64 fields of a row, at `slot * ORDER_FLOATS + field`. */
export const ORDER_FLOATS = 8;
export const ORDER_ID = 0;
/** What is left and stands in the book; what an iceberg hides is in its details. */
export const ORDER_SHOWN_LOTS = 1;
/** The quantity as it was asked for; what is filled is this less all that is left. */
export const ORDER_TOTAL_LOTS = 2;

/** Int32 fields of the same row, at `slot * ORDER_INTS + field`. */
export const ORDER_INTS = 16;
/** Queue of the level. */
export const ORDER_PREVIOUS = 6;
export const ORDER_NEXT = 7;
/** The level that says its price, NO_LEVEL while the order waits for its activation. */
export const ORDER_LEVEL = 8;
const ORDER_CHAIN_NEXT = 9;
export const ORDER_ACCOUNT = 10;
/** Market id × 2, plus 1 for a sell. */
export const ORDER_MARKET_AND_SIDE = 11;
/** Both fees and two flags, see `packFees`. */
export const ORDER_FEES_AND_FLAGS = 12;
/** List of the account's open orders. */
export const ORDER_ACCOUNT_PREVIOUS = 13;
export const ORDER_ACCOUNT_NEXT = 14;
/** Where its details are (order-details.ts), 0 for a plain order. */
export const ORDER_DETAILS = 15;

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

/** Open orders over all markets; 512 MB of rows. */
const OPEN_ORDERS_MAX = 1 << 23;
const INITIAL_CAPACITY = 1 << 10;
/** Chains per slot: a second order in a chain costs a visit to its row. */
const CHAINS_PER_SLOT = 2;

export class OrderTable {
  floats = new Float64Array(INITIAL_CAPACITY * ORDER_FLOATS);
  ints = new Int32Array(this.floats.buffer);
  /** Open orders now. */
  count = 0;

  #capacity = INITIAL_CAPACITY;
  /** First slot never used so far. */
  #fresh = 1;
  /** Head of the list of slots given back, linked through their level-queue field. */
  #free = NO_ORDER;
  /** Head of each chain; ids are dense and ascending, so their low bits spread them evenly. */
  #chains = new Int32Array(INITIAL_CAPACITY * CHAINS_PER_SLOT);
  #chainMask = INITIAL_CAPACITY * CHAINS_PER_SLOT - 1;

  get isFull(): boolean {
    return this.count >= OPEN_ORDERS_MAX - 1;
  }

  /** The slot of an open order, NO_ORDER where there is none of that id. */
  find(orderId: number): number {
    let slot = this.#chains[orderId & this.#chainMask];
    while (slot !== NO_ORDER && this.floats[slot * ORDER_FLOATS + ORDER_ID] !== orderId) {
      slot = this.ints[slot * ORDER_INTS + ORDER_CHAIN_NEXT];
    }
    return slot;
  }

  /** Takes a slot for the order and makes it findable; the caller fills the other fields. */
  allocate(orderId: number): number {
    let slot = this.#free;
    if (slot !== NO_ORDER) {
      this.#free = this.ints[slot * ORDER_INTS + ORDER_NEXT];
    } else {
      if (this.#fresh === this.#capacity) this.#grow();
      slot = this.#fresh++;
    }
    const chain = orderId & this.#chainMask;
    this.floats[slot * ORDER_FLOATS + ORDER_ID] = orderId;
    this.ints[slot * ORDER_INTS + ORDER_CHAIN_NEXT] = this.#chains[chain];
    this.#chains[chain] = slot;
    this.count++;
    return slot;
  }

  /** Gives the slot back; the order is no longer found. */
  free(slot: number): void {
    const { ints } = this;
    const chain = this.floats[slot * ORDER_FLOATS + ORDER_ID] & this.#chainMask;
    const after = ints[slot * ORDER_INTS + ORDER_CHAIN_NEXT];
    let before = this.#chains[chain];
    if (before === slot) {
      this.#chains[chain] = after;
    } else {
      while (ints[before * ORDER_INTS + ORDER_CHAIN_NEXT] !== slot) {
        before = ints[before * ORDER_INTS + ORDER_CHAIN_NEXT];
        assert(before !== NO_ORDER, "an open order stands in its chain");
      }
      ints[before * ORDER_INTS + ORDER_CHAIN_NEXT] = after;
    }
    ints[slot * ORDER_INTS + ORDER_NEXT] = this.#free;
    this.#free = slot;
    this.count--;
  }

  #grow(): void {
    this.#capacity *= 2;
    assert(this.#capacity <= OPEN_ORDERS_MAX, "the order table stays within its bound");
    const floats = new Float64Array(this.#capacity * ORDER_FLOATS);
    floats.set(this.floats);
    this.floats = floats;
    this.ints = new Int32Array(floats.buffer);
    this.#chains = new Int32Array(this.#capacity * CHAINS_PER_SLOT);
    this.#chainMask = this.#chains.length - 1;
    // It grows only when no slot is free, so every slot below the fresh one holds an open order.
    for (let slot = 1; slot < this.#fresh; slot++) {
      const chain = floats[slot * ORDER_FLOATS + ORDER_ID] & this.#chainMask;
      this.ints[slot * ORDER_INTS + ORDER_CHAIN_NEXT] = this.#chains[chain];
      this.#chains[chain] = slot;
    }
  }
}

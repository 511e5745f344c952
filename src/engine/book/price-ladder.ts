/**
 * The prices of one market that have a level, and the best of each side. A side is a tree
 * over the digits of a price to the base of 64: a node (price-nodes.ts) has a child for each value
 * of one digit, which is a node of a lower digit or, if no other level is below it, the level
 * itself. Digits in which no prices differ have no node. So the position and spread of prices do
 * not matter: the path to a level is two or three nodes in a usual market and nine at most, and a
 * level needs one node at most.
 *
 * The digits of bids are inverted, so that on both sides better is lower.
 *
 * Invariants: a node has two children or more; unless the book `mayCross`, the best bid is below
 * the best ask. The ladder knows no orders and no quantities. The layout of nodes depends on
 * history; the answers do not.
 */
import { assert } from "../assert.ts";
import type { LevelTable } from "./level-table.ts";
import { SLOTS, type PriceNodes } from "./price-nodes.ts";

export const BID = 0;
export const ASK = 1;

// Neither imported nor exported, so that the compiler treats these as constants.
const { DIGIT_BITS, DIGIT_MASK, NO_SLOT } = SLOTS;
const NO_LEVEL = 0;
const isBid = (side: number): boolean => side === 0;

/** Where a price is split, because JavaScript shifts 32 bits: five digits below, four above. */
const LOW_BITS = 30;
const HIGH_UNIT = 2 ** LOW_BITS;
/**
 * Flag in a digit's shift: the digit is in the upper part of the price. The other bits are the
 * shift within that part.
 */
const IS_HIGH = 32;
/** The shift of the highest digit; every price is below a node with this shift. */
const ROOT_SHIFT = IS_HIGH | 18;
/** How many prices are below a node, by the shift of the node's digit. */
const SPANS = Float64Array.from(
  { length: 64 },
  (_, shift) => 2 ** (DIGIT_BITS + (shift < IS_HIGH ? shift : LOW_BITS + shift - IS_HIGH)),
);

export class PriceLadder {
  bestBid = NO_LEVEL;
  bestAsk = NO_LEVEL;
  /** While the book does not trade, bids and asks may share a price or cross. */
  mayCross = false;

  readonly #marketId: number;
  readonly #levels: LevelTable;
  readonly #nodes: PriceNodes;
  /**
   * The parent of both trees, outside them: its first two slots hold the roots of bids and of asks.
   */
  readonly #rootNode: number;
  readonly #rootSlot: number;

  constructor(marketId: number, levels: LevelTable) {
    this.#marketId = marketId;
    this.#levels = levels;
    this.#nodes = levels.nodes;
    this.#rootNode = levels.nodes.allocate(0);
    this.#rootSlot = this.#rootNode << DIGIT_BITS;
  }

  best(side: number): number {
    return isBid(side) ? this.bestBid : this.bestAsk;
  }

  /** The level of a side at a price, NO_LEVEL if there is none. */
  find(side: number, priceTicks: number): number {
    const nodes = this.#nodes;
    let found = nodes.childAt(this.#rootSlot | side);
    while (found < 0) found = nodes.childAt(slotOf(side, ~found, priceTicks));
    // The path may have skipped digits without a node, so the price found may be another.
    return this.#levels.priceOf(found) === priceTicks ? found : NO_LEVEL;
  }

  /** The level of a side at a price, created if there was none. */
  findOrAdd(side: number, priceTicks: number): number {
    const nodes = this.#nodes;
    let slot = this.#rootSlot | side;
    let node = slot | ROOT_SHIFT;
    let found = nodes.childAt(slot);
    while (found < 0) {
      node = ~found;
      slot = slotOf(side, node, priceTicks);
      found = nodes.childAt(slot);
    }
    if (this.#levels.priceOf(found) === priceTicks) return found;
    const level = this.#levels.allocate(this.#marketId * 2 + side, priceTicks);
    if (this.#isBetterThanBest(side, priceTicks)) this.#setBest(side, priceTicks, level);
    if (found === NO_LEVEL && this.#isBelow(node, priceTicks)) this.#put(slot, level);
    else this.#branch(side, priceTicks, level);
    return level;
  }

  /** Removes a level and frees it. */
  remove(level: number): void {
    const nodes = this.#nodes;
    const slot = this.#levels.slotOf(level);
    assert(nodes.childAt(slot) === level, "a level to remove is there");
    if (level === this.bestBid) this.bestBid = this.nextWorse(level);
    else if (level === this.bestAsk) this.bestAsk = this.nextWorse(level);
    this.#levels.free(level);
    nodes.clear(slot);
    const node = slot >> DIGIT_BITS;
    if (node === this.#rootNode || !nodes.hasOneChild(node)) return;
    // A node with one child left is replaced by that child.
    const left = nodes.firstSlot(node);
    this.#put(nodes.parentOf(node), nodes.childAt(left));
    nodes.clear(left);
    nodes.free(node);
  }

  /** The next worse level of the same side. */
  nextWorse(level: number): number {
    const nodes = this.#nodes;
    let slot = this.#levels.slotOf(level);
    let node = slot >> DIGIT_BITS;
    while (node !== this.#rootNode) {
      const next = nodes.nextSlot(slot);
      if (next !== NO_SLOT) {
        let found = nodes.childAt(next);
        while (found < 0) found = nodes.childAt(nodes.firstSlot(~found >> DIGIT_BITS));
        return found;
      }
      slot = nodes.parentOf(node);
      node = slot >> DIGIT_BITS;
    }
    return NO_LEVEL;
  }

  #isBetterThanBest(side: number, priceTicks: number): boolean {
    const best = this.best(side);
    if (best === NO_LEVEL) return true;
    const bestTicks = this.#levels.priceOf(best);
    return isBid(side) ? priceTicks > bestTicks : priceTicks < bestTicks;
  }

  #setBest(side: number, priceTicks: number, level: number): void {
    // A book starts to cross only with a new best level.
    const other = isBid(side) ? this.bestAsk : this.bestBid;
    if (other !== NO_LEVEL && !this.mayCross) {
      const otherTicks = this.#levels.priceOf(other);
      assert(
        isBid(side) ? priceTicks < otherTicks : priceTicks > otherTicks,
        "a book that trades never crosses",
      );
    }
    if (isBid(side)) this.bestBid = level;
    else this.bestAsk = level;
  }

  /** Whether the price is below a node; `node` packs the node and the shift of its digit. */
  #isBelow(node: number, priceTicks: number): boolean {
    const offset = priceTicks - this.#nodes.baseOf(node >> DIGIT_BITS);
    return offset >= 0 && offset < SPANS[node & DIGIT_MASK];
  }

  #put(slot: number, child: number): void {
    this.#nodes.setChild(slot, child);
    if (child < 0) this.#nodes.setParent(~child >> DIGIT_BITS, slot);
    else this.#levels.setSlot(child, slot);
  }

  /**
   * Adds a level if the path to its price ends at another level, or at a node that the price is not
   * below: a new node takes that place, for the highest digit in which the two differ.
   */
  #branch(side: number, priceTicks: number, level: number): void {
    const nodes = this.#nodes;
    let slot = this.#rootSlot | side;
    let found = nodes.childAt(slot);
    while (found < 0 && this.#isBelow(~found, priceTicks)) {
      slot = slotOf(side, ~found, priceTicks);
      found = nodes.childAt(slot);
    }
    const foundTicks = found < 0 ? nodes.baseOf(~found >> DIGIT_BITS) : this.#levels.priceOf(found);
    const shift = highestShift(foundTicks, priceTicks);
    const base = Math.floor(priceTicks / SPANS[shift]) * SPANS[shift];
    const node = (nodes.allocate(base) << DIGIT_BITS) | shift;
    this.#put(slotOf(side, node, foundTicks), found);
    this.#put(slotOf(side, node, priceTicks), level);
    this.#put(slot, ~node);
  }
}

/** The slot of a price in a node; `node` packs the node and the shift of its digit. */
function slotOf(side: number, node: number, priceTicks: number): number {
  // Inverts all bits of a bid's price, whose digits are counted down (63 less the digit), and none
  // of an ask's.
  const turned = side - 1;
  const digits = (node & IS_HIGH) === 0 ? priceTicks ^ turned : (priceTicks / HIGH_UNIT) ^ turned;
  // A shift uses only the lowest five bits of its right operand.
  return (node & ~DIGIT_MASK) | ((digits >>> node) & DIGIT_MASK);
}

/** The shift of the highest digit in which two prices differ. */
function highestShift(left: number, right: number): number {
  const high = (left / HIGH_UNIT) ^ (right / HIGH_UNIT);
  if (high !== 0) return IS_HIGH | digitShift(high);
  return digitShift((left ^ right) & (HIGH_UNIT - 1));
}

/** The shift of the digit that has the highest bit. */
function digitShift(bits: number): number {
  const bit = 31 - Math.clz32(bits);
  return bit - (bit % DIGIT_BITS);
}

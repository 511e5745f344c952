/**
 * Which prices of one market have a level, and which is the best. Around the touch it is a window of
 * consecutive ticks, one entry each, with a bitmap in two steps to find the next level; a level
 * beyond the window stands in a sorted stack of its side, best last. The window moves when the touch
 * leaves it and widens, up to a bound, when many levels lie beyond it.
 *
 * Invariants: bids are below asks, so one window serves both sides; every bid outside the window is
 * below it and every ask outside is above it; `best` is the level of the best price of each side.
 * Never: anything about orders or quantities. Its layout depends on history, what it answers does
 * not.
 */
import { assert } from "../assert.ts";
import { NO_LEVEL } from "./level-table.ts";
import type { LevelTable } from "./level-table.ts";

export const BID = 0;
export const ASK = 1;

const WINDOW_TICKS_MIN = 1 << 10;
/** 256 KB of entries; a market whose levels spread wider keeps the rest in the stacks. */
const WINDOW_TICKS_MAX = 1 << 16;
/** The window widens when a stack holds more than this part of it. */
const STACK_SHARE_MAX = 8;

export class PriceLadder {
  bestBid = NO_LEVEL;
  bestAsk = NO_LEVEL;

  readonly #levels: LevelTable;
  /** Price of the window's first tick. */
  #base = 0;
  #size = WINDOW_TICKS_MIN;
  /** The level of each tick of the window. */
  #ticks = new Int32Array(WINDOW_TICKS_MIN);
  /** One bit per tick; one bit per word of those. */
  #words = new Int32Array(WINDOW_TICKS_MIN >> 5);
  #summary = new Int32Array(WINDOW_TICKS_MIN >> 10);
  readonly #farBids = new LevelStack(BID);
  readonly #farAsks = new LevelStack(ASK);

  constructor(levels: LevelTable) {
    this.#levels = levels;
  }

  best(side: number): number {
    return side === BID ? this.bestBid : this.bestAsk;
  }

  /** The level at a price where only this side can have one, NO_LEVEL where there is none. */
  find(side: number, priceTicks: number): number {
    const offset = priceTicks - this.#base;
    if (offset >= 0 && offset < this.#size) return this.#ticks[offset];
    return (side === BID ? this.#farBids : this.#farAsks).find(priceTicks);
  }

  /** Adds a level at a price that has none and that does not cross the other side. */
  insert(side: number, priceTicks: number, level: number): void {
    const isBest = this.#isBetterThanBest(side, priceTicks);
    let offset = priceTicks - this.#base;
    if (!(offset >= 0 && offset < this.#size)) {
      const leavesOnBetterSide = side === BID ? offset >= this.#size : offset < 0;
      if (leavesOnBetterSide || (isBest && this.#isWindowEmpty())) {
        this.#arrange(priceTicks, this.#size);
      } else {
        this.#insertFar(side, priceTicks, level, isBest);
      }
      offset = priceTicks - this.#base;
    }
    if (offset >= 0 && offset < this.#size) this.#set(offset, level);
    if (!isBest) return;
    // A book begins to cross with a new best level or never.
    const other = side === BID ? this.bestAsk : this.bestBid;
    if (other !== NO_LEVEL) {
      const otherTicks = this.#priceOf(other);
      assert(
        side === BID ? priceTicks < otherTicks : priceTicks > otherTicks,
        "a book that trades never crosses",
      );
    }
    if (side === BID) this.bestBid = level;
    else this.bestAsk = level;
  }

  remove(side: number, priceTicks: number, level: number): void {
    const offset = priceTicks - this.#base;
    if (offset >= 0 && offset < this.#size) this.#clear(offset);
    else (side === BID ? this.#farBids : this.#farAsks).remove(priceTicks);
    if (side === BID) {
      if (level === this.bestBid) this.bestBid = this.nextWorse(BID, priceTicks);
    } else if (level === this.bestAsk) {
      this.bestAsk = this.nextWorse(ASK, priceTicks);
    }
  }

  /** The best level of the side at a price worse than this one. */
  nextWorse(side: number, priceTicks: number): number {
    const offset = priceTicks - this.#base;
    if (offset >= 0 && offset < this.#size) {
      const found = side === BID ? this.#lastBelow(offset) : this.#firstAbove(offset);
      if (found >= 0) return this.#ticks[found];
      return (side === BID ? this.#farBids : this.#farAsks).top();
    }
    return (side === BID ? this.#farBids : this.#farAsks).nextWorse(priceTicks);
  }

  #isBetterThanBest(side: number, priceTicks: number): boolean {
    const best = side === BID ? this.bestBid : this.bestAsk;
    if (best === NO_LEVEL) return true;
    const bestTicks = this.#priceOf(best);
    return side === BID ? priceTicks > bestTicks : priceTicks < bestTicks;
  }

  #priceOf(level: number): number {
    return this.#levels.priceOf(level);
  }

  #set(offset: number, level: number): void {
    this.#ticks[offset] = level;
    const word = offset >> 5;
    this.#words[word] |= 1 << (offset & 31);
    this.#summary[word >> 5] |= 1 << (word & 31);
  }

  #clear(offset: number): void {
    this.#ticks[offset] = NO_LEVEL;
    const word = offset >> 5;
    const rest = this.#words[word] & ~(1 << (offset & 31));
    this.#words[word] = rest;
    if (rest === 0) this.#summary[word >> 5] &= ~(1 << (word & 31));
  }

  #isWindowEmpty(): boolean {
    for (let index = 0; index < this.#summary.length; index++) {
      if (this.#summary[index] !== 0) return false;
    }
    return true;
  }

  /** The highest tick with a level below `offset`, -1 where there is none. */
  #lastBelow(offset: number): number {
    let word = offset >> 5;
    let bits = this.#words[word] & ((1 << (offset & 31)) - 1);
    if (bits === 0) {
      let index = word >> 5;
      let summary = this.#summary[index] & ((1 << (word & 31)) - 1);
      while (summary === 0) {
        if (--index < 0) return -1;
        summary = this.#summary[index];
      }
      word = (index << 5) + 31 - Math.clz32(summary);
      bits = this.#words[word];
    }
    return (word << 5) + 31 - Math.clz32(bits);
  }

  /** The lowest tick with a level above `offset`, -1 where there is none. */
  #firstAbove(offset: number): number {
    let word = offset >> 5;
    // A shift by 32 would be one by 0, hence the two steps: all bits above this one.
    let bits = this.#words[word] & (-2 << (offset & 31));
    if (bits === 0) {
      let index = word >> 5;
      let summary = this.#summary[index] & (-2 << (word & 31));
      while (summary === 0) {
        if (++index >= this.#summary.length) return -1;
        summary = this.#summary[index];
      }
      word = (index << 5) + lowestBit(summary);
      bits = this.#words[word];
    }
    return (word << 5) + lowestBit(bits);
  }

  #insertFar(side: number, priceTicks: number, level: number, isBest: boolean): void {
    const stack = side === BID ? this.#farBids : this.#farAsks;
    stack.insert(priceTicks, level);
    if (this.#size === WINDOW_TICKS_MAX || stack.length <= this.#size / STACK_SHARE_MAX) return;
    const bestTicks = isBest ? priceTicks : this.#priceOf(this.best(side));
    this.#arrange(bestTicks, this.#size * 2);
  }

  /**
   * Lays the window of the given size around a price that is the best of its side, or becomes it:
   * then no bid is above the window and no ask below it.
   */
  #arrange(centreTicks: number, size: number): void {
    const inside = this.#takeWindow();
    if (size !== this.#size) {
      this.#size = size;
      this.#ticks = new Int32Array(size);
      this.#words = new Int32Array(size >> 5);
      this.#summary = new Int32Array(size >> 10);
    }
    this.#base = Math.max(0, centreTicks - size / 2);
    // Bids leave from the lowest up, asks from the highest down: onto the stacks in their order.
    for (const level of inside) this.#place(level, BID);
    for (const level of inside.reverse()) this.#place(level, ASK);
    this.#fetch(this.#farBids);
    this.#fetch(this.#farAsks);
  }

  /** Empties the window and returns its levels by ascending price. */
  #takeWindow(): number[] {
    const levels: number[] = [];
    let offset = this.#ticks[0] !== NO_LEVEL ? 0 : this.#firstAbove(0);
    while (offset >= 0) {
      levels.push(this.#ticks[offset]);
      this.#clear(offset);
      offset = this.#firstAbove(offset);
    }
    return levels;
  }

  #place(level: number, side: number): void {
    if (this.#levels.sideOf(level) !== side) return;
    const priceTicks = this.#priceOf(level);
    const offset = priceTicks - this.#base;
    if (offset >= 0 && offset < this.#size) {
      this.#set(offset, level);
      return;
    }
    assert(side === BID ? offset < 0 : offset >= this.#size, "levels leave on their worse side");
    (side === BID ? this.#farBids : this.#farAsks).insert(priceTicks, level);
  }

  /** Moves what lies within the window from a stack into it. */
  #fetch(stack: LevelStack): void {
    while (stack.length > 0) {
      const offset = stack.topPrice() - this.#base;
      if (offset < 0 || offset >= this.#size) return;
      this.#set(offset, stack.pop());
    }
  }
}

/** The place of the lowest set bit. */
function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

/** Levels of one side ordered by price, best last. */
class LevelStack {
  length = 0;
  /** Bids ascend and asks descend towards the best: +1 or -1. */
  readonly #direction: number;
  #prices = new Float64Array(8);
  #levels = new Int32Array(8);

  constructor(side: number) {
    this.#direction = side === BID ? 1 : -1;
  }

  top(): number {
    return this.length === 0 ? NO_LEVEL : this.#levels[this.length - 1];
  }

  topPrice(): number {
    return this.#prices[this.length - 1];
  }

  pop(): number {
    this.length--;
    return this.#levels[this.length];
  }

  find(priceTicks: number): number {
    const at = this.#lowerBound(priceTicks);
    return at < this.length && this.#prices[at] === priceTicks ? this.#levels[at] : NO_LEVEL;
  }

  nextWorse(priceTicks: number): number {
    const at = this.#lowerBound(priceTicks);
    return at === 0 ? NO_LEVEL : this.#levels[at - 1];
  }

  insert(priceTicks: number, level: number): void {
    if (this.length === this.#prices.length) this.#grow();
    const at = this.#lowerBound(priceTicks);
    if (at < this.length) {
      this.#prices.copyWithin(at + 1, at, this.length);
      this.#levels.copyWithin(at + 1, at, this.length);
    }
    this.#prices[at] = priceTicks;
    this.#levels[at] = level;
    this.length++;
  }

  remove(priceTicks: number): void {
    const at = this.#lowerBound(priceTicks);
    assert(at < this.length && this.#prices[at] === priceTicks, "a level to remove is there");
    if (at < this.length - 1) {
      this.#prices.copyWithin(at, at + 1, this.length);
      this.#levels.copyWithin(at, at + 1, this.length);
    }
    this.length--;
  }

  /** The first place whose price is not worse than this one. */
  #lowerBound(priceTicks: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#prices[middle] - priceTicks) * this.#direction < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #grow(): void {
    const prices = new Float64Array(this.#prices.length * 2);
    const levels = new Int32Array(prices.length);
    prices.set(this.#prices);
    levels.set(this.#levels);
    this.#prices = prices;
    this.#levels = levels;
  }
}

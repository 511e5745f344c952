/**
 * The owners of remembered texts: the number of texts of each, and its oldest and its newest text.
 * When the table is full, the owner with the most texts gives one up, so that no owner displaces
 * another owner's text while it has more texts itself.
 */
import { assert } from "../assert.ts";
import { grown } from "../typed-arrays.ts";

/** Stands for a slot where there is no text. */
export const NO_TEXT = -1;

const INITIAL_OWNERS = 64;

export class TextOwners {
  #counts = new Int32Array(INITIAL_OWNERS);
  /** The slots of each owner's oldest and newest text. */
  #firsts = new Int32Array(INITIAL_OWNERS);
  #lasts = new Int32Array(INITIAL_OWNERS);
  /** One more than the highest owner that ever had a text. */
  #end = 0;
  #largest = 0;
  /** Maximum number of texts that any other owner has or had; some may have fewer by now. */
  #othersMax = 0;

  firstOf(owner: number): number {
    return this.#counts[owner] === 0 ? NO_TEXT : this.#firsts[owner];
  }

  /**
   * Adds the slot of an owner's newest text. @returns the slot of the owner's text before it,
   * NO_TEXT if none
   */
  append(owner: number, slot: number): number {
    if (owner >= this.#counts.length) this.#grow(owner + 1);
    if (owner >= this.#end) this.#end = owner + 1;
    const count = ++this.#counts[owner];
    const before = count === 1 ? NO_TEXT : this.#lasts[owner];
    if (count === 1) this.#firsts[owner] = slot;
    this.#lasts[owner] = slot;
    if (owner !== this.#largest && count > this.#othersMax) this.#othersMax = count;
    return before;
  }

  /** Drops the owner's oldest text; `next` becomes its oldest. */
  dropFirst(owner: number, slot: number, next: number): void {
    assert(this.firstOf(owner) === slot, "an owner's texts are forgotten oldest first");
    this.#counts[owner]--;
    this.#firsts[owner] = next;
  }

  /**
   * The owner with the most texts, on a tie the lowest number. Constant time if one owner has far
   * more than all others, else a scan of all.
   */
  largest(): number {
    const counts = this.#counts;
    if (counts[this.#largest] > this.#othersMax) return this.#largest;
    let largest = 0;
    let othersMax = 0;
    for (let owner = 1; owner < this.#end; owner++) {
      const count = counts[owner];
      if (count > counts[largest]) {
        othersMax = counts[largest];
        largest = owner;
      } else if (count > othersMax) {
        othersMax = count;
      }
    }
    this.#largest = largest;
    this.#othersMax = othersMax;
    return largest;
  }

  #grow(needed: number): void {
    const length = Math.max(needed, this.#counts.length * 2);
    this.#counts = grown(this.#counts, length);
    this.#firsts = grown(this.#firsts, length);
    this.#lasts = grown(this.#lasts, length);
  }
}

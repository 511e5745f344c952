/**
 * The nodes of the trees in which the price ladders of all books keep their levels
 * (price-ladder.ts), in one table. A slot is the place of a child: its node × 64 plus its digit. A
 * slot holds a reference: 0 for none, a level, or negative: the complement of a node × 64 plus the
 * shift of its digit. Node 0 stands for "none".
 *
 * A freed node is reused by the next book that needs one.
 */
import { grown } from "../typed-arrays.ts";

/**
 * The numbers of a slot. Callers on the hot path declare constants of their own: an exported one is
 * loaded and checked at each use.
 */
export const SLOTS = { DIGIT_BITS: 6, DIGIT_MASK: 63, NO_SLOT: 0 } as const;
const { DIGIT_BITS, NO_SLOT } = SLOTS;
const NO_NODE = 0;
const NO_CHILD = 0;

const INITIAL_NODES = 1 << 4;

export class PriceNodes {
  /** The children of each node. In a free node, the first slot names the next free node. */
  #slots = new Int32Array(INITIAL_NODES << DIGIT_BITS);
  /** Two words per node: a bit for each slot that has a child. */
  #bits = new Int32Array(INITIAL_NODES << 1);
  /** The slot that points to each node. */
  #parents = new Int32Array(INITIAL_NODES);
  /** The lowest price below each node. */
  #bases = new Float64Array(INITIAL_NODES);
  #fresh = 1;
  #free = NO_NODE;

  childAt(slot: number): number {
    return this.#slots[slot];
  }

  parentOf(node: number): number {
    return this.#parents[node];
  }
  setParent(node: number, slot: number): void {
    this.#parents[node] = slot;
  }

  baseOf(node: number): number {
    return this.#bases[node];
  }

  setChild(slot: number, child: number): void {
    this.#slots[slot] = child;
    this.#bits[slot >> 5] |= 1 << slot;
  }

  clear(slot: number): void {
    this.#slots[slot] = NO_CHILD;
    this.#bits[slot >> 5] &= ~(1 << slot);
  }

  /** The first of a node's slots that has a child. */
  firstSlot(node: number): number {
    const low = this.#bits[node << 1];
    if (low !== 0) return (node << DIGIT_BITS) | lowestBit(low);
    return (node << DIGIT_BITS) | 32 | lowestBit(this.#bits[(node << 1) | 1]);
  }

  /** The next slot of the same node that has a child, NO_SLOT if there is none. */
  nextSlot(slot: number): number {
    let word = slot >> 5;
    // A shift by 32 is a shift by 0, hence two steps to mask all bits above this one.
    let bits = this.#bits[word] & (-2 << (slot & 31));
    if (bits === 0) {
      if ((word & 1) === 1) return NO_SLOT;
      word++;
      bits = this.#bits[word];
      if (bits === 0) return NO_SLOT;
    }
    return (word << 5) | lowestBit(bits);
  }

  hasOneChild(node: number): boolean {
    const low = this.#bits[node << 1];
    const high = this.#bits[(node << 1) | 1];
    const word = low === 0 ? high : low;
    return (low === 0 || high === 0) && (word & (word - 1)) === 0;
  }

  /** Allocates a node without children. */
  allocate(baseTicks: number): number {
    let node = this.#free;
    if (node !== NO_NODE) {
      this.#free = this.#slots[node << DIGIT_BITS];
      this.#slots[node << DIGIT_BITS] = NO_CHILD;
    } else {
      if (this.#fresh === this.#bases.length) this.#grow();
      node = this.#fresh++;
    }
    this.#bases[node] = baseTicks;
    return node;
  }

  /** Frees a node without children. */
  free(node: number): void {
    this.#slots[node << DIGIT_BITS] = this.#free;
    this.#free = node;
  }

  #grow(): void {
    this.#slots = grown(this.#slots, this.#slots.length * 2);
    this.#bits = grown(this.#bits, this.#bits.length * 2);
    this.#parents = grown(this.#parents, this.#parents.length * 2);
    this.#bases = grown(this.#bases, this.#bases.length * 2);
  }
}

/** The index of the lowest set bit. */
function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

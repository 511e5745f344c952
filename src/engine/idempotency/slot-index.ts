/**
 * Finds slots by a hash: open addressing with linear probing in one array, without an object per
 * entry. A cell is the hash and the slot, so that nearly every look-up of an absent key ends within
 * one cache line. Different keys may share a hash: the caller compares the slot's content.
 *
 * for (let cell = index.start(hash); index.isTaken(cell); cell = index.after(cell)) …
 */
import { assert } from "../assert.ts";

const INITIAL_CELLS = 1 << 8;
/** Two numbers in a cell: the hash, and the slot + 1 (0 in a free cell). */
const CELL_NUMBERS = 2;
/** Bits of the number of cells in a region, which has 128 KB. */
const REGION_BITS = 14;

export class SlotIndex {
  #cells: Int32Array;
  #mask: number;
  #count = 0;

  /** @param cells a power of two */
  constructor(cells = INITIAL_CELLS) {
    this.#cells = new Int32Array(cells * CELL_NUMBERS);
    this.#mask = cells - 1;
  }

  get count(): number {
    return this.#count;
  }

  /** The first cell to probe for this hash. */
  start(hash: number): number {
    return hash & this.#mask;
  }

  after(cell: number): number {
    return (cell + 1) & this.#mask;
  }

  isTaken(cell: number): boolean {
    return this.#cells[cell * CELL_NUMBERS + 1] !== 0;
  }

  hashAt(cell: number): number {
    return this.#cells[cell * CELL_NUMBERS];
  }

  slotAt(cell: number): number {
    return this.#cells[cell * CELL_NUMBERS + 1] - 1;
  }

  /** Adds a slot that is not in the index yet. */
  add(hash: number, slot: number): void {
    if ((this.#count + 1) * 2 > this.#mask + 1) this.#resize((this.#mask + 1) * 2);
    this.#put(hash, slot);
    this.#count++;
  }

  /**
   * Adds slot 0 with the first hash, slot 1 with the second and so on, to an empty index. The slots
   * are inserted by regions of the array, each of which fits a cache near the processor: inserted
   * one by one, a million slots would miss the cache nearly every time.
   */
  addAll(hashes: Int32Array): void {
    assert(this.#count === 0, "the index is empty");
    let cells = this.#mask + 1;
    while (hashes.length * 2 > cells) cells *= 2;
    this.#resize(cells);
    const regions = Math.max(1, cells >> REGION_BITS);
    const mask = this.#mask;
    const ends = new Int32Array(regions + 1);
    for (let slot = 0; slot < hashes.length; slot++) {
      ends[((hashes[slot] & mask) >> REGION_BITS) + 1]++;
    }
    for (let region = 1; region < regions; region++) ends[region] += ends[region - 1];
    const byRegion = new Int32Array(hashes.length * CELL_NUMBERS);
    for (let slot = 0; slot < hashes.length; slot++) {
      const hash = hashes[slot];
      const at = ends[(hash & mask) >> REGION_BITS]++ * CELL_NUMBERS;
      byRegion[at] = hash;
      byRegion[at + 1] = slot + 1;
    }
    // No calls in the loop: it usually runs only once, before the compiler has optimized it.
    const taken = this.#cells;
    for (let at = 0; at < byRegion.length; at += CELL_NUMBERS) {
      let cell = byRegion[at] & mask;
      while (taken[cell * CELL_NUMBERS + 1] !== 0) cell = (cell + 1) & mask;
      taken[cell * CELL_NUMBERS] = byRegion[at];
      taken[cell * CELL_NUMBERS + 1] = byRegion[at + 1];
    }
    this.#count = hashes.length;
  }

  /** Removes the slot that was added with this hash, and moves up the entries it had displaced. */
  remove(hash: number, slot: number): void {
    const cells = this.#cells;
    let hole = this.start(hash);
    while (this.slotAt(hole) !== slot) {
      assert(this.isTaken(hole), "what is removed was added");
      hole = this.after(hole);
    }
    for (let cell = this.after(hole); this.isTaken(cell); cell = this.after(cell)) {
      const from = this.start(this.hashAt(cell));
      // An entry may move up unless that would put it before the start of its probe sequence.
      if (((cell - from) & this.#mask) < ((cell - hole) & this.#mask)) continue;
      cells[hole * CELL_NUMBERS] = cells[cell * CELL_NUMBERS];
      cells[hole * CELL_NUMBERS + 1] = cells[cell * CELL_NUMBERS + 1];
      hole = cell;
    }
    cells[hole * CELL_NUMBERS + 1] = 0;
    this.#count--;
  }

  #put(hash: number, slot: number): void {
    let cell = this.start(hash);
    while (this.isTaken(cell)) cell = this.after(cell);
    this.#cells[cell * CELL_NUMBERS] = hash;
    this.#cells[cell * CELL_NUMBERS + 1] = slot + 1;
  }

  #resize(cells: number): void {
    const former = this.#cells;
    this.#cells = new Int32Array(cells * CELL_NUMBERS);
    this.#mask = cells - 1;
    for (let at = 0; at < former.length; at += CELL_NUMBERS) {
      if (former[at + 1] !== 0) this.#put(former[at], former[at + 1] - 1);
    }
  }
}

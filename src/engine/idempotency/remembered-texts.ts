/**
 * Texts in order of arrival, each with its owner and a few numbers, found by owner and text (or by
 * the text alone), and dropped from the front, of all or of one owner. A million of them are some
 * thousands of arrays of numbers and bytes: no object, string or entry of a map for each, so the
 * garbage collector has nothing to walk and a start has little to build.
 *
 * A text keeps its slot while it is remembered. Slots are linked twice: in the order of arrival,
 * and from each text of an owner to the owner's next.
 *
 * A text is found by comparing all of it (formats/text-bytes.ts); its hash only narrows the search.
 */
import { assert } from "../assert.ts";
import type { KeyedHash } from "./keyed-hash.ts";
import { SlotIndex } from "./slot-index.ts";
import { NO_TEXT, TextOwners } from "./text-owners.ts";
import { readRows, type SnapshotReader, type SnapshotWriter } from "../formats/snapshot.ts";
import { EncodedText, bytesOfText, decodedText, hasOnlyAscii } from "../formats/text-bytes.ts";
import type { StateHash } from "../formats/state-hash.ts";

export { NO_TEXT };

const CHUNK_BITS = 10;
const CHUNK_SLOTS = 1 << CHUNK_BITS;
/** Maximum number of texts that can be remembered at once. */
const TEXTS_MAX = 1 << 20;

const TEXT_OWNER = 0;
const TEXT_HASH = 1;
const TEXT_START = 2;
/** The length in units of UTF-16; negative if one byte per unit, as in ASCII, is not enough. */
const TEXT_UNITS = 3;
/** The slots of the texts that came before and after this one; FREE in a slot without a text. */
const TEXT_PREVIOUS = 4;
const TEXT_NEXT = 5;
const TEXT_NEXT_OF_OWNER = 6;
const TEXT_INTS = 7;
const FREE = -2;

// Fields of a text in a snapshot, stored before the numbers and bytes of each chunk.
const HEAD_OWNER = 0;
const HEAD_UNITS = 1;
const HEAD_NUMBERS = 2;

const INITIAL_BYTES = CHUNK_SLOTS * 24;

/** Texts as stored in a snapshot. */
interface Packed {
  readonly count: number;
  readonly rows: Uint8Array;
  readonly bytes: Uint8Array;
}

/**
 * A fixed number of slots, and the bytes of their texts one after another. A snapshot's numbers are
 * decoded only on first use: for nearly all texts, that is when they are dropped.
 */
class Chunk {
  readonly ints = new Int32Array(CHUNK_SLOTS * TEXT_INTS).fill(FREE);
  readonly #numbersEach: number;
  #numbers: Float64Array | undefined;
  #packed: Packed | undefined;
  bytes: Uint8Array;
  /** The offset at which the next text's bytes are written. */
  length = 0;
  /** How many texts are remembered, and how many bytes they take. */
  count = 0;
  usedBytes = 0;

  constructor(numbersEach: number, packed?: Packed) {
    this.#numbersEach = numbersEach;
    this.#packed = packed;
    this.bytes = packed?.bytes ?? new Uint8Array(INITIAL_BYTES);
  }

  get numbers(): Float64Array {
    return this.#numbers ?? this.#unpack();
  }

  /** Whether the chunk uses memory of a snapshot, which must not outlive the snapshot's texts. */
  get isPacked(): boolean {
    return this.#packed !== undefined;
  }

  #unpack(): Float64Array {
    const numbers = new Float64Array(CHUNK_SLOTS * this.#numbersEach);
    if (this.#packed !== undefined) {
      readRows(this.#packed.rows, numbers, this.#packed.count, this.#numbersEach);
    }
    this.#numbers = numbers;
    return numbers;
  }

  /** Makes room for a text's bytes; the space of dropped texts is reused before the chunk grows. */
  reserve(count: number): void {
    // A snapshot's memory is never written to.
    if (this.length + count <= this.bytes.length && this.bytes !== this.#packed?.bytes) return;
    const needed = this.usedBytes + count;
    const bytes = new Uint8Array(Math.max(INITIAL_BYTES, needed * 2));
    const { ints } = this;
    let length = 0;
    for (let row = 0; row < ints.length; row += TEXT_INTS) {
      if (ints[row + TEXT_PREVIOUS] === FREE) continue;
      const start = ints[row + TEXT_START];
      const end = start + bytesOfText(ints[row + TEXT_UNITS]);
      ints[row + TEXT_START] = length;
      for (let at = start; at < end; at++) bytes[length++] = this.bytes[at];
    }
    this.bytes = bytes;
    this.length = length;
  }
}

export class RememberedTexts {
  readonly #hash: KeyedHash;
  readonly #numbersEach: number;
  readonly #isSharedByAll: boolean;
  readonly #index = new SlotIndex();
  readonly #chunks: (Chunk | undefined)[] = [];
  /** A chunk without texts, to be reused for the next one. */
  #spare: Chunk | undefined;
  /** Slots without a text before `#slotEnd`. */
  readonly #free: number[] = [];
  #slotEnd = 0;
  #first = NO_TEXT;
  #last = NO_TEXT;
  #count = 0;
  readonly #owners = new TextOwners();
  readonly #sought = new EncodedText();

  /** @param isSharedByAll whether a text is found regardless of its owner */
  constructor(hash: KeyedHash, numbersEach: number, isSharedByAll = false) {
    this.#hash = hash;
    this.#numbersEach = numbersEach;
    this.#isSharedByAll = isSharedByAll;
  }

  get count(): number {
    return this.#count;
  }

  /** The slot of the oldest text, NO_TEXT if there is none. */
  get first(): number {
    return this.#first;
  }

  /** The slot of the next newer text, NO_TEXT if there is none. */
  next(slot: number): number {
    return this.#int(slot, TEXT_NEXT);
  }

  /** The slot of the oldest text of the owner with the most texts; there must be one. */
  get firstOfLargest(): number {
    return this.#owners.firstOf(this.#owners.largest());
  }

  find(owner: number, text: string): number {
    const sought = this.#sought;
    sought.encode(text);
    const hash = this.#hashOf(owner, sought.bytes, 0, sought.length);
    const index = this.#index;
    for (let cell = index.start(hash); index.isTaken(cell); cell = index.after(cell)) {
      if (index.hashAt(cell) !== hash) continue;
      const slot = index.slotAt(cell);
      if (this.#matchesSought(slot, owner)) return slot;
    }
    return NO_TEXT;
  }

  /** Adds a text that `find` does not find, and returns its slot; the caller sets its numbers. */
  append(owner: number, text: string): number {
    this.#sought.encode(text);
    const { bytes: added, length, units } = this.#sought;
    const slot = this.#takeSlot();
    const chunk = this.#chunkOf(slot);
    chunk.reserve(length);
    const { bytes, length: start } = chunk;
    for (let at = 0; at < length; at++) bytes[start + at] = added[at];
    this.#index.add(this.#link(slot, owner, units, length), slot);
    return slot;
  }

  /** Forgets a text, which must be the oldest of its owner. */
  drop(slot: number): void {
    const chunk = this.#chunkOf(slot);
    const { ints } = chunk;
    const row = (slot & (CHUNK_SLOTS - 1)) * TEXT_INTS;
    this.#index.remove(ints[row + TEXT_HASH], slot);
    this.#owners.dropFirst(ints[row + TEXT_OWNER], slot, ints[row + TEXT_NEXT_OF_OWNER]);
    const previous = ints[row + TEXT_PREVIOUS];
    const next = ints[row + TEXT_NEXT];
    if (previous === NO_TEXT) this.#first = next;
    else this.#setInt(previous, TEXT_NEXT, next);
    if (next === NO_TEXT) this.#last = previous;
    else this.#setInt(next, TEXT_PREVIOUS, previous);
    ints[row + TEXT_PREVIOUS] = FREE;
    chunk.count--;
    chunk.usedBytes -= bytesOfText(ints[row + TEXT_UNITS]);
    this.#count--;
    this.#free.push(slot);
    if (chunk.count > 0) return;
    chunk.length = 0;
    this.#spare = chunk.isPacked ? undefined : chunk;
    this.#chunks[slot >> CHUNK_BITS] = undefined;
  }

  number(slot: number, column: number): number {
    return this.#chunkOf(slot).numbers[(slot & (CHUNK_SLOTS - 1)) * this.#numbersEach + column];
  }

  setNumber(slot: number, column: number, value: number): void {
    const at = (slot & (CHUNK_SLOTS - 1)) * this.#numbersEach + column;
    this.#chunkOf(slot).numbers[at] = value;
  }

  ownerOf(slot: number): number {
    return this.#chunkOf(slot).ints[(slot & (CHUNK_SLOTS - 1)) * TEXT_INTS + TEXT_OWNER];
  }

  textOf(slot: number): string {
    const { bytes, ints } = this.#chunkOf(slot);
    const row = (slot & (CHUNK_SLOTS - 1)) * TEXT_INTS;
    return decodedText(bytes, ints[row + TEXT_START], ints[row + TEXT_UNITS]);
  }

  /** Adds the text at a slot, preceded by `prefix`, and its numbers from a column on, to a hash. */
  addTo(hash: StateHash, prefix: string, slot: number, column: number): void {
    const { bytes, ints, numbers } = this.#chunkOf(slot);
    const place = slot & (CHUNK_SLOTS - 1);
    const row = place * TEXT_INTS;
    hash.encodedText(prefix, bytes, ints[row + TEXT_START], ints[row + TEXT_UNITS]);
    const end = (place + 1) * this.#numbersEach;
    hash.numbers(numbers, end - this.#numbersEach + column, end);
  }

  /** Writes all texts in order, chunk by chunk. */
  writeTo(snapshot: SnapshotWriter): void {
    const numbersEach = this.#numbersEach;
    const heads = new Float64Array(CHUNK_SLOTS * HEAD_NUMBERS);
    const numbers = new Float64Array(CHUNK_SLOTS * numbersEach);
    const slots = new Int32Array(CHUNK_SLOTS);
    snapshot.int(this.#count);
    let next = this.#first;
    for (let from = 0; from < this.#count; from += CHUNK_SLOTS) {
      const count = Math.min(CHUNK_SLOTS, this.#count - from);
      for (let index = 0; index < count; index++) {
        const slot = next;
        next = this.next(slot);
        slots[index] = slot;
        heads[index * HEAD_NUMBERS + HEAD_OWNER] = this.#int(slot, TEXT_OWNER);
        heads[index * HEAD_NUMBERS + HEAD_UNITS] = this.#int(slot, TEXT_UNITS);
        for (let column = 0; column < numbersEach; column++) {
          numbers[index * numbersEach + column] = this.number(slot, column);
        }
      }
      snapshot.rows(heads, count, HEAD_NUMBERS);
      snapshot.rows(numbers, count, numbersEach);
      for (let index = 0; index < count; index++) {
        const slot = slots[index];
        const length = bytesOfText(this.#int(slot, TEXT_UNITS));
        snapshot.block(this.#chunkOf(slot).bytes, this.#int(slot, TEXT_START), length);
      }
    }
  }

  /**
   * Reads texts into a table never used before, which keeps using the snapshot's memory. The first
   * text goes to slot 0, the next to slot 1 and so on.
   */
  readFrom(snapshot: SnapshotReader): void {
    assert(this.#slotEnd === 0, "nothing was remembered before");
    const count = snapshot.count(HEAD_NUMBERS + this.#numbersEach);
    if (count > TEXTS_MAX) snapshot.refuse("more texts than are ever remembered");
    const heads = new Float64Array(CHUNK_SLOTS * HEAD_NUMBERS);
    const hashes = new Int32Array(count);
    while (this.#count < count) {
      this.#readChunk(snapshot, Math.min(CHUNK_SLOTS, count - this.#count), heads, hashes);
    }
    this.#index.addAll(hashes);
  }

  #readChunk(
    snapshot: SnapshotReader,
    count: number,
    heads: Float64Array,
    hashes: Int32Array,
  ): void {
    snapshot.rows(heads, count, HEAD_NUMBERS);
    const rows = snapshot.packedRows(count * this.#numbersEach);
    let length = 0;
    for (let head = 0; head < count * HEAD_NUMBERS; head += HEAD_NUMBERS) {
      const owner = heads[head + HEAD_OWNER];
      const units = heads[head + HEAD_UNITS];
      if ((units | 0) !== units) snapshot.refuse("a text of no length");
      if ((owner | 0) !== owner || owner < 0) snapshot.refuse("a text of no owner");
      length += bytesOfText(units);
    }
    const bytes = snapshot.block(length);
    const chunk = new Chunk(this.#numbersEach, { count, rows, bytes });
    this.#chunks[this.#slotEnd >> CHUNK_BITS] = chunk;
    const isAllAscii = hasOnlyAscii(bytes, 0, length);
    for (let head = 0; head < count * HEAD_NUMBERS; head += HEAD_NUMBERS) {
      const units = heads[head + HEAD_UNITS];
      // A text in the other encoding would not be found by its bytes.
      const isAscii = (isAllAscii && units >= 0) || hasOnlyAscii(bytes, chunk.length, units);
      if (isAscii !== units >= 0) snapshot.refuse("a text in a form that is never written");
      const slot = this.#slotEnd++;
      hashes[slot] = this.#link(slot, heads[head + HEAD_OWNER], units, bytesOfText(units));
    }
  }

  #chunkOf(slot: number): Chunk {
    return this.#chunks[slot >> CHUNK_BITS] as Chunk;
  }

  #int(slot: number, column: number): number {
    return this.#chunkOf(slot).ints[(slot & (CHUNK_SLOTS - 1)) * TEXT_INTS + column];
  }

  #setInt(slot: number, column: number, value: number): void {
    this.#chunkOf(slot).ints[(slot & (CHUNK_SLOTS - 1)) * TEXT_INTS + column] = value;
  }

  #hashOf(owner: number, bytes: Uint8Array, start: number, length: number): number {
    return this.#hash.of(this.#isSharedByAll ? 0 : owner, bytes, start, length);
  }

  /** A slot without a text, in an allocated chunk. */
  #takeSlot(): number {
    assert(this.#count < TEXTS_MAX, "no more texts are remembered than there is room for");
    const slot = this.#free.pop() ?? this.#slotEnd++;
    const place = slot >> CHUNK_BITS;
    if (this.#chunks[place] === undefined) {
      this.#chunks[place] = this.#spare ?? new Chunk(this.#numbersEach);
      this.#spare = undefined;
    }
    return slot;
  }

  /** Links the slot as the newest, with the text whose bytes were written last in its chunk. */
  #link(slot: number, owner: number, units: number, length: number): number {
    const chunk = this.#chunkOf(slot);
    const { ints } = chunk;
    const row = (slot & (CHUNK_SLOTS - 1)) * TEXT_INTS;
    const hash = this.#hashOf(owner, chunk.bytes, chunk.length, length);
    ints[row + TEXT_OWNER] = owner;
    ints[row + TEXT_HASH] = hash;
    ints[row + TEXT_START] = chunk.length;
    ints[row + TEXT_UNITS] = units;
    ints[row + TEXT_PREVIOUS] = this.#last;
    ints[row + TEXT_NEXT] = NO_TEXT;
    if (this.#last === NO_TEXT) this.#first = slot;
    else this.#setInt(this.#last, TEXT_NEXT, slot);
    this.#last = slot;
    const before = this.#owners.append(owner, slot);
    if (before !== NO_TEXT) this.#setInt(before, TEXT_NEXT_OF_OWNER, slot);
    chunk.length += length;
    chunk.usedBytes += length;
    chunk.count++;
    this.#count++;
    return hash;
  }

  /** Whether the slot holds the text that is being looked up. */
  #matchesSought(slot: number, owner: number): boolean {
    const { bytes: sought, length, units } = this.#sought;
    const { bytes, ints } = this.#chunkOf(slot);
    const row = (slot & (CHUNK_SLOTS - 1)) * TEXT_INTS;
    if (!this.#isSharedByAll && ints[row + TEXT_OWNER] !== owner) return false;
    if (ints[row + TEXT_UNITS] !== units) return false;
    const start = ints[row + TEXT_START];
    for (let at = 0; at < length; at++) if (bytes[start + at] !== sought[at]) return false;
    return true;
  }
}

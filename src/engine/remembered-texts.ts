/**
 * Texts in order of arrival, each with its owner and a few numbers, found by owner and text, and
 * dropped from the front. A million of them are some hundreds of arrays of numbers and bytes: no
 * object, string or entry of a map for each, so there is nothing for a collection to walk and little
 * for a start to build.
 *
 * A text is found by comparing all of it; its hash only says where to look. Any text is kept unit by
 * unit, also one that is not well-formed Unicode.
 */
import { assert } from "./assert.ts";
import type { KeyedHash } from "./keyed-hash.ts";
import { SlotIndex } from "./slot-index.ts";
import { bytesOfText, readRows, type SnapshotReader, type SnapshotWriter } from "./snapshot.ts";
import type { StateHash } from "./state-hash.ts";

/** No text stands there. */
export const NOWHERE = -1;

const CHUNK_BITS = 10;
const CHUNK_SLOTS = 1 << CHUNK_BITS;
/** A ring of slots, never so full that its back comes round into the chunk at the front. */
const SLOTS = 1 << 20;
/** The most texts that can be remembered at once. */
const TEXTS_MAX = SLOTS - CHUNK_SLOTS;

const TEXT_OWNER = 0;
const TEXT_HASH = 1;
const TEXT_START = 2;
/** Units of UTF-16; negative where a byte each, as ASCII has, is not enough. */
const TEXT_UNITS = 3;
const TEXT_INTS = 4;

// What stands of a text in a snapshot, before the numbers and bytes of a chunk's worth of them.
const HEAD_OWNER = 0;
const HEAD_UNITS = 1;
const HEAD_NUMBERS = 2;

const INITIAL_BYTES = CHUNK_SLOTS * 24;

/** Texts as they stand in a snapshot. */
interface Packed {
  readonly count: number;
  readonly rows: Uint8Array;
  readonly bytes: Uint8Array;
}

/**
 * So many slots, and the bytes of their texts one after another. Of a snapshot's texts the numbers
 * stay as they stand there until somebody asks for one: of nearly all, that is when they are dropped.
 */
class Chunk {
  readonly ints = new Int32Array(CHUNK_SLOTS * TEXT_INTS);
  readonly #numbersEach: number;
  #numbers: Float64Array | undefined;
  readonly #packed: Packed | undefined;
  bytes: Uint8Array;
  length = 0;

  constructor(numbersEach: number, packed?: Packed) {
    this.#numbersEach = numbersEach;
    this.#packed = packed;
    this.bytes = packed?.bytes ?? new Uint8Array(INITIAL_BYTES);
  }

  get numbers(): Float64Array {
    return this.#numbers ?? this.#unpack();
  }

  /** Whether it holds memory of a snapshot, which must not outlive the snapshot's texts. */
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

  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

export class RememberedTexts {
  readonly #hash: KeyedHash;
  readonly #numbersEach: number;
  readonly #index = new SlotIndex();
  readonly #chunks: (Chunk | undefined)[] = [];
  /** One that was dropped, for the next to be added. */
  #spare: Chunk | undefined;
  #first = 0;
  #count = 0;
  /** The text that is looked up, as `#encode` left it. */
  #sought = new Uint8Array(128);

  constructor(hash: KeyedHash, numbersEach: number) {
    this.#hash = hash;
    this.#numbersEach = numbersEach;
  }

  get count(): number {
    return this.#count;
  }

  /** The slot of the text that came first; there must be one. */
  get first(): number {
    return this.#first;
  }

  /** The slot of the text that came at this place, counted from the first that is still there. */
  at(place: number): number {
    return (this.#first + place) & (SLOTS - 1);
  }

  /** The place of the text at a slot. */
  placeOf(slot: number): number {
    return (slot - this.#first) & (SLOTS - 1);
  }

  find(owner: number, text: string): number {
    const units = this.#encode(text);
    const length = bytesOfText(units);
    const sought = this.#sought;
    const hash = this.#hash.of(owner, sought, 0, length);
    const index = this.#index;
    for (let cell = index.start(hash); index.isTaken(cell); cell = index.after(cell)) {
      if (index.hashAt(cell) !== hash) continue;
      const slot = index.slotAt(cell);
      if (this.#isThere(slot, owner, sought, units, length)) return slot;
    }
    return NOWHERE;
  }

  /** Adds a text that `find` does not find, and returns its slot; its numbers are the caller's. */
  append(owner: number, text: string): number {
    const units = this.#encode(text);
    const length = bytesOfText(units);
    const chunk = this.#lastChunk();
    chunk.reserve(length);
    const { bytes, length: start } = chunk;
    for (let at = 0; at < length; at++) bytes[start + at] = this.#sought[at];
    const slot = this.at(this.#count);
    this.#index.add(this.#takeIn(chunk, owner, units, length), slot);
    return slot;
  }

  dropFirst(): void {
    const slot = this.#first;
    const chunk = this.#chunkOf(slot);
    const row = (slot & (CHUNK_SLOTS - 1)) * TEXT_INTS;
    this.#index.remove(chunk.ints[row + TEXT_HASH], slot);
    this.#first = (slot + 1) & (SLOTS - 1);
    this.#count--;
    if ((this.#first & (CHUNK_SLOTS - 1)) !== 0) return;
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
    const start = ints[row + TEXT_START];
    const units = ints[row + TEXT_UNITS];
    let text = "";
    for (let at = start; at < start + units; at++) text += String.fromCharCode(bytes[at]);
    for (let at = start; at < start - 2 * units; at += 2) {
      text += String.fromCharCode(bytes[at] | (bytes[at + 1] << 8));
    }
    return text;
  }

  /** The text at a slot with `prefix` in front, and its numbers from a column on. */
  addTo(hash: StateHash, prefix: string, slot: number, column: number): void {
    const { bytes, ints, numbers } = this.#chunkOf(slot);
    const place = slot & (CHUNK_SLOTS - 1);
    const row = place * TEXT_INTS;
    hash.encodedText(prefix, bytes, ints[row + TEXT_START], ints[row + TEXT_UNITS]);
    const end = (place + 1) * this.#numbersEach;
    hash.numbers(numbers, end - this.#numbersEach + column, end);
  }

  /** All of them in their order, a chunk's worth after the other. */
  writeTo(snapshot: SnapshotWriter): void {
    const numbersEach = this.#numbersEach;
    const heads = new Float64Array(CHUNK_SLOTS * HEAD_NUMBERS);
    const numbers = new Float64Array(CHUNK_SLOTS * numbersEach);
    snapshot.int(this.#count);
    for (let from = 0; from < this.#count; from += CHUNK_SLOTS) {
      const count = Math.min(CHUNK_SLOTS, this.#count - from);
      for (let index = 0; index < count; index++) {
        const slot = this.at(from + index);
        const { ints } = this.#chunkOf(slot);
        const row = (slot & (CHUNK_SLOTS - 1)) * TEXT_INTS;
        heads[index * HEAD_NUMBERS + HEAD_OWNER] = ints[row + TEXT_OWNER];
        heads[index * HEAD_NUMBERS + HEAD_UNITS] = ints[row + TEXT_UNITS];
        for (let column = 0; column < numbersEach; column++) {
          numbers[index * numbersEach + column] = this.number(slot, column);
        }
      }
      snapshot.rows(heads, count, HEAD_NUMBERS);
      snapshot.rows(numbers, count, numbersEach);
      for (let index = 0; index < count; index++) {
        const slot = this.at(from + index);
        const { bytes, ints } = this.#chunkOf(slot);
        const row = (slot & (CHUNK_SLOTS - 1)) * TEXT_INTS;
        snapshot.block(bytes, ints[row + TEXT_START], bytesOfText(ints[row + TEXT_UNITS]));
      }
    }
  }

  /** Reads them into a table that has none yet, which goes on using the snapshot's memory. */
  readFrom(snapshot: SnapshotReader): void {
    assert(this.#count === 0 && this.#first === 0, "nothing was remembered before");
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
      if ((owner | 0) !== owner || (units | 0) !== units) snapshot.refuse("a text of no length");
      length += bytesOfText(units);
    }
    const bytes = snapshot.block(length);
    const chunk = new Chunk(this.#numbersEach, { count, rows, bytes });
    this.#chunks[this.#count >> CHUNK_BITS] = chunk;
    const isAllAscii = hasOnlyAscii(bytes, 0, length);
    for (let head = 0; head < count * HEAD_NUMBERS; head += HEAD_NUMBERS) {
      const units = heads[head + HEAD_UNITS];
      // In another form it would not be found by its bytes.
      const isAscii = (isAllAscii && units >= 0) || hasOnlyAscii(bytes, chunk.length, units);
      if (isAscii !== units >= 0) snapshot.refuse("a text in a form that nobody writes");
      const owner = heads[head + HEAD_OWNER];
      hashes[this.#count] = this.#takeIn(chunk, owner, units, bytesOfText(units));
    }
  }

  #chunkOf(slot: number): Chunk {
    return this.#chunks[slot >> CHUNK_BITS] as Chunk;
  }

  /** Where the next text goes. */
  #lastChunk(): Chunk {
    assert(this.#count < TEXTS_MAX, "no more texts are remembered than there is room for");
    const place = this.at(this.#count) >> CHUNK_BITS;
    const chunk = this.#chunks[place];
    if (chunk !== undefined) return chunk;
    const added = this.#spare ?? new Chunk(this.#numbersEach);
    this.#spare = undefined;
    this.#chunks[place] = added;
    return added;
  }

  /** Makes the text whose bytes stand behind the others of the last chunk the newest. */
  #takeIn(chunk: Chunk, owner: number, units: number, length: number): number {
    const row = (this.at(this.#count) & (CHUNK_SLOTS - 1)) * TEXT_INTS;
    const hash = this.#hash.of(owner, chunk.bytes, chunk.length, length);
    chunk.ints[row + TEXT_OWNER] = owner;
    chunk.ints[row + TEXT_HASH] = hash;
    chunk.ints[row + TEXT_START] = chunk.length;
    chunk.ints[row + TEXT_UNITS] = units;
    chunk.length += length;
    this.#count++;
    return hash;
  }

  #isThere(
    slot: number,
    owner: number,
    sought: Uint8Array,
    units: number,
    length: number,
  ): boolean {
    const { bytes, ints } = this.#chunkOf(slot);
    const row = (slot & (CHUNK_SLOTS - 1)) * TEXT_INTS;
    if (ints[row + TEXT_OWNER] !== owner || ints[row + TEXT_UNITS] !== units) return false;
    const start = ints[row + TEXT_START];
    for (let at = 0; at < length; at++) if (bytes[start + at] !== sought[at]) return false;
    return true;
  }

  /** Leaves the text's bytes in `#sought` and returns its units, negative where it is not ASCII. */
  #encode(text: string): number {
    const { length } = text;
    if (length * 2 > this.#sought.length) this.#sought = new Uint8Array(length * 2);
    const sought = this.#sought;
    for (let at = 0; at < length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 127) return this.#encodeWide(text);
      sought[at] = unit;
    }
    return length;
  }

  #encodeWide(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      this.#sought[at * 2] = unit & 0xff;
      this.#sought[at * 2 + 1] = unit >> 8;
    }
    return -text.length;
  }
}

function hasOnlyAscii(bytes: Uint8Array, start: number, units: number): boolean {
  let others = 0;
  for (let at = start; at < start + units; at++) others |= bytes[at];
  for (let at = start; at < start - 2 * units; at += 2) others |= bytes[at] | (bytes[at + 1] << 8);
  return others <= 127;
}

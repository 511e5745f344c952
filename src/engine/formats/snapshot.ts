/**
 * The engine's complete state at one sequence as bytes. Each part of the state writes itself
 * (`writeTo`, as for the state hash: state-writer.ts) and reads itself back (`readFrom`), rows by one
 * description of their fields (record-format.ts): queues in their order and timed entries with their
 * times, never slots, windows or free lists, so the bytes depend on the history of commands and not on
 * memory layout.
 *
 * Bytes of another version are refused, never guessed: a snapshot only saves time, and the journal
 * has everything. A change to the output of any part raises SNAPSHOT_VERSION (engine-version.ts).
 * Files, and checksums against a bad disk, are in journal/snapshot-files.ts.
 */
import { assert } from "../assert.ts";
import type { StateWriter } from "./state-writer.ts";
import { EncodedText, bytesOfText, decodedText } from "./text-bytes.ts";

const INITIAL_BYTES = 1 << 16;
/** Bytes of an encoded difference below 2^53. */
const DIFFERENCE_BYTES_MAX = 8;
/** The header: the byte length of the fields, as a float64. */
const LENGTH_BYTES = 8;

/** The bytes are not a snapshot that this version can read. */
export class SnapshotFormatError extends Error {
  override readonly name = "SnapshotFormatError";
}

/** A web standard of every runtime; declared here because the engine uses no platform types. */
declare const TextDecoder: new (encoding: string) => { decode(bytes: Uint8Array): string };
const textDecoder = new TextDecoder("utf-8");

class Bytes {
  bytes = new Uint8Array(INITIAL_BYTES);
  view = new DataView(this.bytes.buffer);
  length = 0;

  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  append(added: Uint8Array, start: number, count: number): void {
    this.reserve(count);
    const { bytes, length } = this;
    for (let at = 0; at < count; at++) bytes[length + at] = added[start + at];
    this.length = length + count;
  }
}

/**
 * Writes fields in sequence. ASCII texts are stored together after all fields: one byte per character,
 * decoded in one call.
 */
export class SnapshotWriter implements StateWriter {
  readonly isHash = false;
  readonly #fields = new Bytes();
  readonly #texts = new Bytes();
  readonly #encoded = new EncodedText();

  number(value: number): void {
    const fields = this.#fields;
    fields.reserve(8);
    fields.view.setFloat64(fields.length, value + 0, true);
    fields.length += 8;
  }

  int(value: number): void {
    const fields = this.#fields;
    fields.reserve(4);
    fields.view.setInt32(fields.length, value, true);
    fields.length += 4;
  }

  flag(value: boolean): void {
    const fields = this.#fields;
    fields.reserve(1);
    fields.bytes[fields.length++] = value ? 1 : 0;
  }

  /** Text that is not ASCII is stored among the fields. */
  text(value: string): void {
    const encoded = this.#encoded;
    encoded.encode(value);
    this.int(encoded.units);
    (encoded.units < 0 ? this.#fields : this.#texts).append(encoded.bytes, 0, encoded.length);
  }

  /**
   * Rows of `width` integers, delta-encoded against the row above, each difference as a variable-length
   * integer: one or two bytes for numbers that repeat or grow slowly. First byte: sign and six low bits;
   * further bytes: seven bits; the high bit means that another byte follows.
   */
  rows(values: Float64Array, count: number, width: number): void {
    this.int(0);
    const fields = this.#fields;
    const start = fields.length;
    fields.reserve(count * width * DIFFERENCE_BYTES_MAX);
    const { bytes } = fields;
    let position = start;
    for (let at = 0; at < count * width; at++) {
      const difference = values[at] - (at < width ? 0 : values[at - width]);
      assert(Number.isSafeInteger(difference), "rows are of integers");
      const magnitude = Math.abs(difference);
      let rest = Math.floor(magnitude / 64);
      const low = ((magnitude - rest * 64) << 1) | (difference < 0 ? 1 : 0);
      bytes[position++] = rest > 0 ? low | 128 : low;
      while (rest > 0) {
        const next = Math.floor(rest / 128);
        bytes[position++] = next > 0 ? (rest - next * 128) | 128 : rest;
        rest = next;
      }
    }
    fields.length = position;
    fields.view.setInt32(start - 4, position - start, true);
  }

  /** Writes bytes whose length the reader knows. */
  block(bytes: Uint8Array, start: number, length: number): void {
    this.#fields.append(bytes, start, length);
  }

  part(name: string): void {
    this.text(name);
  }

  /** A copy of everything written: the length of the fields, the fields, the texts. */
  bytes(): Uint8Array<ArrayBuffer> {
    const [fields, texts] = [this.#fields, this.#texts];
    const bytes = new Uint8Array(LENGTH_BYTES + fields.length + texts.length);
    new DataView(bytes.buffer).setFloat64(0, fields.length, true);
    bytes.set(fields.bytes.subarray(0, fields.length), LENGTH_BYTES);
    bytes.set(texts.bytes.subarray(0, texts.length), LENGTH_BYTES + fields.length);
    return bytes;
  }
}

/** Reads in the order of writing; throws SnapshotFormatError if the bytes do not match. */
export class SnapshotReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  #position = LENGTH_BYTES;
  #textPosition: number;
  #part = "header";

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.length;
    const fieldBytes = bytes.length < LENGTH_BYTES ? -1 : this.#view.getFloat64(0, true);
    if (!(Number.isSafeInteger(fieldBytes) && fieldBytes >= 0)) this.refuse("it has no fields");
    if (LENGTH_BYTES + fieldBytes > bytes.length) this.refuse("it ends too early");
    this.#end = LENGTH_BYTES + fieldBytes;
    this.#textPosition = this.#end;
  }

  number(): number {
    const value = this.#view.getFloat64(this.#take(8), true);
    if (Object.is(value, -0)) this.refuse("a number that is never written");
    return value;
  }

  int(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  /** Reads a count of items of at least `bytesEach` each; refuses more than the remaining bytes can hold. */
  count(bytesEach: number): number {
    const count = this.int();
    if (count < 0 || count * bytesEach > this.#end - this.#position) {
      this.refuse(`${count} entries cannot follow`);
    }
    return count;
  }

  flag(): boolean {
    const value = this.#bytes[this.#take(1)];
    if (value > 1) this.refuse("a flag that is neither set nor unset");
    return value === 1;
  }

  text(): string {
    const units = this.int();
    if (units === 0) return "";
    if (units < 0) return decodedText(this.#bytes, this.#take(bytesOfText(units)), units);
    const start = this.#textPosition;
    if (start + units > this.#bytes.length) this.refuse("a text ends too early");
    this.#textPosition = start + units;
    return textDecoder.decode(this.#bytes.subarray(start, start + units));
  }

  rows(values: Float64Array, count: number, width: number): void {
    readRows(this.packedRows(count * width), values, count, width);
  }

  /** The bytes of `count` rows for `readRows`; shares the snapshot's memory, like a block. */
  packedRows(numbers: number): Uint8Array {
    const length = this.int();
    if (length < numbers) this.refuse(`rows of ${numbers} numbers cannot follow`);
    return this.block(length);
  }

  block(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  part(name: string): void {
    const found = this.text();
    if (found !== name) this.refuse(`${JSON.stringify(found)} stands where ${name} should begin`);
    this.#part = name;
  }

  get isAtEnd(): boolean {
    return this.#position === this.#end && this.#textPosition === this.#bytes.length;
  }

  end(): void {
    if (!this.isAtEnd) this.refuse("bytes are left over");
  }

  refuse(finding: string): never {
    throw new SnapshotFormatError(`snapshot, ${this.#part}, byte ${this.#position}: ${finding}`);
  }

  #take(count: number): number {
    const start = this.#position;
    if (start + count > this.#end) this.refuse("it ends too early");
    this.#position = start + count;
    return start;
  }
}

/**
 * Decodes rows.
 * @throws SnapshotFormatError if the bytes are not that many rows
 */
export function readRows(
  bytes: Uint8Array,
  values: Float64Array,
  count: number,
  width: number,
): void {
  let position = 0;
  for (let at = 0; at < count * width; at++) {
    let byte = bytes[position++];
    const isLess = (byte & 1) === 1;
    let difference = (byte & 127) >> 1;
    let isShortest = !isLess || byte > 1;
    for (let unit = 64; byte > 127; unit *= 128) {
      byte = bytes[position++];
      difference += (byte & 127) * unit;
      isShortest = byte !== 0;
    }
    const above = at < width ? 0 : values[at - width];
    const value = isLess ? above - difference : above + difference;
    if (!isShortest || !Number.isSafeInteger(value) || position > bytes.length) {
      throw new SnapshotFormatError("snapshot: a number of a row that is never written");
    }
    values[at] = value;
  }
  if (position !== bytes.length)
    throw new SnapshotFormatError("snapshot: rows with too many bytes");
}

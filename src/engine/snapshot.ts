/**
 * The whole state at one sequence as bytes. Each part of the state writes itself (`writeTo`, next to
 * its `addTo(hash)`) and reads itself back (`readFrom`): queues in their order and what is remembered
 * with its times, never slots, windows or free lists, so the bytes depend on what happened and not on
 * how memory came to lie.
 *
 * Bytes of another version are refused, never guessed: a snapshot only saves time, the journal has
 * everything. A change of what any part writes raises SNAPSHOT_VERSION.
 * Never: files, checksums against a bad disk (journal/snapshot-files.ts).
 */

export const SNAPSHOT_VERSION = 3;

const INITIAL_BYTES = 1 << 16;
/** Texts up to here are put together by hand, which is faster than asking the decoder. */
const SHORT_TEXT = 24;

/** The bytes are not a snapshot that this version can read. */
export class SnapshotFormatError extends Error {
  override readonly name = "SnapshotFormatError";
}

/** Web standard, in every runtime; declared here because the engine sees no platform's types. */
declare const TextDecoder: new (encoding: string) => { decode(bytes: Uint8Array): string };
const textDecoder = new TextDecoder("utf-8");

export class SnapshotWriter {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Any float64; -0 and 0 are one amount. */
  number(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value + 0, true);
    this.#length += 8;
  }

  /** An integer of 32 bits, with or without sign. */
  int(value: number): void {
    this.#reserve(4);
    this.#view.setInt32(this.#length, value, true);
    this.#length += 4;
  }

  flag(value: boolean): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value ? 1 : 0;
  }

  /** Any text, also one that is not well-formed Unicode: ASCII in bytes, all else in UTF-16. */
  text(value: string): void {
    const { length } = value;
    this.#reserve(4 + length * 2);
    const bytes = this.#bytes;
    const start = this.#length + 4;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code > 127) {
        this.#wideText(value);
        return;
      }
      bytes[start + index] = code;
    }
    this.#view.setUint32(this.#length, length * 2, true);
    this.#length = start + length;
  }

  /** Begins a part: its name stands in the bytes, so that a reader out of step says where. */
  part(name: string): void {
    this.text(name);
  }

  /** A copy of what was written. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #wideText(value: string): void {
    const start = this.#length + 4;
    for (let index = 0; index < value.length; index++) {
      this.#view.setUint16(start + index * 2, value.charCodeAt(index), true);
    }
    this.#view.setUint32(this.#length, value.length * 2 + 1, true);
    this.#length = start + value.length * 2;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** Reads in the order of writing; throws SnapshotFormatError where the bytes do not go on so. */
export class SnapshotReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position = 0;
  #part = "header";

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  number(): number {
    const value = this.#view.getFloat64(this.#take(8), true);
    if (Object.is(value, -0)) this.refuse("a number that nobody writes");
    return value;
  }

  int(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  /** A number of things that follow, each of at least `bytesEach`: never more than can be there. */
  count(bytesEach: number): number {
    const count = this.int();
    if (count < 0 || count * bytesEach > this.#bytes.length - this.#position) {
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
    const lengthAndWidth = this.#view.getUint32(this.#take(4), true);
    const length = lengthAndWidth >>> 1;
    if ((lengthAndWidth & 1) === 1) {
      const start = this.#take(length * 2);
      let text = "";
      for (let index = 0; index < length; index++) {
        text += String.fromCharCode(this.#view.getUint16(start + index * 2, true));
      }
      return text;
    }
    const start = this.#take(length);
    const bytes = this.#bytes;
    if (length > SHORT_TEXT) return textDecoder.decode(bytes.subarray(start, start + length));
    let text = "";
    for (let at = start; at < start + length; at++) text += String.fromCharCode(bytes[at]);
    return text;
  }

  part(name: string): void {
    const found = this.text();
    if (found !== name) this.refuse(`${JSON.stringify(found)} stands where ${name} should begin`);
    this.#part = name;
  }

  /** Everything must have been read. */
  end(): void {
    if (this.#position !== this.#bytes.length) this.refuse("bytes are left over");
  }

  refuse(finding: string): never {
    throw new SnapshotFormatError(`snapshot, ${this.#part}, byte ${this.#position}: ${finding}`);
  }

  #take(count: number): number {
    const start = this.#position;
    if (start + count > this.#bytes.length) this.refuse("it ends too early");
    this.#position = start + count;
    return start;
  }
}

/** Numbers and bytes written one after another, and read back in the same order. Little-endian. */

/** The bytes end before the value that is to be read. */
class BytesEndError extends Error {
  override readonly name = "BytesEndError";
}

export class ByteWriter {
  #bytes = new Uint8Array(1 << 16);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  uint8(value: number): void {
    const offset = this.#reserve(1);
    this.#bytes[offset] = value;
  }

  uint32(value: number): void {
    const offset = this.#reserve(4);
    this.#view.setUint32(offset, value, true);
  }

  float64(value: number): void {
    const offset = this.#reserve(8);
    this.#view.setFloat64(offset, value, true);
  }

  bytes(added: Uint8Array): void {
    const offset = this.#reserve(added.length);
    this.#bytes.set(added, offset);
  }

  /** Everything written so far, valid until the next write. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /**
   * Makes room for `count` bytes, perhaps in another array, and returns the offset at which they are
   * written.
   */
  #reserve(count: number): number {
    const offset = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, offset));
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return offset;
  }
}

/** Every method throws BytesEndError instead of reading beyond the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  uint8(): number {
    return this.#bytes[this.#take(1)];
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  float64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** A view of the next bytes. */
  bytes(count: number): Uint8Array {
    const offset = this.#take(count);
    return this.#bytes.subarray(offset, offset + count);
  }

  #take(count: number): number {
    const offset = this.#offset;
    if (count > this.#bytes.length - offset) throw new BytesEndError("the bytes end too early");
    this.#offset += count;
    return offset;
  }
}

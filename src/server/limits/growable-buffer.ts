/**
 * A growing buffer for bytes that arrive in chunks. A list of chunks would take far more memory: each
 * is an object, even if it contains a single byte.
 */
export class GrowableBuffer {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Allocated bytes, at most twice the length. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** Appends bytes; a single chunk is not copied. */
  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (this.#length === 0) this.#buffer = chunk;
    else {
      if (length > this.#buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#length));
        this.bytes().copy(larger);
        this.#buffer = larger;
      }
      chunk.copy(this.#buffer, this.#length);
    }
    this.#length = length;
  }

  /** The collected bytes; valid until more are added. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

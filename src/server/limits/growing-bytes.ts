/**
 * Collects bytes that arrive in pieces in one buffer. Kept as pieces, each would be a separate
 * object that takes far more memory than the one byte it may hold.
 */
export class GrowingBytes {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The memory it uses, at most twice its length. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** A single piece is not copied. */
  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (this.#length === 0) this.#buffer = piece;
    else {
      if (length > this.#buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#length));
        this.bytes().copy(larger);
        this.#buffer = larger;
      }
      piece.copy(this.#buffer, this.#length);
    }
    this.#length = length;
  }

  /** The bytes so far; valid until more are added. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

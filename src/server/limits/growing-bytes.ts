/**
 * Bytes that come in pieces, gathered in one buffer. Kept as pieces, each would be an object of its own
 * that takes far more memory than the one byte it may carry.
 */
export class GrowingBytes {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The memory that it takes, at most twice its length. */
  get capacity(): number {
    return this.#buffer.length;
  }

  /** What comes in one piece is not copied. */
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

  /** What has come until now; good until more is added. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}

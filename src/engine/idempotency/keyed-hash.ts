/**
 * A keyed hash of texts for hash tables. Users choose the texts, so a hash without a secret would
 * let them provoke collisions and make every look-up slow. HalfSipHash-1-3 (Jean-Philippe Aumasson
 * and Daniel J. Bernstein, public domain), as Linux uses for its tables.
 *
 * The secret affects how fast a text is found, never the outcome: it is in no state hash, no
 * snapshot and no event.
 */

/** A secret of two integers of 32 bits. */
export type HashSecret = readonly [number, number];

/** The default secret, for tests and for engines that serve only their owner. */
const NO_SECRET: HashSecret = [0x9e3779b9, 0x85ebca6b];

export class KeyedHash {
  #first = 0;
  #second = 0;

  constructor(secret: HashSecret = NO_SECRET) {
    this.change(secret);
  }

  /** Changes the secret. Call only while nothing is stored under the previous one. */
  change(secret: HashSecret): void {
    this.#first = secret[0] | 0;
    this.#second = secret[1] | 0;
  }

  /** Hash of a number and the bytes after it, as a signed 32-bit integer. */
  of(owner: number, bytes: Uint8Array, start: number, length: number): number {
    let v0 = this.#first;
    let v1 = this.#second;
    let v2 = this.#first ^ 0x6c796765;
    let v3 = this.#second ^ 0x74656462;
    const tail = start + (length & ~3);
    const last = (((length + 4) & 0xff) << 24) | tailOf(bytes, tail, length & 3);
    let word = owner | 0;
    let at = start - 4;
    // One round per word: the owner, each full four bytes, the remainder with the length. Then
    // three finalization rounds, in which the word is zero.
    for (let closing = 0; closing < 4;) {
      v3 ^= word;
      v0 = (v0 + v1) | 0;
      v1 = (v1 << 5) | (v1 >>> 27);
      v1 ^= v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = (v3 << 8) | (v3 >>> 24);
      v3 ^= v2;
      v0 = (v0 + v3) | 0;
      v3 = (v3 << 7) | (v3 >>> 25);
      v3 ^= v0;
      v2 = (v2 + v1) | 0;
      v1 = (v1 << 13) | (v1 >>> 19);
      v1 ^= v2;
      v2 = (v2 << 16) | (v2 >>> 16);
      v0 ^= word;
      at += 4;
      if (at < tail) {
        word = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
      } else if (at === tail) {
        word = last;
      } else {
        word = 0;
        if (closing === 0) v2 ^= 0xff;
        closing++;
      }
    }
    return v1 ^ v3;
  }
}

function tailOf(bytes: Uint8Array, at: number, count: number): number {
  let word = 0;
  for (let index = 0; index < count; index++) word |= bytes[at + index] << (8 * index);
  return word;
}

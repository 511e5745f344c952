/**
 * Where a text stands in a table, by a secret. Users choose the texts, so a hash that anybody can
 * compute would let them choose ones that all stand in one place and make every look-up slow.
 * HalfSipHash-1-3 (Jean-Philippe Aumasson and Daniel J. Bernstein, public domain), as Linux has it
 * for its tables.
 *
 * The secret decides how quickly something is found, never what: it is in no state hash, no snapshot
 * and no event.
 */

/** Two integers of 32 bits. */
export type HashSecret = readonly [number, number];

/** For whoever names none: tests, and engines that serve nobody but their owner. */
const NO_SECRET: HashSecret = [0x9e3779b9, 0x85ebca6b];

export class KeyedHash {
  #first = 0;
  #second = 0;

  constructor(secret: HashSecret = NO_SECRET) {
    this.change(secret);
  }

  /** Only before anything was placed by the former secret. */
  change(secret: HashSecret): void {
    this.#first = secret[0] | 0;
    this.#second = secret[1] | 0;
  }

  /** Of a number and the bytes behind it, as an integer of 32 bits with sign. */
  of(owner: number, bytes: Uint8Array, start: number, length: number): number {
    let v0 = this.#first;
    let v1 = this.#second;
    let v2 = this.#first ^ 0x6c796765;
    let v3 = this.#second ^ 0x74656462;
    const tail = start + (length & ~3);
    const last = (((length + 4) & 0xff) << 24) | tailOf(bytes, tail, length & 3);
    let word = owner | 0;
    let at = start - 4;
    // The owner, then four bytes at a time, then what is left with the length, then nothing twice
    // more: one round each, and three at the end.
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

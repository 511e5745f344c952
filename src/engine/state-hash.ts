/**
 * A hash over a sequence of numbers and texts that depends on their order: two lanes of 32 bits in
 * the manner of MurmurHash3 (Austin Appleby, public domain). It detects a difference between two
 * runs; it is no protection against somebody who forges a state.
 */
const scratchFloat = new Float64Array(1);
const scratchWords = new Uint32Array(scratchFloat.buffer);

export class StateHash {
  #first = 0x9e3779b9;
  #second = 0x85ebca6b;

  number(value: number): void {
    // -0 and 0 are one amount.
    scratchFloat[0] = value + 0;
    this.#word(scratchWords[0]);
    this.#word(scratchWords[1]);
  }

  text(value: string): void {
    this.#word(value.length);
    for (let index = 0; index < value.length; index++) this.#word(value.charCodeAt(index));
  }

  /** Sixteen hexadecimal digits. */
  digest(): string {
    return hex(finish(this.#first)) + hex(finish(this.#second ^ this.#first));
  }

  #word(word: number): void {
    this.#first = mix(this.#first, word, 0xcc9e2d51, 0x1b873593);
    this.#second = mix(this.#second, word ^ this.#first, 0x239b961b, 0xab0e9789);
  }
}

function mix(lane: number, word: number, first: number, second: number): number {
  let value = Math.imul(word, first);
  value = (value << 15) | (value >>> 17);
  const mixed = lane ^ Math.imul(value, second);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(lane: number): number {
  let value = lane ^ (lane >>> 16);
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

function hex(word: number): string {
  return word.toString(16).padStart(8, "0");
}

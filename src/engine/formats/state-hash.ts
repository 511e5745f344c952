/**
 * A hash over a sequence of numbers and texts that depends on their order: two lanes of 32 bits in
 * the manner of MurmurHash3 (Austin Appleby, public domain). It detects a difference between two
 * runs; it does not protect against a forged state.
 */
import type { StateWriter } from "./state-writer.ts";

const scratchFloat = new Float64Array(1);
const scratchWords = new Uint32Array(scratchFloat.buffer);

export class StateHash implements StateWriter {
  readonly isHash = true;
  // Signed from the start, so that both are always represented as integers.
  #first = 0x9e3779b9 | 0;
  #second = 0x85ebca6b | 0;

  part(): void {}

  number(value: number): void {
    // -0 and 0 are the same amount, so they hash alike.
    scratchFloat[0] = value + 0;
    this.#word(scratchWords[0]);
    this.#word(scratchWords[1]);
  }

  int(value: number): void {
    this.number(value);
  }

  flag(value: boolean): void {
    this.number(value ? 1 : 0);
  }

  /** Adds the values from `start` up to but excluding `end`. */
  numbers(values: Float64Array, start: number, end: number): void {
    // Local variables, for speed: the loop runs some ten million times.
    let first = this.#first;
    let second = this.#second;
    for (let at = start; at < end; at++) {
      scratchFloat[0] = values[at] + 0;
      first = mixFirst(first, scratchWords[0]);
      second = mixSecond(second, scratchWords[0] ^ first);
      first = mixFirst(first, scratchWords[1]);
      second = mixSecond(second, scratchWords[1] ^ first);
    }
    this.#first = first;
    this.#second = second;
  }

  text(value: string): void {
    this.#word(value.length);
    for (let index = 0; index < value.length; index++) this.#word(value.charCodeAt(index));
  }

  /**
   * Adds the text of `prefix`, then the bytes: `units` of ASCII or, if negative, -`units`
   * little-endian units of UTF-16.
   */
  encodedText(prefix: string, bytes: Uint8Array, start: number, units: number): void {
    this.#word(prefix.length + Math.abs(units));
    for (let index = 0; index < prefix.length; index++) this.#word(prefix.charCodeAt(index));
    let first = this.#first;
    let second = this.#second;
    for (let at = start; at < start + units; at++) {
      first = mixFirst(first, bytes[at]);
      second = mixSecond(second, bytes[at] ^ first);
    }
    this.#first = first;
    this.#second = second;
    for (let at = start; at < start - 2 * units; at += 2) {
      this.#word(bytes[at] | (bytes[at + 1] << 8));
    }
  }

  /** The hash as sixteen hexadecimal digits. */
  digest(): string {
    return hex(finish(this.#first)) + hex(finish(this.#second ^ this.#first));
  }

  #word(word: number): void {
    this.#first = mixFirst(this.#first, word);
    this.#second = mixSecond(this.#second, word ^ this.#first);
  }
}

function mixFirst(lane: number, word: number): number {
  const value = Math.imul(word, 0xcc9e2d51);
  const mixed = lane ^ Math.imul((value << 15) | (value >>> 17), 0x1b873593);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function mixSecond(lane: number, word: number): number {
  const value = Math.imul(word, 0x239b961b);
  const mixed = lane ^ Math.imul((value << 15) | (value >>> 17), 0xab0e9789);
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

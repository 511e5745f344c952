/**
 * The protocol's timestamps: nanoseconds as an unsigned 64-bit number, written as base64 of its
 * eight little-endian bytes. They are monotonic, even across a restart, because a client that has
 * seen a later one refuses an earlier one; the wall clock gives that without storing anything.
 */
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

export const ZERO_TIMESTAMP = encodeTimestamp(0n);

function encodeTimestamp(timestamp: bigint): string {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64LE(timestamp);
  return bytes.toString("base64");
}

/** Undefined for anything that is not an encoded timestamp. */
export function decodeTimestamp(encoded: string): bigint | undefined {
  if (!/^[A-Za-z0-9+/]{11}=$/.test(encoded)) return undefined;
  return Buffer.from(encoded, "base64").readBigUInt64LE();
}

export class Timestamps {
  #clock: () => number;
  #latest = 0n;
  #encoded = ZERO_TIMESTAMP;

  /** @param clock wall clock in milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock;
    this.advance();
  }

  /** The timestamp of a new state: max(last + 1, now). */
  advance(): void {
    const now = BigInt(Math.floor(this.#clock())) * NANOSECONDS_PER_MILLISECOND;
    this.#latest = now > this.#latest ? now : this.#latest + 1n;
    this.#encoded = "";
  }

  get latest(): bigint {
    return this.#latest;
  }

  get encoded(): string {
    if (this.#encoded === "") this.#encoded = encodeTimestamp(this.#latest);
    return this.#encoded;
  }
}

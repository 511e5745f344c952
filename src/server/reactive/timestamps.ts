/**
 * The protocol's timestamps: unsigned 64-bit integers, encoded as base64 of eight little-endian
 * bytes. They are the executor's state versions, which never decrease: a client that has seen a
 * timestamp refuses an earlier one.
 */
export const ZERO_TIMESTAMP = encodeTimestamp(0n);

function encodeTimestamp(timestamp: bigint): string {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64LE(timestamp);
  return bytes.toString("base64");
}

/** Decodes a timestamp; undefined if it is malformed. */
export function decodeTimestamp(encoded: string): bigint | undefined {
  if (!/^[A-Za-z0-9+/]{11}=$/.test(encoded)) return undefined;
  return Buffer.from(encoded, "base64").readBigUInt64LE();
}

export class Timestamps {
  readonly #version: () => bigint;
  #latest = 0n;
  #encoded = ZERO_TIMESTAMP;

  /** @param version returns the version of the state that queries read; never decreases */
  constructor(version: () => bigint) {
    this.#version = version;
  }

  /** The timestamp of the state that queries read now. */
  get latest(): bigint {
    const version = this.#version();
    if (version > this.#latest) {
      this.#latest = version;
      this.#encoded = encodeTimestamp(version);
    }
    return this.#latest;
  }

  get encoded(): string {
    void this.latest;
    return this.#encoded;
  }
}

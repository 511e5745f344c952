import { describe, expect, test } from "vitest";
import { KeyedHash } from "./keyed-hash.ts";

/** The published ones for the key 00 … 07 and the messages 00, 00 01, … of four bytes and more. */
const VECTORS = [
  0x7e059ea6, 0x88e3d89b, 0xa0080b65, 0x9d38d9d6, 0x577999b1, 0xc839caed, 0xe4fa32cf, 0x959246ee,
  0x6b28096c,
];

describe("the keyed hash", () => {
  test("is HalfSipHash-1-3 of the owner's four bytes and the bytes behind", () => {
    const hash = new KeyedHash([0x03020100, 0x07060504]);
    const bytes = Uint8Array.from({ length: 16 }, (_, index) => index - 3);
    const found = VECTORS.map((_, length) => hash.of(0x03020100, bytes, 7, length) >>> 0);
    expect(found).toEqual(VECTORS);
  });

  test("gives other values with another secret", () => {
    const bytes = new Uint8Array(8);
    expect(new KeyedHash([1, 2]).of(0, bytes, 0, 8)).not.toBe(
      new KeyedHash([1, 3]).of(0, bytes, 0, 8),
    );
  });
});

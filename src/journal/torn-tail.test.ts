import { describe, expect, test } from "vitest";
import { encodeGroup, extentOf, SECTOR_BYTES } from "./format.ts";
import { classifyTail } from "./torn-tail.ts";

const SALT = 7;
const OFFSET = 64;
const FILE_BYTES = 8192;
const EXTENT_MAX = 4096;

/** The file's content after its header: the groups, then zeros. */
function restWith(...groups: { firstSequence: number; recordBytes: number }[]): Uint8Array {
  const rest = new Uint8Array(FILE_BYTES - OFFSET);
  let at = 0;
  for (const { firstSequence, recordBytes } of groups) {
    const records = new Uint8Array(recordBytes).fill(1);
    encodeGroup(rest.subarray(at), { firstSequence, count: 1, timestampMs: 5, records }, SALT, 0);
    at += extentOf(recordBytes);
  }
  return rest;
}

const judge = (rest: Uint8Array) => classifyTail(rest, OFFSET, SALT, EXTENT_MAX);

describe("an interrupted write", () => {
  test("nothing but zeros is the clean end", () => {
    expect(judge(new Uint8Array(1000))).toEqual({ kind: "clean" });
    expect(judge(new Uint8Array(0))).toEqual({ kind: "clean" });
  });

  test("that ended at any byte is torn", () => {
    const extent = extentOf(1500);
    for (let length = 1; length < extent; length++) {
      const rest = restWith({ firstSequence: 9, recordBytes: 1500 }).fill(0, length);
      expect(judge(rest)).toMatchObject({ kind: "torn" });
    }
  });

  test("of which any one sector never arrived is torn", () => {
    const extent = extentOf(1500);
    for (let start = 0; start < OFFSET + extent; start += SECTOR_BYTES) {
      const rest = restWith({ firstSequence: 9, recordBytes: 1500 });
      rest.fill(0, Math.max(0, start - OFFSET), start - OFFSET + SECTOR_BYTES);
      expect(judge(rest)).toMatchObject({ kind: "torn" });
    }
  });

  test("says how many bytes it left", () => {
    const rest = restWith({ firstSequence: 9, recordBytes: 1500 }).fill(0, 777);
    expect(judge(rest)).toEqual({ kind: "torn", bytes: 777 });
  });
});

describe("damage", () => {
  test("a complete group with a wrong checksum", () => {
    const rest = restWith({ firstSequence: 9, recordBytes: 1500 });
    rest[700] ^= 4;
    expect(judge(rest)).toMatchObject({ kind: "damaged" });
  });

  test("a complete group with an unreadable header", () => {
    const rest = restWith({ firstSequence: 9, recordBytes: 1500 });
    rest[20] ^= 4;
    expect(judge(rest)).toMatchObject({ kind: "damaged" });
  });

  test("a torn group in front of another one, readable or not", () => {
    const groups = [
      { firstSequence: 9, recordBytes: 1500 },
      { firstSequence: 10, recordBytes: 100 },
    ];
    const torn = restWith(...groups).fill(0, 512, 1024);
    expect(judge(torn)).toMatchObject({ kind: "damaged" });
    torn[extentOf(1500) + 8] ^= 1;
    expect(judge(torn)).toMatchObject({ kind: "damaged" });
    torn.fill(0, 0, 512);
    torn[extentOf(1500) + 8] ^= 1;
    expect(judge(torn)).toMatchObject({ kind: "damaged" });
  });

  test("more bytes than one write can have left", () => {
    const rest = new Uint8Array(FILE_BYTES - OFFSET);
    rest[EXTENT_MAX] = 1;
    expect(judge(rest)).toMatchObject({ kind: "damaged" });
  });

  test("a group of another segment counts for nothing", () => {
    const rest = restWith({ firstSequence: 9, recordBytes: 100 });
    const records = new Uint8Array(20).fill(1);
    const foreign = { firstSequence: 10, count: 1, timestampMs: 5, records };
    encodeGroup(rest.subarray(64), foreign, SALT + 1, 0);
    expect(judge(rest.fill(0, 170))).toMatchObject({ kind: "torn" });
  });
});

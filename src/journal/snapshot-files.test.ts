import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SnapshotDamagedError, SnapshotFiles } from "./snapshot-files.ts";

const SNAPSHOT = {
  sequence: 7,
  timestampMs: 1_700_000_000_000,
  journal: 0xdeadbeef,
  program: "program",
  formats: "formats",
  engine: Uint8Array.of(1, 2, 3),
  readModels: Uint8Array.of(4, 5),
};

let directory: string;
let files: SnapshotFiles;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "openbell-snapshot-files-"));
  files = new SnapshotFiles(join(directory, "snapshots"));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe("the file of a snapshot", () => {
  test("gives back what was written", async () => {
    await files.write(SNAPSHOT, (written) => expect(written).toEqual(SNAPSHOT));
    expect(files.read(7)).toEqual(SNAPSHOT);
  });

  test("is damaged where any bit of it differs or any byte is missing", async () => {
    await files.write(SNAPSHOT, () => undefined);
    const path = files.pathOf(7);
    const whole = readFileSync(path);
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const damaged = Buffer.from(whole);
      damaged[bit >> 3] ^= 1 << (bit & 7);
      writeFileSync(path, damaged);
      expect(() => files.read(7), `bit ${bit}`).toThrow(SnapshotDamagedError);
    }
    writeFileSync(path, whole);
    for (let length = whole.length - 1; length >= 0; length--) {
      truncateSync(path, length);
      expect(() => files.read(7), `${length} bytes`).toThrow(SnapshotDamagedError);
    }
  });

  test("of an interrupted write is removed, but not while it is written", () => {
    files.createDirectory();
    const names = ["snapshot-7.partial", "snapshot-8.partial"];
    const partials = names.map((name) => join(directory, "snapshots", name));
    for (const path of partials) writeFileSync(path, "half");
    files.removeRemains(8);
    expect(partials.map((path) => existsSync(path))).toEqual([false, true]);
    files.removeRemains();
    expect(partials.map((path) => existsSync(path))).toEqual([false, false]);
  });

  test("keeps its read models in memory of their own", async () => {
    await files.write(SNAPSHOT, () => undefined);
    const { readModels } = files.read(7);
    expect(readModels.buffer.byteLength).toBe(readModels.length);
  });
});

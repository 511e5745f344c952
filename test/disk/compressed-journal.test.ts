/** Compressed segments: read like plain ones by everything, and nothing is lost on the way to them. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { copyJournal } from "#journal/read-while-writing.ts";
import { compressSegments } from "#journal/compress-segments.ts";
import { FRAME_BYTES } from "#journal/columns/frame.ts";
import { CompressedSegment } from "#journal/compressed-segment.ts";
import { extentOf, HEADER_BYTES } from "#journal/format.ts";
import { journalIdentity, openFileJournal } from "#journal/file-journal.ts";
import { type JournalFileSystem, nodeFileSystem } from "#journal/file-system.ts";
import { JournalDamagedError } from "#journal/journal.ts";
import { expectedHashes, expectedState, replayGolden } from "../golden/golden-journal.ts";
import { CrashedError, type Fault, type Operation } from "./journal-disk.ts";
import {
  append,
  compress,
  DIRECTORY,
  expectWhole,
  namesOn,
  open,
  readAll,
  silent,
  written,
  failAtEachStep,
} from "./written-journal.ts";

describe("a journal with compressed segments", () => {
  test("reads, continues and is copied as before; only the newest segment stays plain", async () => {
    const { disk, kept, durable } = await written();
    const identity = journalIdentity(DIRECTORY, disk);
    const plain = new Map(
      namesOn(disk).map((name) => [name, disk.contentOf(join(DIRECTORY, name))]),
    );
    const { segments } = await compress(disk, durable);
    expect(segments).toBe(plain.size - 1);
    expect(segments).toBeGreaterThan(3);
    const names = namesOn(disk);
    expect(names.filter((name) => name.endsWith(".journal"))).toEqual([[...plain.keys()].at(-1)]);
    expect(names.filter((name) => name.endsWith(".columns"))).toHaveLength(segments);
    expect(names).toHaveLength(plain.size);
    expect(journalIdentity(DIRECTORY, disk)).toBe(identity);

    await copyJournal({ from: DIRECTORY, to: "/copy/journal", fileSystem: disk });
    expect(disk.list("/copy/journal")).toEqual(names);
    await expectWhole(disk, kept, "/copy/journal");

    const journal = await open(disk);
    for (const [from] of kept) {
      expect(await readAll(journal, from)).toEqual(kept.filter(([sequence]) => sequence >= from));
    }
    await append(journal, 20);
    const continued = await readAll(journal);
    expect(continued.slice(0, kept.length)).toEqual(kept);
    await journal.close();
    await compress(disk, journal.lastSequence);
    await expectWhole(disk, continued);
    const beside = { readOnly: true, besideWriter: { durable: kept[10][0] } };
    const until = await openFileJournal({ directory: DIRECTORY, fileSystem: disk, ...beside });
    expect(await readAll(until)).toEqual(kept.slice(0, 11));
  });

  test("is copied once: a later copy shares what an earlier one has, unless it differs", async () => {
    const { disk, kept, durable } = await written();
    await compress(disk, durable, 3);
    const copies = ["/first", "/second", "/third"];
    const copyTo = (to: string, earlier?: string) =>
      copyJournal({ from: DIRECTORY, to, earlier, fileSystem: disk });
    await copyTo("/first");
    await compress(disk, durable);
    let created = 0;
    disk.fault = (operation) => void (created += operation === "createZeroed" ? 1 : 0);
    await copyTo("/second", "/first");
    // The segment compressed since then, and the newest.
    expect(created).toBe(2);
    const [damaged] = disk.list("/second");
    disk.put(join("/second", damaged), disk.contentOf(join("/first", damaged)).fill(1, 100, 200));
    await copyTo("/third", "/second");
    expect(created).toBe(4);
    disk.remove(join("/second", damaged));
    for (const copy of copies.filter((name) => name !== "/second")) {
      await expectWhole(disk, kept, copy);
    }
  });

  test("is made up to the segment that is known to be durable, so many segments at a time", async () => {
    const { disk, kept, durable } = await written();
    const compressed = () => namesOn(disk).filter((name) => name.endsWith(".columns")).length;
    expect((await compress(disk, 1)).segments).toBe(0);
    expect((await compress(disk, durable, 2)).segments).toBe(2);
    expect(compressed()).toBe(2);
    await expectWhole(disk, kept);
    expect((await compress(disk, durable, 2)).segments).toBe(2);
    expect(compressed()).toBe(4);
    await expectWhole(disk, kept);
  });

  test("can be read while it is compressed", async () => {
    const { disk, kept, durable } = await written();
    const journal = await open(disk);
    const groups: number[] = [];
    for await (const { firstSequence } of journal.read(1)) {
      groups.push(firstSequence);
      if (firstSequence === 3) await compress(disk, durable);
    }
    expect(groups).toEqual(kept.map(([sequence]) => sequence));
    await append(journal, 10);
    expect((await readAll(journal)).slice(0, kept.length)).toEqual(kept);
    await journal.close();
  });

  test("without its newest segment is refused", async () => {
    const { disk, durable } = await written();
    await compress(disk, durable);
    disk.remove(join(DIRECTORY, namesOn(disk).at(-1) as string));
    await expect(open(disk)).rejects.toThrow("the segment after this one is missing");
    expect(namesOn(disk).every((name) => name.endsWith(".columns"))).toBe(true);
  });
});

describe("damage", () => {
  test("of a compressed segment is refused with its file, or changes nothing", async () => {
    const { disk, kept, durable } = await written();
    await compress(disk, durable);
    const path = join(DIRECTORY, namesOn(disk)[2]);
    const whole = disk.contentOf(path);
    let refused = 0;
    for (let at = 0; at < whole.length; at += 7) {
      const damaged = whole.slice();
      damaged[at] ^= 1 << (at % 8);
      disk.put(path, damaged);
      try {
        await expectWhole(disk, kept);
      } catch (error) {
        if (!(error instanceof JournalDamagedError)) throw error;
        expect(error.file).toBe(path);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(whole.length / 7 - 20);
    for (const length of [0, 5, 40, whole.length >> 1, whole.length - 1]) {
      disk.put(path, whole.slice(0, length));
      await expect(open(disk).then(readAll)).rejects.toThrow(JournalDamagedError);
    }
    disk.put(path, whole);
    await expectWhole(disk, kept);
  });

  test("of a plain segment leaves it as it is", async () => {
    const { disk, durable } = await written();
    const name = namesOn(disk)[1];
    const path = join(DIRECTORY, name);
    const damaged = disk.contentOf(path);
    damaged[1000] ^= 1;
    disk.put(path, damaged);
    await expect(compress(disk, durable)).rejects.toThrow(JournalDamagedError);
    expect(disk.contentOf(path)).toEqual(damaged);
    const later = namesOn(disk).slice(1);
    expect(later).toContain(name);
    expect(later.every((other) => other.endsWith(".journal"))).toBe(true);
  });

  test("of what was just written keeps the plain segment", async () => {
    const { disk, kept, durable } = await written();
    const names = namesOn(disk);
    // The disk takes every write, and has other bytes of the first.
    const lying: JournalFileSystem = {
      list: (directory) => disk.list(directory),
      createDirectory: () => undefined,
      createZeroed: (path, bytes) => disk.createZeroed(path, bytes),
      rename: (from, to) => disk.rename(from, to),
      remove: (path) => disk.remove(path),
      flushDirectory: (directory) => disk.flushDirectory(directory),
      link: (target, path) => disk.link(target, path),
      share: (file, path) => disk.share(file, path),
      linkedFrom: (path) => disk.linkedFrom(path),
      open(path, access) {
        const file = disk.open(path);
        if (access === "read") return file;
        const write = (bytes: Uint8Array, position: number) =>
          file.write(position === 0 ? bytes.map((byte) => byte ^ 1) : bytes, position);
        return { ...file, write };
      },
    };
    const options = { directory: DIRECTORY, durable, segmentsMax: 9, fileSystem: lying };
    await expect(compressSegments(options)).rejects.toThrow("offset 0 and later cannot be read");
    expect(namesOn(disk)).toEqual(names);
    await expectWhole(disk, kept);
  });
});

describe("an interruption", () => {
  test("finds the compressed segment on the disk before the plain one is removed", async () => {
    const { disk, durable } = await written();
    const operations: Operation[] = [];
    disk.fault = (operation) => void operations.push(operation);
    await compress(disk, durable, 1);
    const renamed = operations.indexOf("rename");
    expect(operations[renamed - 1]).toBe("flush");
    expect(operations.slice(renamed)).toEqual([
      "rename",
      "flushDirectory",
      "remove",
      "flushDirectory",
    ]);
  });

  test.each(["kill", "power"] as const)("by %s at any step loses nothing", async (cause) => {
    const { disk: original, kept, durable } = await written();
    let isDone = false;
    for (let step = 0; !isDone; step++) {
      const disk = original.clone();
      let operations = 0;
      disk.fault = () => (operations++ === step ? "crash" : undefined);
      isDone = await compress(disk, durable).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof CrashedError)) throw error;
          return false;
        },
      );
      disk.restart(cause);
      await expectWhole(disk, kept);
      expect(namesOn(disk).filter((name) => name.endsWith(".partial"))).toEqual([]);
      // What is left is done by the next one.
      await compress(disk, durable);
      expect(namesOn(disk).filter((name) => name.endsWith(".journal"))).toHaveLength(1);
      await expectWhole(disk, kept);
    }
  });

  test.each<Fault>(["full", "broken", "short"])(
    "by a disk that is %s loses nothing",
    async (fault) => {
      const { disk: original, kept, durable } = await written();
      await failAtEachStep(original, fault, {
        act: (disk) => compress(disk, durable),
        check: (disk) => expectWhole(disk, kept),
      });
    },
  );
});

test("frames are read across their borders", async () => {
  const directory = mkdtempSync(join(tmpdir(), "openbell-compressed-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const journal = await openFileJournal({ directory, log: silent });
  const record = new Uint8Array(300_000).fill(1);
  new DataView(record.buffer).setUint32(0, record.length - 4, true);
  for (let count = 0; count < 55; count++) {
    const firstSequence = journal.lastSequence + 1;
    await journal.append({ firstSequence, count: 1, timestampMs: 1, records: record });
  }
  await journal.close();
  const sizeOf = (name: string) => readFileSync(join(directory, name));
  const plain = sizeOf("segment-00000004.journal");
  expect(plain.length).toBeGreaterThan(FRAME_BYTES);
  await compressSegments({ directory, durable: journal.lastSequence, segmentsMax: 9 });
  expect(readdirSync(directory).filter((name) => name.endsWith(".columns"))).toHaveLength(4);
  const path = join(directory, "segment-00000004.journal.columns");
  const file = new CompressedSegment(nodeFileSystem.open(path, "read"), "columns");
  onTestFinished(() => file.close());
  expect(file.size()).toBe(plain.length);
  // Frames begin with the first group, and with the first after the most that fit into one.
  const group = extentOf(record.length);
  const borders = [HEADER_BYTES, HEADER_BYTES + Math.floor(FRAME_BYTES / group) * group];
  for (const border of [0, ...borders, plain.length]) {
    for (const position of [Math.max(0, border - 10), border]) {
      const target = new Uint8Array(1000);
      const length = file.read(target, position);
      const expected = plain.subarray(position, position + 1000);
      expect(Buffer.compare(target.subarray(0, length), expected)).toBe(0);
    }
  }
});

test("segments in the form of earlier versions are read, and replaced by the present form", async () => {
  const golden = "test/golden/compressed";
  const directory = mkdtempSync(join(tmpdir(), "openbell-golden-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  cpSync(golden, directory, { recursive: true });
  const newest = "segment-00000003.journal";
  cpSync(join("test/golden/format-1/journal", newest), join(directory, newest));
  let durable = 0;
  const read = async (of: string) => {
    const journal = await openFileJournal({ directory: of, readOnly: true });
    const groups = await readAll(journal);
    durable = journal.lastSequence;
    await journal.close();
    return groups;
  };
  const plain = await read("test/golden/format-1/journal");
  // Not compared by `toEqual`, which would print thousands of lines.
  expect(isDeepStrictEqual(await read(directory), plain)).toBe(true);
  const { segments } = await compressSegments({ directory, durable, segmentsMax: 9 });
  expect(segments).toBe(1);
  expect(readdirSync(directory)).toEqual([
    "segment-00000001.journal.columns",
    "segment-00000002.journal.columns",
    "segment-00000003.journal",
  ]);
  expect(isDeepStrictEqual(await read(directory), plain)).toBe(true);
});

test("a golden journal leads to the same when it is compressed", async () => {
  const golden = "test/golden/format-1";
  const directory = mkdtempSync(join(tmpdir(), "openbell-golden-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  cpSync(golden, directory, { recursive: true });
  const { sequence } = expectedState(golden);
  const journal = join(directory, "journal");
  await compressSegments({ directory: journal, durable: sequence, segmentsMax: 9 });
  expect(readdirSync(journal)).toEqual([
    "segment-00000001.journal.columns",
    "segment-00000002.journal.columns",
    "segment-00000003.journal",
  ]);
  const { engine: _engine, ...compressed } = await replayGolden(directory);
  const { engine: _plainEngine, ...plain } = await replayGolden(golden);
  // Not compared by `toEqual`, which would print thousands of lines.
  expect(isDeepStrictEqual(compressed, plain)).toBe(true);
  expect(compressed.stateHash).toBe(expectedHashes(golden).at(-1)?.hash);
});

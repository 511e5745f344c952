/** The journal on a disk that fails: nothing acknowledged is ever lost, and nothing is made up. */
import { assert, asyncProperty, nat } from "fast-check";
import { describe, expect, test } from "vitest";
import { copyJournal } from "#journal/read-while-writing.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import { decodeGroupHeader, decodeSegmentHeader, extentOf, HEADER_BYTES } from "#journal/format.ts";
import { type Journal, JournalDamagedError, JournalWriteError } from "#journal/journal.ts";
import { CrashedError, type Random, seededRandom, SimulatedDisk } from "./journal-disk.ts";
import { runs } from "../support/run-counts.ts";

const DIRECTORY = "/data/journal";
const SEGMENT_BYTES = 4096;
/** Seeds that failed once. */
const KEPT_SEEDS: [number][] = [];
const silent = { info: () => undefined, warn: () => undefined };

interface Kept {
  readonly firstSequence: number;
  readonly count: number;
  readonly timestampMs: number;
  readonly records: string;
}

const open = (disk: SimulatedDisk) =>
  openFileJournal({
    directory: DIRECTORY,
    log: silent,
    segmentBytes: SEGMENT_BYTES,
    fileSystem: disk,
  });

async function readAll(journal: Journal, from = 1): Promise<Kept[]> {
  const groups: Kept[] = [];
  for await (const { records, ...group } of journal.read(from)) {
    groups.push({ ...group, records: Buffer.from(records).toString("latin1") });
  }
  return groups;
}

function randomGroup(journal: Journal, random: Random) {
  const count = 1 + random(4);
  const parts: number[] = [];
  for (let index = 0; index < count; index++) {
    // Zeros, too: records are opaque and a group of zeros is a group.
    const length = random(8) === 0 ? 600 + random(300) : random(90);
    const fill = random(3);
    parts.push(length & 255, length >> 8, 0, 0);
    for (let at = 0; at < length; at++) parts.push(fill === 0 ? 0 : 1 + random(255));
  }
  return {
    firstSequence: journal.lastSequence + 1,
    count,
    timestampMs: journal.lastTimestampMs + random(3),
    records: Uint8Array.from(parts.slice(0, 3800)),
  };
}

const keep = (group: ReturnType<typeof randomGroup>): Kept => ({
  ...group,
  records: Buffer.from(group.records).toString("latin1"),
});

/** A journal of some segments, everything acknowledged. */
async function written(seed: number, groups: number) {
  const random = seededRandom(seed);
  const disk = new SimulatedDisk(random);
  const journal = await open(disk);
  const kept: Kept[] = [];
  for (let index = 0; index < groups; index++) {
    const group = randomGroup(journal, random);
    await journal.append(group);
    kept.push(keep(group));
  }
  await journal.close();
  const segments = disk.paths().filter((path) => path.endsWith(".journal"));
  return { disk, kept, segments, random };
}

/** What a start finds: the groups, or why it refused. */
async function start(disk: SimulatedDisk): Promise<Kept[] | JournalDamagedError> {
  try {
    const journal = await open(disk);
    const groups = await readAll(journal);
    const group = randomGroup(journal, seededRandom(1));
    await journal.append(group);
    await journal.close();
    const again = await open(disk);
    expect(await readAll(again)).toEqual([...groups, keep(group)]);
    await again.close();
    return groups;
  } catch (error) {
    if (error instanceof JournalDamagedError) return error;
    throw error;
  }
}

function usedBytes(bytes: Uint8Array): number {
  return bytes.findLastIndex((byte) => byte !== 0) + 1;
}

/** Why a start on this disk is refused. */
async function refusalOf(disk: SimulatedDisk): Promise<string> {
  const found = await start(disk);
  return found instanceof JournalDamagedError ? found.message : "it started";
}

/** Where the groups of an intact segment end. */
function groupEndsOf(bytes: Uint8Array): number[] {
  const salt = decodeSegmentHeader(bytes)?.salt ?? 0;
  const ends: number[] = [];
  let position = HEADER_BYTES;
  for (;;) {
    const header = decodeGroupHeader(bytes, position, salt);
    if (header === undefined) return ends;
    position += extentOf(header.recordBytes);
    ends.push(position);
  }
}

describe("crashes", () => {
  test("every acknowledged group survives, and at most the one under way beside it", async () => {
    await assert(
      asyncProperty(nat(), async (seed) => {
        const random = seededRandom(seed);
        const disk = new SimulatedDisk(random);
        let kept: Kept[] = [];
        for (let round = 0; round < 6; round++) {
          let operationsLeft = random(60);
          disk.fault = () => (operationsLeft-- === 0 ? "crash" : undefined);
          let underWay: Kept | undefined;
          try {
            const journal = await open(disk);
            for (;;) {
              const group = randomGroup(journal, random);
              underWay = keep(group);
              await journal.append(group);
              kept.push(underWay);
              underWay = undefined;
            }
          } catch (error) {
            const cause = error instanceof JournalWriteError ? error.cause : error;
            expect(cause).toBeInstanceOf(CrashedError);
          }
          disk.restart(random(2) === 0 ? "kill" : "power");
          const journal = await open(disk);
          const found = await readAll(journal);
          await journal.close();
          const possible = underWay === undefined ? [kept] : [kept, [...kept, underWay]];
          expect(possible).toContainEqual(found);
          // What a start has shown is durable, also what it found in the cache only.
          disk.restart("power");
          kept = found;
        }
      }),
      { numRuns: runs(400), examples: KEPT_SEEDS },
    );
  });

  test("a failed write or flush ends the journal for good and loses nothing acknowledged", async () => {
    const faults = ["full", "broken", "short"] as const;
    await assert(
      asyncProperty(nat(), async (seed) => {
        const random = seededRandom(seed);
        const disk = new SimulatedDisk(random);
        const journal = await open(disk);
        let operationsLeft = random(80);
        const fault = faults[random(3)];
        // A disk that fails once and then works again must not be trusted either.
        disk.fault = (operation) => {
          if (operationsLeft-- !== 0 || operation === "createZeroed") return undefined;
          return fault === "short" && operation !== "write" ? "broken" : fault;
        };
        const kept: Kept[] = [];
        let failed: Kept | undefined;
        for (let index = 0; index < 60; index++) {
          const group = randomGroup(journal, random);
          try {
            await journal.append(group);
            expect(failed).toBeUndefined();
            kept.push(keep(group));
          } catch (error) {
            expect(error).toBeInstanceOf(JournalWriteError);
            failed ??= keep(group);
          }
        }
        await journal.close();
        disk.restart(random(2) === 0 ? "kill" : "power");
        const again = await open(disk);
        const possible = failed === undefined ? [kept] : [kept, [...kept, failed]];
        const shown = await readAll(again);
        expect(possible).toContainEqual(shown);
        // What a start has shown is on disk, also where a failed flush had left it in the cache.
        disk.restart("power");
        expect(await readAll(await open(disk))).toEqual(shown);
      }),
      { numRuns: runs(300), examples: KEPT_SEEDS },
    );
  });

  test("a segment that cannot be prepared leaves its room to others and is made when it is due", async () => {
    const random = seededRandom(1);
    const disk = new SimulatedDisk(random);
    const warned: string[] = [];
    const log = {
      info: () => undefined,
      warn: (_: object, text: string) => void warned.push(text),
    };
    const journal = await openFileJournal({
      directory: DIRECTORY,
      log,
      segmentBytes: SEGMENT_BYTES,
      fileSystem: disk,
    });
    let failures = 0;
    disk.fault = (operation) =>
      operation === "createZeroed" && failures++ === 0 ? "full" : undefined;
    const kept: Kept[] = [];
    while (failures < 2) {
      const group = randomGroup(journal, random);
      await journal.append(group);
      kept.push(keep(group));
      await new Promise((resolve) => setImmediate(resolve));
      if (failures === 1) expect(disk.paths()).toEqual([`${DIRECTORY}/segment-00000001.journal`]);
    }
    expect(warned).toEqual(["the next segment of the journal was not prepared"]);
    expect(await readAll(journal)).toEqual(kept);
  });

  test("a full disk is reported with the system's own words", async () => {
    const disk = new SimulatedDisk(seededRandom(1));
    const journal = await open(disk);
    disk.fault = () => "full";
    await expect(journal.append(randomGroup(journal, seededRandom(2)))).rejects.toThrow(
      /could not write to \/data\/journal\/segment-00000001\.journal: ENOSPC: no space left/,
    );
  });
});

describe("a file that ends too early", () => {
  test("the newest segment cut at any byte keeps every group before the cut", async () => {
    const { disk, kept, segments } = await written(11, 40);
    expect(segments.length).toBeGreaterThan(2);
    const path = segments.at(-1) as string;
    const bytes = disk.contentOf(path);
    const ends = groupEndsOf(bytes);
    const before = kept.length - ends.length;
    for (let length = 0; length <= usedBytes(bytes) + 1; length++) {
      const cut = disk.clone();
      cut.put(path, bytes.subarray(0, length));
      const found = await start(cut);
      if (length < 64) {
        expect(found).toMatchObject({ name: "JournalDamagedError", file: path, offset: 0 });
      } else {
        const whole = ends.filter((end) => end <= length).length;
        expect(found).toEqual(kept.slice(0, before + whole));
      }
    }
  });

  test("an earlier segment cut anywhere stops the start", async () => {
    const { disk, segments } = await written(12, 40);
    const path = segments[0];
    const bytes = disk.contentOf(path);
    for (let length = 0; length < usedBytes(bytes); length += 7) {
      const cut = disk.clone();
      cut.put(path, bytes.subarray(0, length));
      expect(await start(cut)).toMatchObject({ name: "JournalDamagedError", file: path });
    }
  });
});

describe("flipped bits", () => {
  test("never lose or change an acknowledged group without a refusal", async () => {
    const { disk, kept, segments } = await written(13, 25);
    for (const path of segments) {
      const bytes = disk.contentOf(path);
      const isNewest = path === segments.at(-1);
      for (let bit = 0; bit < bytes.length * 8; bit += bit < usedBytes(bytes) * 8 ? 3 : 97) {
        const flipped = disk.clone();
        const content = bytes.slice();
        content[bit >> 3] ^= 1 << (bit & 7);
        flipped.put(path, content);
        const found = await start(flipped);
        if (bit < usedBytes(bytes) * 8 || !isNewest) {
          expect(found, `bit ${bit} of ${path}`).toMatchObject({
            name: "JournalDamagedError",
            file: path,
          });
        } else if (Array.isArray(found)) {
          expect(found).toEqual(kept);
        }
      }
    }
  });

  test("the refusal says file, offset and sequence", async () => {
    const { disk, segments } = await written(14, 30);
    const path = segments.at(-1) as string;
    const bytes = disk.contentOf(path);
    const first = new DataView(bytes.buffer).getFloat64(24, true);
    bytes[64 + 70] ^= 16;
    disk.put(path, bytes);
    expect(await start(disk)).toMatchObject({ file: path, offset: 64, sequence: first });
    const message = await refusalOf(disk);
    expect(message).toContain(`(file ${path}, offset 64, sequence ${first})`);
    expect(message).toContain("is followed by the group of sequence");
  });

  test("damage of the last group, complete as it is, is not taken for an interrupted write", async () => {
    const { disk, segments } = await written(15, 30);
    const path = segments.at(-1) as string;
    const bytes = disk.contentOf(path);
    bytes[usedBytes(bytes) - 20] ^= 1;
    disk.put(path, bytes);
    expect(await refusalOf(disk)).toContain("the last group is complete and its checksum");
  });
});

describe("segments", () => {
  test("a missing one stops the start", async () => {
    const { disk, segments } = await written(16, 60);
    expect(segments.length).toBeGreaterThan(3);
    for (const path of segments.slice(0, -1)) {
      const missing = disk.clone();
      missing.remove(path);
      expect(await refusalOf(missing)).toMatch(/segment \d+ is missing/);
    }
  });

  test("two that changed places stop the start", async () => {
    const { disk, segments } = await written(17, 60);
    const [first, second] = [disk.contentOf(segments[1]), disk.contentOf(segments[2])];
    disk.put(segments[1], second);
    disk.put(segments[2], first);
    expect(await refusalOf(disk)).toContain("the file is segment 3 under another name");
  });

  test("one of another journal stops the start", async () => {
    const { disk, segments } = await written(18, 60);
    const other = await written(19, 60);
    for (const path of segments) {
      const mixed = disk.clone();
      mixed.put(path, other.disk.contentOf(path));
      expect(await start(mixed)).toBeInstanceOf(JournalDamagedError);
    }
  });

  test("of a history that went another way stop the start", async () => {
    // Two copies of one journal that went on with other records of the same sizes: every sequence
    // fits, and only the chain tells that a file or a group comes from the other copy.
    const random = seededRandom(22);
    const group = (journal: Journal, byte: number) => ({
      firstSequence: journal.lastSequence + 1,
      count: 1,
      timestampMs: 1000,
      records: new Uint8Array(700).fill(byte),
    });
    const common = new SimulatedDisk(random);
    const beginning = await open(common);
    for (let index = 0; index < 3; index++) await beginning.append(group(beginning, 1));
    await beginning.close();
    const [mine, other] = [common.clone(), common.clone()];
    for (const [disk, byte] of [
      [mine, 2],
      [other, 3],
    ] as const) {
      const journal = await open(disk);
      for (let index = 0; index < 20; index++) await journal.append(group(journal, byte));
      await journal.close();
    }
    const segments = mine.paths();
    expect(other.paths()).toEqual(segments);
    expect(await start(mine.clone())).toHaveLength(23);
    for (const path of segments.slice(0, -1)) {
      const mixed = mine.clone();
      mixed.put(path, other.contentOf(path));
      expect(await refusalOf(mixed)).toContain("does not follow this one");
    }
    const withLast = mine.clone();
    withLast.put(segments.at(-1) as string, other.contentOf(segments.at(-1) as string));
    expect(await refusalOf(withLast)).toContain("does not follow this one");

    const spliced = mine.contentOf(segments[0]);
    const ends = groupEndsOf(spliced);
    spliced.set(other.contentOf(segments[0]).subarray(ends[2], ends[3]), ends[2]);
    const withGroup = mine.clone();
    withGroup.put(segments[0], spliced);
    expect(await refusalOf(withGroup)).toContain("a group does not follow the one before it");
  });

  test("of a newer format are refused by name", async () => {
    const { disk, segments } = await written(20, 3);
    const { crc32 } = await import("node:zlib");
    const bytes = disk.contentOf(segments[0]);
    const view = new DataView(bytes.buffer);
    view.setUint32(8, 2, true);
    view.setUint32(4, crc32(bytes.subarray(8, 64)), true);
    disk.put(segments[0], bytes);
    expect(await refusalOf(disk)).toContain("format version 2 is not known");
  });

  test("are read from any sequence on", async () => {
    const { disk, kept } = await written(21, 60);
    const journal = await open(disk);
    for (const from of [1, 2, 17, 60, journal.lastSequence, journal.lastSequence + 1]) {
      expect(await readAll(journal, from)).toEqual(
        kept.filter((group) => group.firstSequence + group.count > from),
      );
    }
  });
});

describe("beside its writer", () => {
  const openBeside = (disk: SimulatedDisk, durable?: number) =>
    openFileJournal({
      directory: DIRECTORY,
      log: silent,
      fileSystem: disk,
      readOnly: true,
      besideWriter: { durable },
    });

  test("a journal is read up to what is whole, at every moment of a write", async () => {
    const { disk, kept, random } = await written(30, 12);
    const journal = await open(disk);
    const group = randomGroup(journal, random);
    const before = disk.paths().map((path) => [path, disk.contentOf(path)] as const);
    await journal.append(group);
    const path = disk.paths().findLast((name) => name.endsWith(".journal")) as string;
    const [, old] = before.find(([name]) => name === path) ?? [path, new Uint8Array()];
    const after = disk.contentOf(path);
    const ends = groupEndsOf(after);
    const [from, to] = [ends.at(-2) ?? HEADER_BYTES, ends.at(-1) as number];
    for (let cut = from; cut <= to; cut++) {
      const moment = disk.clone();
      const bytes = after.slice();
      bytes.fill(0, cut, to);
      if (cut === from) expect(bytes).toEqual(old);
      moment.put(path, bytes);
      const content = new Map(moment.paths().map((name) => [name, moment.contentOf(name)]));
      const found = await readAll(await openBeside(moment)).catch((error: unknown) => error);
      expect(found).toEqual(usedBytes(bytes) < to ? kept : [...kept, keep(group)]);
      expect(await readAll(await openBeside(moment, kept.length > 0 ? 1 : 0))).toEqual(
        kept.slice(0, 1),
      );
      for (const [name, bytesBefore] of content) {
        expect(moment.contentOf(name)).toEqual(bytesBefore);
      }
    }
    await journal.close();
  });

  test("nothing behind the sequence that is known to be on disk is looked at", async () => {
    const { disk, kept, segments } = await written(31, 30);
    const path = segments.at(-1) as string;
    const bytes = disk.contentOf(path);
    const ends = groupEndsOf(bytes);
    expect(ends.length).toBeGreaterThan(1);
    // Whatever the writer is doing there: this is no group, and not to be read yet.
    bytes.fill(0xa5, ends[0]);
    disk.put(path, bytes);
    const whole = kept.length - ends.length + 1;
    const last = kept[whole - 1];
    const durable = last.firstSequence + last.count - 1;
    expect(await readAll(await openBeside(disk, durable))).toEqual(kept.slice(0, whole));
    await expect(openBeside(disk, durable + 1)).rejects.toThrow(JournalDamagedError);
    await expect(openBeside(disk)).rejects.toThrow(JournalDamagedError);
  });

  test("a copy has nothing of a group that is half written", async () => {
    const { disk, kept, random } = await written(33, 12);
    const journal = await open(disk);
    const capacities = new Map(disk.paths().map((path) => [path, disk.contentOf(path)]));
    await journal.append(randomGroup(journal, random));
    await journal.close();
    const path = disk.paths().findLast((name) => name.endsWith(".journal")) as string;
    const whole = disk.contentOf(path);
    const half = whole.slice();
    half.fill(0, (groupEndsOf(whole).at(-1) as number) - 20);
    expect(half).not.toEqual(capacities.get(path));
    disk.put(path, half);
    await copyJournal({ from: DIRECTORY, to: "/copy/journal", fileSystem: disk });
    const copied = disk.contentOf(path.replace(DIRECTORY, "/copy/journal"));
    expect(copied).toEqual(capacities.get(path));
    expect(kept.length).toBe(12);
  });

  test("a copy has every whole group and is a journal that continues", async () => {
    const { disk, kept, random } = await written(32, 40);
    const journal = await open(disk);
    const until = await copyJournal({ from: DIRECTORY, to: "/copy/journal", fileSystem: disk });
    expect(until).toBe(journal.lastSequence);
    const copy = await openFileJournal({
      directory: "/copy/journal",
      log: silent,
      segmentBytes: SEGMENT_BYTES,
      fileSystem: disk,
    });
    expect(copy.identity).toBe(journal.identity);
    expect(await readAll(copy)).toEqual(kept);
    const group = randomGroup(copy, random);
    await copy.append(group);
    expect(await readAll(copy)).toEqual([...kept, keep(group)]);
    expect(await readAll(journal)).toEqual(kept);
  });
});

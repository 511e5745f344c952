/** Compressed segments that are moved to an archive: read as before, and lost by no interruption. */
import { cpSync, lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { archiveSegments } from "#journal/archive-segments.ts";
import { compressSegments } from "#journal/compress-segments.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import { copyJournal } from "#journal/read-while-writing.ts";
import { CrashedError, type Fault, type SimulatedDisk } from "./journal-disk.ts";
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

const ARCHIVE = "/archive";
const NEVER_MS = Number.MAX_SAFE_INTEGER;

async function compressed() {
  const made = await written();
  await compress(made.disk, made.durable);
  return made;
}

const archive = (
  disk: SimulatedDisk,
  durable: number,
  { endedBeforeMs = NEVER_MS, segmentsMax = 100 } = {},
) =>
  archiveSegments({
    directory: DIRECTORY,
    archive: ARCHIVE,
    durable,
    endedBeforeMs,
    segmentsMax,
    fileSystem: disk,
  });

const linksOn = (disk: SimulatedDisk) =>
  namesOn(disk).filter((name) => disk.linkedFrom(join(DIRECTORY, name)) !== undefined);
const archivedOn = (disk: SimulatedDisk) =>
  disk.paths().filter((path) => path.startsWith(`${ARCHIVE}/`));

describe("a journal with archived segments", () => {
  test("reads, continues and is copied as before, the copy without the archive", async () => {
    const { disk, kept, durable } = await compressed();
    const names = namesOn(disk);
    const { segments, bytes } = await archive(disk, durable);
    expect(segments).toBe(names.length - 1);
    expect(namesOn(disk)).toEqual(names);
    expect(linksOn(disk)).toEqual(names.slice(0, -1));
    expect(archivedOn(disk)).toHaveLength(segments);
    const sizes = archivedOn(disk).map((path) => disk.contentOf(path).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(bytes);
    await expectWhole(disk, kept);

    await copyJournal({ from: DIRECTORY, to: "/copy/journal", fileSystem: disk });
    const journal = await open(disk);
    await append(journal, 20);
    const continued = await readAll(journal);
    expect(continued.slice(0, kept.length)).toEqual(kept);
    await journal.close();
    await compress(disk, journal.lastSequence);
    await archive(disk, journal.lastSequence);
    await expectWhole(disk, continued);
    for (const path of archivedOn(disk)) disk.remove(path);
    await expectWhole(disk, kept, "/copy/journal");
  });

  test("has there what ended before the time and the sequence, so many segments at once", async () => {
    const { disk, kept, durable } = await compressed();
    expect((await archive(disk, 1)).segments).toBe(0);
    expect((await archive(disk, durable, { endedBeforeMs: kept[0][1] })).segments).toBe(0);
    const middleMs = kept[kept.length >> 1][1];
    const { segments } = await archive(disk, durable, { endedBeforeMs: middleMs });
    expect(segments).toBeGreaterThan(0);
    expect(segments).toBeLessThan(namesOn(disk).length - 1);
    expect((await archive(disk, durable, { segmentsMax: 1 })).segments).toBe(1);
    expect(linksOn(disk)).toHaveLength(segments + 1);
    await expectWhole(disk, kept);
  });

  test("keeps a segment whose copy is not what was written", async () => {
    const { disk, kept, durable } = await compressed();
    // The disk takes every write, and has other bytes of the first.
    const honest = disk.open.bind(disk);
    disk.open = (path) => {
      const file = honest(path);
      const write = (bytes: Uint8Array, position: number) =>
        file.write(position === 0 ? bytes.map((byte) => byte ^ 1) : bytes, position);
      return { ...file, write };
    };
    await expect(archive(disk, durable)).rejects.toThrow("is not what was written to it");
    disk.open = honest;
    expect(linksOn(disk)).toEqual([]);
    expect(archivedOn(disk)).toEqual([]);
    await expectWhole(disk, kept);
  });

  test("keeps plain segments where they are", async () => {
    const { disk, kept, durable } = await written();
    expect((await archive(disk, durable)).segments).toBe(0);
    await expectWhole(disk, kept);
  });

  test("is refused with the segment's place while the archive is away", async () => {
    const { disk, kept, durable } = await compressed();
    await archive(disk, durable);
    const [lost] = archivedOn(disk);
    const content = disk.contentOf(lost);
    disk.remove(lost);
    await expect(open(disk)).rejects.toThrow(`in the archive, as ${lost}, which cannot be read`);
    disk.put(lost, content);
    await expectWhole(disk, kept);
  });
});

describe("an interruption", () => {
  test.each(["kill", "power"] as const)("by %s at any step loses nothing", async (cause) => {
    const { disk: original, kept, durable } = await compressed();
    let isDone = false;
    for (let step = 0; !isDone; step++) {
      const disk = original.clone();
      let operations = 0;
      disk.fault = () => (operations++ === step ? "crash" : undefined);
      isDone = await archive(disk, durable).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof CrashedError)) throw error;
          return false;
        },
      );
      disk.restart(cause);
      await expectWhole(disk, kept);
      // What is left is done by the next one, which leaves no unfinished file.
      await archive(disk, durable);
      expect(linksOn(disk)).toHaveLength(namesOn(disk).length - 1);
      expect(disk.paths().filter((path) => path.endsWith(".partial"))).toEqual([]);
      await expectWhole(disk, kept);
    }
  });

  test.each<Fault>(["full", "broken", "short"])(
    "by a disk that is %s loses nothing",
    async (fault) => {
      const { disk: original, kept, durable } = await compressed();
      await failAtEachStep(original, fault, {
        act: (disk) => archive(disk, durable),
        check: (disk) => expectWhole(disk, kept),
      });
    },
  );
});

test("on a real disk the link leads to the archive, which may be elsewhere by the next move", async () => {
  const root = mkdtempSync(join(tmpdir(), "openbell-archive-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const directory = join(root, "data/journal");
  const journal = await openFileJournal({ directory, log: silent, segmentBytes: 4096 });
  await append(journal, 50);
  await journal.close();
  const old = { directory, durable: journal.lastSequence, segmentsMax: 100 };
  await compressSegments(old);
  const endedBeforeMs = NEVER_MS;
  const to = (archiveName: string, segmentsMax: number) =>
    archiveSegments({ ...old, segmentsMax, endedBeforeMs, archive: join(root, archiveName) });
  await to("archive", 2);
  await to("other", 100);
  const read = async () => {
    const reopened = await openFileJournal({ directory, readOnly: true });
    const groups = await readAll(reopened);
    await reopened.close();
    return groups.length;
  };
  expect(await read()).toBe(50);
  const links = readdirSync(directory).filter((name) =>
    lstatSync(join(directory, name)).isSymbolicLink(),
  );
  expect(links.length).toBe(readdirSync(directory).length - 1);
  renameSync(join(root, "archive"), join(root, "away"));
  await expect(read()).rejects.toThrow("which cannot be read");
  renameSync(join(root, "away"), join(root, "archive"));
  expect(await read()).toBe(50);
});

test("a segment in an earlier form stays as it is in the archive", async () => {
  const root = mkdtempSync(join(tmpdir(), "openbell-archive-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const directory = join(root, "data/journal");
  const newest = "segment-00000003.journal";
  cpSync("test/golden/compressed", directory, { recursive: true });
  cpSync(join("test/golden/format-1/journal", newest), join(directory, newest));
  const journal = await openFileJournal({ directory, readOnly: true });
  await journal.close();
  const names = readdirSync(directory);
  expect(names.some((name) => name.endsWith(".zst"))).toBe(true);
  const old = { directory, durable: journal.lastSequence, segmentsMax: 9 };
  await archiveSegments({ ...old, endedBeforeMs: NEVER_MS, archive: join(root, "archive") });
  expect((await compressSegments(old)).segments).toBe(0);
  expect(readdirSync(directory)).toEqual(names);
});

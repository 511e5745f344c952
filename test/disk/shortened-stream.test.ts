/** A stream whose oldest messages move to an archive: nothing is lost, whenever that is interrupted. */
import { describe, expect, test } from "vitest";
import {
  JournalDamagedError,
  JournalFencedError,
  JournalShortenedError,
} from "#journal/journal.ts";
import { MessageVerifier } from "#journal/jetstream/message-verifier.ts";
import { type ShortenOptions, shortenStream } from "#journal/jetstream/shorten-stream.ts";
import { StreamArchive } from "#journal/jetstream/stream-archive.ts";
import { subjectsOf } from "#journal/jetstream/stream-rules.ts";
import { firstSequenceOf, positionOf, readTail } from "#journal/jetstream/stream-tail.ts";
import { MemoryStream } from "../support/memory-stream.ts";
import { CrashedError, type Fault, seededRandom, SimulatedDisk } from "./journal-disk.ts";

const ARCHIVE = "/archive";
const SEGMENTS = `${ARCHIVE}/stream-000000c8`;
const GROUPS = 60;
const NEVER_MS = Number.MAX_SAFE_INTEGER;

/** Terms of 25 groups, an empty one, and 35 groups, each a second after the one before. */
function written(): MemoryStream {
  const random = seededRandom(5);
  const stream = new MemoryStream();
  stream.begin(200);
  for (let group = 1; group <= GROUPS; group++) {
    if (group === 26) {
      stream.begin(201);
      stream.begin(202);
    }
    stream.append(
      Uint8Array.from({ length: 100 + random(300) }, () => random(256)),
      group * 1_000,
    );
  }
  return stream;
}

const emptyDisk = () => new SimulatedDisk(seededRandom(7));

const shorten = (
  stream: MemoryStream,
  disk: SimulatedDisk,
  options: Partial<ShortenOptions> = {},
) =>
  shortenStream(stream, {
    archive: ARCHIVE,
    term: 3,
    endedBeforeMs: NEVER_MS,
    proven: GROUPS,
    prove: () => Promise.resolve(),
    segmentsMax: 100,
    segmentBytes: 4096,
    fileSystem: disk,
    ...options,
  });

/** Every record with its sequence and time, from the archive and then from the stream. */
async function readAll(stream: MemoryStream, disk: SimulatedDisk): Promise<string[]> {
  const tail = await readTail(stream.manager, stream.name);
  const found: string[] = [];
  const note = (group: { firstSequence: number; timestampMs: number; records: Uint8Array }) => {
    const { firstSequence, timestampMs, records } = group;
    found.push(`${firstSequence} ${timestampMs} ${Buffer.from(records).toString("base64")}`);
  };
  if (tail.beginning !== undefined) {
    const archive = new StreamArchive(ARCHIVE, tail.beginning, disk);
    expect(archive.gap).toBeUndefined();
    for (const group of archive.read(1)) note(group);
  }
  const { position, end } = await positionOf(
    stream.manager,
    stream.name,
    tail,
    firstSequenceOf(tail),
  );
  const verifier = new MessageVerifier(stream.name, subjectsOf(stream.name), end);
  for await (const message of stream.messages(position)) {
    const group = verifier.take(message);
    if (group !== undefined) note(group);
  }
  return found;
}

const whole = await readAll(written(), emptyDisk());
const archived = (disk: SimulatedDisk) =>
  disk.paths().map((path) => [path, Buffer.from(disk.contentOf(path)).toString("base64")]);

describe("a stream that is shortened", () => {
  test("has everything in front of it in the archive", async () => {
    const [stream, disk] = [written(), emptyDisk()];
    const { segments, bytes, firstSequence } = await shorten(stream, disk);
    expect(segments).toBe(disk.paths().length);
    expect(disk.paths()[0]).toBe(`${SEGMENTS}/segment-00000001.journal.columns`);
    expect(bytes).toBeGreaterThan(1_000);
    expect(firstSequence).toBeGreaterThan(40);
    expect(stream.firstPosition).toBe(firstSequence + 3);
    expect(await readAll(stream, disk)).toEqual(whole);
    // Nothing is left to do.
    expect(await shorten(stream, disk)).toEqual({ segments: 0, bytes: 0, firstSequence });
    const tail = await readTail(stream.manager, stream.name);
    expect(tail.identity).toBe(200);
    expect(tail.end.term).toBe(3);
  });

  test("keeps what is newer than a time, or than the snapshots, and ends segments at the same messages", async () => {
    const [stream, disk] = [written(), emptyDisk()];
    await shorten(stream, disk, { proven: 12 });
    const { beginning } = await readTail(stream.manager, stream.name);
    expect(beginning?.header.firstSequence).toBeLessThanOrEqual(13);
    await shorten(stream, disk, { endedBeforeMs: 31_000 });
    const later = await readTail(stream.manager, stream.name);
    expect(later.beginning?.header.firstSequence).toBeLessThanOrEqual(31);
    expect(later.beginning?.header.firstSequence).toBeGreaterThan(25);
    expect(await readAll(stream, disk)).toEqual(whole);
    for (let step = 0; step < 5; step++) await shorten(stream, disk, { segmentsMax: 1 });
    const [another, all] = [written(), emptyDisk()];
    await shorten(another, all);
    await shorten(stream, disk);
    expect(archived(disk)).toEqual(archived(all));
  });

  test("keeps everything whose snapshot cannot be restored, or that the archive has otherwise", async () => {
    const [stream, disk] = [written(), emptyDisk()];
    const prove = () => Promise.reject(new Error("it is damaged"));
    await expect(shorten(stream, disk, { prove })).rejects.toThrow("it is damaged");
    expect(stream.firstPosition).toBe(1);
    // The snapshots that included what is archived by now are gone.
    await shorten(stream, disk, { proven: 12 });
    expect(stream.firstPosition).toBe(1);
    const [, path] = disk.paths();
    const content = disk.contentOf(path);
    disk.put(
      path,
      content.map((byte, index) => (index === 100 ? byte ^ 1 : byte)),
    );
    await expect(shorten(stream, disk)).rejects.toThrow(JournalDamagedError);
    expect(stream.firstPosition).toBe(1);
    disk.put(path, content);
    // Those of another copy of the journal.
    const other = written();
    other.begin(300);
    const foreign = new MemoryStream();
    foreign.begin(200);
    foreign.begin(900);
    for (let group = 1; group <= GROUPS; group++) foreign.append(Uint8Array.of(group), group);
    await expect(shorten(foreign, disk)).rejects.toThrow("does not continue this archive");
    expect(foreign.firstPosition).toBe(1);
    await shorten(other, disk);
    expect(other.firstPosition).toBeGreaterThan(1);
  });

  test("is read on by who has seen its end before", async () => {
    const [stream, disk] = [written(), emptyDisk()];
    const tail = await readTail(stream.manager, stream.name);
    const { firstSequence } = await shorten(stream, disk);
    const at = (sequence: number) => positionOf(stream.manager, stream.name, tail, sequence);
    for (let sequence = firstSequence; sequence <= GROUPS; sequence++) {
      expect(await at(sequence)).toMatchObject({
        position: sequence + 3,
        end: { nextSequence: sequence },
      });
    }
    await expect(at(firstSequence - 1)).rejects.toThrow(JournalShortenedError);
  });

  test("is refused if another process has removed messages", async () => {
    const [stream, disk] = [written(), emptyDisk()];
    await stream.manager.streams.purge(stream.name, { seq: 3 });
    await expect(readTail(stream.manager, stream.name)).rejects.toThrow("in no archive");
    const [shortened, files] = [written(), emptyDisk()];
    await shorten(shortened, files, { proven: 30 });
    await shortened.manager.streams.purge(stream.name, { seq: shortened.firstPosition + 1 });
    await expect(readTail(shortened.manager, stream.name)).rejects.toThrow("in no archive");
    expect(disk.paths()).toEqual([]);
  });

  test("keeps everything if another stream of its name has been shortened before", async () => {
    const [removed, disk] = [written(), emptyDisk()];
    await shorten(removed, disk);
    const restored = new MemoryStream();
    restored.begin(200);
    for (let group = 1; group <= GROUPS; group++) restored.append(Uint8Array.of(group), group);
    const { value } = await removed.beginnings.read();
    await restored.beginnings.write(value ?? "", 0);
    const before = await readAll(restored, disk);
    await expect(shorten(restored, disk)).rejects.toThrow("does not continue this archive");
    // With the archive moved away.
    const other = emptyDisk();
    await shorten(restored, other, { proven: 5 });
    expect(restored.firstPosition).toBe(1);
    expect(await readAll(restored, other)).toEqual(before);
  });

  test("keeps everything whose archive was moved away after the decision", async () => {
    const [stream, disk] = [written(), emptyDisk()];
    stream.step = (what) => {
      if (what === "purge") throw new CrashedError("the process is gone");
    };
    await expect(shorten(stream, disk)).rejects.toThrow(CrashedError);
    stream.step = () => undefined;
    await shorten(stream, emptyDisk(), { segmentsMax: 1 });
    expect(stream.firstPosition).toBe(1);
    await shorten(stream, disk);
    expect(stream.firstPosition).toBeGreaterThan(40);
    expect(await readAll(stream, disk)).toEqual(whole);
  });

  test("says what of its archive is missing", async () => {
    const [stream, disk] = [written(), emptyDisk()];
    await shorten(stream, disk);
    const { beginning } = await readTail(stream.manager, stream.name);
    if (beginning === undefined) throw new Error("nothing was removed");
    expect(new StreamArchive(undefined, beginning).gap).toBe("none is named");
    const { segments } = beginning;
    const last = disk.paths().at(-1) ?? "";
    disk.remove(last);
    const finding = `${SEGMENTS} has ${segments - 1} of its ${segments} segments`;
    expect(new StreamArchive(ARCHIVE, beginning, disk).gap).toBe(finding);
    await expect(shorten(stream, disk)).rejects.toThrow("does not continue this archive");
  });
});

describe("an interruption", () => {
  test.each(["kill", "power"] as const)("by %s at any step loses nothing", async (cause) => {
    const [originalStream, originalDisk] = [written(), emptyDisk()];
    await shorten(originalStream, originalDisk, { proven: 20 });
    let isDone = false;
    for (let step = 0; !isDone; step++) {
      const [stream, disk] = [originalStream.clone(), originalDisk.clone()];
      let steps = 0;
      disk.fault = () => (steps++ === step ? "crash" : undefined);
      stream.step = () => {
        if (steps++ === step) throw new CrashedError("the process is gone");
      };
      isDone = await shorten(stream, disk).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof CrashedError)) throw error;
          return false;
        },
      );
      disk.restart(cause);
      stream.step = () => undefined;
      expect(await readAll(stream, disk)).toEqual(whole);
      // The next leader does the rest; afterwards the power may fail at any time.
      await shorten(stream, disk, { term: 4 });
      expect(disk.paths().filter((path) => path.endsWith(".partial"))).toEqual([]);
      disk.restart("power");
      expect(await readAll(stream, disk)).toEqual(whole);
      const { beginning } = await readTail(stream.manager, stream.name);
      expect(stream.firstPosition).toBe(beginning?.position);
    }
  });

  test("after a segment has its name has the name on the disk before anything is removed", async () => {
    const [stream, disk] = [written(), emptyDisk()];
    const prove = () => Promise.reject(new Error("not yet"));
    await expect(shorten(stream, disk, { prove })).rejects.toThrow("not yet");
    const steps: string[] = [];
    const flush = disk.flushDirectory.bind(disk);
    disk.flushDirectory = async (directory) => {
      await flush(directory);
      steps.push(directory);
    };
    stream.step = (what) => void steps.push(what);
    await shorten(stream, disk);
    expect(steps).toEqual([SEGMENTS, ARCHIVE, "begin", "begun", "purge", "purged"]);
  });

  test.each<Fault>(["full", "broken", "short"])(
    "by a disk that is %s loses nothing",
    async (fault) => {
      for (let step = 0, isDone = false; !isDone; step++) {
        const [stream, disk] = [written(), emptyDisk()];
        let operations = 0;
        disk.fault = () => (operations++ === step ? fault : undefined);
        isDone = await shorten(stream, disk).then(
          () => operations <= step,
          () => false,
        );
        disk.fault = () => undefined;
        disk.restart("power");
        expect(await readAll(stream, disk)).toEqual(whole);
        await shorten(stream, disk);
        expect(await readAll(stream, disk)).toEqual(whole);
      }
    },
  );
});

describe("a leader that was paused", () => {
  /** Pauses the first of two at its nth step, lets the second do everything, and the first go on. */
  async function pausedAt(step: number, archive: string) {
    const [stream, disk] = [written(), emptyDisk()];
    const paused = Promise.withResolvers<void>();
    const resumed = Promise.withResolvers<void>();
    let steps = 0;
    stream.step = async () => {
      if (steps++ !== step) return;
      paused.resolve();
      await resumed.promise;
    };
    const first = shorten(stream, disk, { term: 3, archive, proven: 40 }).then(
      () => undefined,
      (error: unknown) => error,
    );
    await Promise.race([paused.promise, first]);
    const wasPaused = steps > step;
    stream.step = () => undefined;
    const second = await shorten(stream, disk, { term: 4 }).catch((error: unknown) => error);
    resumed.resolve();
    const outcome = await first;
    return { stream, disk, outcome, second, wasPaused };
  }

  test("removes nothing that the archive of its successor lacks", async () => {
    for (let step = 0, wasPaused = true; wasPaused; step++) {
      const paused = await pausedAt(step, ARCHIVE);
      wasPaused = paused.wasPaused;
      const { stream, disk, outcome, second } = paused;
      if (outcome !== undefined) expect(outcome).toBeInstanceOf(JournalFencedError);
      expect(second).not.toBeInstanceOf(Error);
      expect(await readAll(stream, disk)).toEqual(whole);
    }
  });

  test("decides nothing once its successor archives elsewhere", async () => {
    // Before its own decision, at the second change after its claim.
    const { stream, disk, outcome, second } = await pausedAt(2, "/another");
    expect(outcome).toBeInstanceOf(JournalFencedError);
    expect(second).not.toBeInstanceOf(Error);
    expect(await readAll(stream, disk)).toEqual(whole);
    await expect(shorten(stream, disk, { term: 3 })).rejects.toThrow(JournalFencedError);
  });
});

/**
 * An exchange with its journal and its snapshots on a disk that fails in every way it can. Whatever
 * happens, one of two things is true afterwards: everything that was acknowledged is there and the
 * state is the one that the whole journal leads to, or the start is refused and says why.
 *
 * SIMULATION_RUNS multiplies the number of seeds; a seed that failed is printed, and kept in
 * KEPT_SEEDS from then on.
 */
import { assert, asyncProperty, nat, sample } from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeCommand } from "#engine/formats/command-codec.ts";
import { createEngine, type Engine, restoreEngine } from "#engine/engine.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import { type Journal, JournalDamagedError, RECORD_PREFIX_BYTES } from "#journal/journal.ts";
import { type Snapshot, SnapshotDamagedError, SnapshotFiles } from "#journal/snapshot-files.ts";
import { replayJournal } from "#server/exchange/replay.ts";
import { restoreNewest } from "#server/exchange/snapshots/restore-snapshot.ts";
import { Sequencer } from "#server/exchange/sequencer.ts";
import { opening, steps } from "../engine/commands.ts";
import {
  CrashedError,
  type Fault,
  type Operation,
  type Random,
  seededRandom,
  SimulatedDisk,
} from "./journal-disk.ts";
import { runs } from "../support/run-counts.ts";

const JOURNAL = "/data/journal";
const SNAPSHOTS = "/data/snapshots";
/** Seeds that failed once. */
const KEPT_SEEDS: [number][] = [[21]];
const PROGRAM = "this one";
const FORMATS = "these formats";

/** What is asked of the exchange, encoded; the same in every run. */
const COMMANDS: Uint8Array[] = [
  ...opening(2 ** 40, 2 ** 36).map((command) => framed(encodeCommand(command, ""))),
  ...sample(steps("tight", 60), { seed: 3, numRuns: 30 })
    .flat()
    .map(({ command, idempotencyKey }) => framed(encodeCommand(command, idempotencyKey))),
];

function framed(record: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(RECORD_PREFIX_BYTES + record.length);
  new DataView(bytes.buffer).setUint32(0, record.length, true);
  bytes.set(record, RECORD_PREFIX_BYTES);
  return bytes;
}

interface Logged {
  readonly warnings: string[];
  readonly log: { info(): void; warn(fields: object, message: string): void };
}

function logged(): Logged {
  const warnings: string[] = [];
  return { warnings, log: { info: () => undefined, warn: (_, text) => void warnings.push(text) } };
}

interface Started {
  readonly journal: Journal;
  readonly engine: Engine;
  readonly files: SnapshotFiles;
  /** Where the snapshot that it continued from was taken; 0 without one. */
  readonly continuedFrom: number;
  readonly warnings: readonly string[];
}

async function start(disk: SimulatedDisk): Promise<Started> {
  const { warnings, log } = logged();
  const journal = await openFileJournal({
    directory: JOURNAL,
    log,
    segmentBytes: 4096,
    fileSystem: disk,
  });
  const files = new SnapshotFiles(SNAPSHOTS, disk);
  files.createDirectory();
  files.removeRemains();
  const restored = restoreNewest({
    files,
    journal,
    isJournalWhole: true,
    program: PROGRAM,
    formats: FORMATS,
    sequenceMax: Infinity,
    log,
  });
  const engine = restored?.engine ?? createEngine();
  const continuedFrom = engine.sequence;
  for await (const _ of replayJournal(journal, engine));
  return { journal, engine, files, continuedFrom, warnings };
}

/** The state hash that the first commands lead to, by their count. */
async function hashOfWholeJournal(journal: Journal): Promise<string> {
  const engine = createEngine();
  for await (const _ of replayJournal(journal, engine));
  return engine.stateHash();
}

function snapshotOf({ engine, journal }: Started): Snapshot {
  return {
    sequence: engine.sequence,
    timestampMs: engine.timestampMs,
    journal: journal.identity,
    program: PROGRAM,
    formats: FORMATS,
    engine: engine.snapshot(),
    readModels: new Uint8Array([1, 2, 3]),
  };
}

/**
 * Trades and takes snapshots until the disk stops it or `turns` have passed.
 * @returns how many commands were acknowledged.
 */
async function run(started: Started, random: Random, turns: number): Promise<number> {
  const { engine, files, journal } = started;
  let acknowledged = engine.sequence;
  let hasStopped = false;
  let timestampMs = engine.timestampMs;
  const sequencer = new Sequencer({
    engine,
    journal,
    now: () => (timestampMs += 1000),
    output: {
      release: ({ firstSequence, count }) => (acknowledged = firstSequence + count - 1),
      await: () => undefined,
      stop: () => (hasStopped = true),
    },
  });
  let asked = engine.sequence;
  for (let turn = 0; turn < turns && !hasStopped; turn++) {
    for (let count = random(6); count >= 0; count--) {
      sequencer.submit(COMMANDS[asked++ % COMMANDS.length]);
    }
    await Promise.race([
      new Promise<void>((resolve) => sequencer.whenDurable(resolve)),
      new Promise<void>((resolve) => {
        const look = () => (hasStopped ? resolve() : void setImmediate(look));
        look();
      }),
    ]);
    if (hasStopped || random(6) > 0) continue;
    // A snapshot that fails harms nothing: trading continues, unless the process itself is gone.
    const isGone = await files
      .write(snapshotOf(started), () => undefined)
      .then(
        () => false,
        (error: unknown) => error instanceof CrashedError,
      );
    if (isGone) break;
  }
  return acknowledged;
}

async function expectWhole(disk: SimulatedDisk, acknowledged: number): Promise<Started> {
  const started = await start(disk);
  expect(started.engine.sequence).toBeGreaterThanOrEqual(acknowledged);
  expect(started.engine.stateHash()).toBe(await hashOfWholeJournal(started.journal));
  started.engine.read.checkInvariants();
  return started;
}

describe("whatever the disk does", () => {
  test("crashes lose nothing acknowledged, at whatever moment", { timeout: 600_000 }, async () => {
    let continued = 0;
    await assert(
      asyncProperty(nat(), async (seed) => {
        const random = seededRandom(seed);
        const disk = new SimulatedDisk(random);
        let acknowledged = 0;
        for (let round = 0; round < 5; round++) {
          let started: Started;
          try {
            let operationsLeft = random(120);
            disk.fault = () => (operationsLeft-- === 0 ? "crash" : undefined);
            started = await start(disk);
            expect(started.engine.sequence).toBeGreaterThanOrEqual(acknowledged);
            acknowledged = await run(started, random, 25);
          } catch (error) {
            const cause = error instanceof Error && error.cause ? error.cause : error;
            if (!(cause instanceof CrashedError)) throw error;
          }
          disk.restart(random(2) === 0 ? "kill" : "power");
          const { continuedFrom, engine, warnings } = await expectWhole(disk, acknowledged);
          acknowledged = engine.sequence;
          if (continuedFrom > 0) continued += 1;
          // What counts as a snapshot is whole, whenever the crash came.
          expect(warnings.filter((text) => text.includes("snapshot"))).toEqual([]);
        }
      }),
      { numRuns: runs(150), examples: KEPT_SEEDS },
    );
    // Without these the test would have shown nothing of snapshots.
    expect(continued).toBeGreaterThan(20);
  });

  test(
    "failed, short and slow writes stop it or cost a snapshot",
    { timeout: 600_000 },
    async () => {
      const faults: Fault[] = ["full", "broken", "short"];
      await assert(
        asyncProperty(nat(), async (seed) => {
          const random = seededRandom(seed);
          const disk = new SimulatedDisk(random);
          const started = await start(disk);
          const fault = faults[random(3)];
          const isFor = random(3) === 0 ? Infinity : 1 + random(3);
          let operationsLeft = random(120);
          disk.fault = (operation) => {
            operationsLeft -= 1;
            if (operationsLeft > 0 || operationsLeft <= -isFor) return undefined;
            return fault === "short" && operation !== "write" ? "broken" : fault;
          };
          const acknowledged = await run(started, random, 40);
          disk.restart(random(2) === 0 ? "kill" : "power");
          const again = await expectWhole(disk, acknowledged);
          // What a start has shown is acknowledged, whatever the failed flush left in the cache only.
          const shown = random(2) === 0 ? again.engine.sequence : await run(again, random, 3);
          disk.restart("power");
          await expectWhole(disk, shown);
        }),
        { numRuns: runs(150), examples: KEPT_SEEDS },
      );
    },
  );

  test(
    "rot in a snapshot costs time, rot in the journal is named",
    { timeout: 600_000 },
    async () => {
      let passedOver = 0;
      let refused = 0;
      await assert(
        asyncProperty(nat(), async (seed) => {
          const random = seededRandom(seed);
          const disk = new SimulatedDisk(random);
          const acknowledged = await run(await start(disk), random, 40);
          const paths = disk.paths();
          const path = paths[random(paths.length)];
          const bytes = disk.contentOf(path);
          if (bytes.length === 0) return;
          const used = bytes.findLastIndex((byte) => byte !== 0) + 1;
          bytes[random(used)] ^= 1 << random(8);
          disk.put(path, bytes);
          try {
            const { warnings } = await expectWhole(disk, acknowledged);
            passedOver += warnings.filter(
              (text) => text === "passed over a damaged snapshot",
            ).length;
          } catch (error) {
            if (!(error instanceof JournalDamagedError)) throw error;
            expect(error.file).toBe(path);
            refused += 1;
          }
        }),
        { numRuns: runs(150, 1), examples: KEPT_SEEDS },
      );
      expect(passedOver).toBeGreaterThan(0);
      expect(refused).toBeGreaterThan(0);
    },
  );
});

describe("a snapshot that is interrupted", () => {
  /** Every change of the disk that writing a third snapshot makes, in order. */
  const POINTS: readonly Operation[] = [
    "flushDirectory", // of the data directory
    "createZeroed", // of the partial file
    "write", // what it is of
    "flush",
    "write", // the engine
    "flush",
    "write", // the read models
    "flush",
    "rename", // from here on it counts
    "flushDirectory",
    "remove", // of the oldest
    "flushDirectory",
  ];

  /** Two snapshots, more commands, and the disk as it is then. */
  async function prepared() {
    const random = seededRandom(4);
    const disk = new SimulatedDisk(random);
    const started = await start(disk);
    const sequences: number[] = [];
    for (let count = 0; count < 3; count++) {
      await run(started, (limit) => (limit === 6 ? 5 : random(limit)), 10);
      if (count === 2) break;
      await started.files.write(snapshotOf(started), () => undefined);
      sequences.push(started.engine.sequence);
    }
    return { disk, started, sequences };
  }

  test("passes the points that are tried below", async () => {
    const { disk, started } = await prepared();
    const met: Operation[] = [];
    disk.fault = (operation) => void met.push(operation);
    await started.files.write(snapshotOf(started), () => undefined);
    expect(met).toEqual(POINTS);
  });

  for (const [at, operation] of POINTS.entries()) {
    for (const cause of ["kill", "power"] as const) {
      test(`by a crash (${cause}) in step ${at + 1}, ${operation}, leaves a start what it needs`, async () => {
        const { disk, started, sequences } = await prepared();
        const acknowledged = started.engine.sequence;
        let left = at;
        disk.fault = () => (left-- === 0 ? "crash" : undefined);
        const written = started.files.write(snapshotOf(started), () => undefined);
        await expect(written).rejects.toThrow(CrashedError);
        disk.restart(cause);
        const { continuedFrom, warnings } = await expectWhole(disk, acknowledged);
        expect([sequences[1], acknowledged]).toContain(continuedFrom);
        if (at < POINTS.indexOf("rename")) expect(continuedFrom).toBe(sequences[1]);
        expect(warnings).toEqual([]);
        expect(disk.paths().filter((path) => path.endsWith(".partial"))).toEqual([]);
      });
    }
    test(`by an error in step ${at + 1}, ${operation}, says so and harms nothing`, async () => {
      const { disk, started, sequences } = await prepared();
      let left = at;
      disk.fault = () => (left-- === 0 ? "full" : undefined);
      const written = started.files.write(snapshotOf(started), () => undefined);
      await expect(written).rejects.toThrow("ENOSPC");
      // What it took of a full disk, the journal needs.
      expect(disk.paths().filter((path) => path.endsWith(".partial"))).toEqual([]);
      const acknowledged = await run(started, seededRandom(9), 5);
      expect(acknowledged).toBeGreaterThan(sequences[1]);
      await expectWhole(disk, acknowledged);
    });
  }

  test("or proved wrong does not count, and the ones before it stay", async () => {
    const { disk, started, sequences } = await prepared();
    const refuse = () => {
      throw new Error("it is not what it should be");
    };
    await expect(started.files.write(snapshotOf(started), refuse)).rejects.toThrow("not what it");
    expect(started.files.sequences()).toEqual(sequences.toReversed());
    const { continuedFrom } = await expectWhole(disk, started.engine.sequence);
    expect(continuedFrom).toBe(sequences[1]);
  });
});

test("every bit of a snapshot counts", async () => {
  const disk = new SimulatedDisk(seededRandom(1));
  const files = new SnapshotFiles(SNAPSHOTS, disk);
  const snapshot: Snapshot = {
    sequence: 7,
    timestampMs: 8,
    journal: 9,
    program: "prögram",
    formats: "förmats",
    engine: new Uint8Array([1, 2, 3, 0]),
    readModels: new Uint8Array([0, 5]),
  };
  await files.write(snapshot, (written) => expect(written).toEqual(snapshot));
  expect(files.read(7)).toEqual(snapshot);
  const path = files.pathOf(7);
  const bytes = disk.contentOf(path);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = bytes.slice();
    flipped[bit >> 3] ^= 1 << (bit & 7);
    disk.put(path, flipped);
    expect(() => files.read(7)).toThrow(SnapshotDamagedError);
  }
  for (let length = 0; length < bytes.length; length++) {
    disk.put(path, bytes.subarray(0, length));
    expect(() => files.read(7)).toThrow(SnapshotDamagedError);
  }
});

test("a snapshot within a group is followed by the rest of the group", async () => {
  const disk = new SimulatedDisk(seededRandom(1));
  const { journal } = await start(disk);
  for (const [from, to] of [
    [0, 30],
    [30, 60],
  ]) {
    const records = Buffer.concat(COMMANDS.slice(from, to));
    await journal.append({ firstSequence: from + 1, count: to - from, timestampMs: 5, records });
  }
  const whole = await hashOfWholeJournal(journal);
  for (let at = 0; at <= 60; at++) {
    const first = createEngine();
    for await (const _ of replayJournal(journal, first, at));
    expect(first.sequence).toBe(at);
    const continued = restoreEngine(first.snapshot());
    const sequences: number[] = [];
    for await (const { firstSequence, count } of replayJournal(journal, continued)) {
      sequences.push(firstSequence, count);
    }
    expect(sequences).toEqual(at === 60 ? [] : [at + 1, 60 - at]);
    expect(continued.stateHash()).toBe(whole);
  }
});

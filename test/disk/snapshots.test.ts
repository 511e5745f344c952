/**
 * Snapshots of a whole exchange on a real disk: written beside the running engine, taken back by a
 * start, and never believed where they are not what they should be.
 */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath, kill, pid, platform } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Command } from "#engine/commands.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { SnapshotFiles } from "#journal/snapshot-files.ts";
import { SEGMENT_BYTES_MIN } from "#server/exchange/engine-messages.ts";
import type { Exchange } from "#server/exchange/exchange.ts";
import { ExchangeStoppedError } from "#server/exchange/exchange-errors.ts";
import {
  journalDirectoryOf,
  openExchange,
  snapshotDirectoryOf,
} from "#server/exchange/open-exchange.ts";
import { type SnapshotOptions, Snapshots } from "#server/exchange/snapshots/snapshots.ts";
import { createReadModels } from "#server/read-models.ts";
import { opening, steps } from "../engine/commands.ts";
import type { ToldByProcess } from "./snapshots-telling-read-models.ts";

/** SCHED_IDLE in the Linux kernel's include/uapi/linux/sched.h. */
const IDLE = 5;

const READ_MODELS = new URL("../../src/server/read-models.ts", import.meta.url);
const EVERY_COMMANDS = 300;

let dataDir: string;
const opened: Exchange[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "openbell-snapshots-"));
});

afterEach(async () => {
  for (const exchange of opened.splice(0)) await exchange.close();
  rmSync(dataDir, { recursive: true });
});

interface Run {
  readonly exchange: Exchange;
  readonly events: ExchangeEvent[];
  readonly readModels: ReturnType<typeof createReadModels>;
  readonly restored: number[];
  /** Messages and what they were about. */
  readonly logged: { message: string; fields: Record<string, unknown> }[];
}

async function start(
  snapshots: Partial<SnapshotOptions> = {},
  directory = dataDir,
  segmentBytes?: number,
): Promise<Run> {
  const events: ExchangeEvent[] = [];
  const logged: Run["logged"] = [];
  const restored: number[] = [];
  const readModels = createReadModels();
  const log = (fields: object, message: string) =>
    void logged.push({ message, fields: fields as Record<string, unknown> });
  const exchange = await openExchange({
    dataDir: directory,
    segmentBytes,
    onEvents(batch) {
      events.push(...batch);
      readModels.fold(batch);
    },
    snapshots: {
      everyCommands: EVERY_COMMANDS,
      busyShareMax: 1,
      readModelsModule: READ_MODELS,
      restore(state, sequence) {
        restored.push(sequence);
        readModels.restore(state);
      },
      ...snapshots,
    },
    log: { info: log, warn: log, error: log },
  });
  opened.push(exchange);
  return { exchange, events, readModels, restored, logged };
}

async function close(run: Run): Promise<void> {
  opened.splice(opened.indexOf(run.exchange), 1);
  await run.exchange.close();
}

async function submit(run: Run, commands: readonly Command[]): Promise<void> {
  for (let from = 0; from < commands.length; from += 40) {
    const group = commands.slice(from, from + 40);
    await Promise.all(group.map((command) => run.exchange.submit(command)));
  }
}

const randomCommands = (seed: number): Command[] =>
  fc
    .sample(steps("tight", 60), { seed, numRuns: 40 })
    .flat()
    .slice(0, 2 * EVERY_COMMANDS)
    .map(({ command }) => command);

async function until(isMet: () => boolean): Promise<void> {
  for (let looks = 0; !isMet(); looks++) {
    if (looks === 12_000) throw new Error("it did not come to that");
    await delay(10);
  }
}

/** The shells of this process that start those which take snapshots, as Linux's /proc has them. */
function startersOf(parent: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((process) => {
      try {
        const stat = readFileSync(`/proc/${process}/stat`, "utf8");
        const [, itsParent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const command = readFileSync(`/proc/${process}/cmdline`, "utf8");
        return Number(itsParent) === parent && command.includes("snapshot-process");
      } catch {
        // No process, or one that has since ended.
        return false;
      }
    });
}

async function snapshotWritten(run: Run, count: number): Promise<void> {
  const written = () => run.logged.filter(({ message }) => message === "wrote a snapshot").length;
  await until(() => {
    const refused = run.logged.find(({ message }) => message.startsWith("no snapshot"));
    if (refused !== undefined) throw new Error(JSON.stringify(refused));
    return written() >= count;
  });
}

const kept = mkdtempSync(join(tmpdir(), "openbell-snapshots-"));
let keptRun: ReturnType<typeof makeTwoSnapshots> | undefined;
afterAll(() => rmSync(kept, { recursive: true }));

/** An exchange that has two snapshots, closed; and what it had come to. Each test has a copy of the same. */
async function withTwoSnapshots() {
  keptRun ??= makeTwoSnapshots(kept);
  const made = await keptRun;
  cpSync(kept, dataDir, { recursive: true });
  const files = new SnapshotFiles(snapshotDirectoryOf(dataDir));
  const [newest, older] = files.sequences();
  return { ...made, files, newest, older };
}

async function makeTwoSnapshots(directory: string) {
  const run = await start({}, directory);
  await submit(run, [...opening(2 ** 40, 2 ** 36), ...randomCommands(1)]);
  await snapshotWritten(run, 1);
  await submit(run, randomCommands(2));
  await snapshotWritten(run, 2);
  await submit(run, randomCommands(3).slice(0, 100));
  const state = await run.exchange.stateHash();
  await close(run);
  expect(run.logged.map(({ message }) => message)).toEqual([
    "started an empty journal",
    "the exchange has recovered its journal",
    "wrote a snapshot",
    "wrote a snapshot",
  ]);
  return { run, state };
}

/** A start must come to the same state, whatever it started from. */
async function expectSame(run: Run, before: Awaited<ReturnType<typeof withTwoSnapshots>>) {
  expect(await run.exchange.stateHash()).toEqual(before.state);
  expect(run.readModels.state()).toEqual(before.run.readModels.state());
}

function flipByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] ^= 4;
  writeFileSync(path, bytes);
}

describe("a start", () => {
  test("continues from the newest snapshot with the events behind it", async () => {
    const before = await withTwoSnapshots();
    const run = await start();
    expect(run.restored).toEqual([before.newest]);
    expect(run.events[0].sequence).toBe(before.newest + 1);
    const suffix = before.run.events.filter(({ sequence }) => sequence > before.newest);
    expect(run.events).toEqual(suffix);
    await expectSame(run, before);
    // And it continues as the one before would have, snapshots included.
    await submit(run, randomCommands(4));
    await snapshotWritten(run, 1);
    const state = await run.exchange.stateHash();
    await close(run);
    rmSync(snapshotDirectoryOf(dataDir), { recursive: true });
    const replayed = await start();
    expect(replayed.restored).toEqual([]);
    expect(await replayed.exchange.stateHash()).toEqual(state);
    expect(replayed.readModels.state()).toEqual(run.readModels.state());
  });

  test("passes over a damaged snapshot and takes the older one, then the journal alone", async () => {
    const before = await withTwoSnapshots();
    flipByte(before.files.pathOf(before.newest), 5000);
    const second = await start();
    expect(second.restored).toEqual([before.older]);
    expect(second.logged).toContainEqual(
      expect.objectContaining({ message: "passed over a damaged snapshot" }),
    );
    await expectSame(second, before);
    await close(second);

    truncateSync(before.files.pathOf(before.older), 2000);
    const third = await start();
    expect(third.restored).toEqual([]);
    expect(third.events[0].sequence).toBe(1);
    await expectSame(third, before);
  });

  test("continues from a snapshot that other code wrote in the same formats", async () => {
    const before = await withTwoSnapshots();
    const snapshot = before.files.read(before.newest);
    await before.files.write({ ...snapshot, program: "another" }, () => undefined);
    const run = await start();
    expect(run.restored).toEqual([before.newest]);
    await expectSame(run, before);
    await submit(run, randomCommands(4));
    await snapshotWritten(run, 1);
  });

  test("proves what other code wrote before it believes it", async () => {
    const before = await withTwoSnapshots();
    const snapshot = before.files.read(before.newest);
    // Whole and of these formats, but not the state that its hash speaks of.
    const engine = snapshot.engine.slice();
    engine[engine.length - 1] ^= 1;
    await before.files.write({ ...snapshot, program: "another", engine }, () => undefined);
    const run = await start();
    expect(run.restored).toEqual([before.older]);
    expect(run.logged).toContainEqual(
      expect.objectContaining({ message: "passed over a damaged snapshot" }),
    );
    await expectSame(run, before);
  });

  test("takes no snapshot of other formats or rules", async () => {
    const before = await withTwoSnapshots();
    for (const sequence of before.files.sequences()) {
      const snapshot = before.files.read(sequence);
      await before.files.write({ ...snapshot, formats: "others" }, () => undefined);
    }
    const run = await start();
    expect(run.restored).toEqual([]);
    expect(run.logged.map(({ fields }) => fields.reason)).toContainEqual(
      expect.stringMatching(/^it has others; this program reads engine state \d+, engine rules/),
    );
    await expectSame(run, before);
    // The next one is taken behind everything that was recovered, and theirs are in no way.
    await submit(run, randomCommands(4));
    await snapshotWritten(run, 1);
    await close(run);
    const again = await start();
    expect(again.restored[0]).toBeGreaterThan(before.state.sequence);
  });

  test("takes no snapshot of another journal", async () => {
    const before = await withTwoSnapshots();
    const other = mkdtempSync(join(tmpdir(), "openbell-snapshots-"));
    try {
      const small = await start({}, other);
      await submit(small, opening(2 ** 30, 2 ** 30));
      await close(small);
      rmSync(snapshotDirectoryOf(other), { recursive: true });
      renameSync(snapshotDirectoryOf(dataDir), snapshotDirectoryOf(other));
      const run = await start({}, other);
      expect(run.restored).toEqual([]);
      expect(run.readModels.state()).toEqual(small.readModels.state());
      expect(run.logged.map(({ message }) => message)).toContain(
        "passed over a snapshot of another journal",
      );
      await close(run);
    } finally {
      rmSync(other, { recursive: true });
    }
    expect(before.newest).toBeGreaterThan(0);
  });

  test("takes no snapshot that its readers have not reached", async () => {
    const before = await withTwoSnapshots();
    const run = await start({ usableSequence: () => before.newest - 1 });
    expect(run.restored).toEqual([before.older]);
    await expectSame(run, before);
  });

  test("is refused where the journal ends before the snapshot: acknowledged commands are gone", async () => {
    const before = await withTwoSnapshots();
    const whole = readdirSync(journalDirectoryOf(dataDir));
    expect(whole).toEqual(["segment-00000001.journal"]);
    // The journal as it was before most of it came in: everything behind its first groups is zero.
    const path = join(journalDirectoryOf(dataDir), whole[0]);
    const bytes = readFileSync(path);
    bytes.fill(0, 8192);
    writeFileSync(path, bytes);
    const refused = await start().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ExchangeStoppedError);
    expect(String(refused)).toContain(`taken at sequence ${before.newest}`);
  });
});

describe("writing", () => {
  test("keeps the two newest and removes what an interruption left", async () => {
    const before = await withTwoSnapshots();
    const directory = snapshotDirectoryOf(dataDir);
    writeFileSync(join(directory, "snapshot-1.partial"), "half");
    const run = await start();
    expect(readdirSync(directory)).toHaveLength(2);
    await submit(run, randomCommands(4));
    await snapshotWritten(run, 1);
    const sequences = before.files.sequences();
    expect(sequences).toHaveLength(2);
    expect(sequences[1]).toBe(before.newest);
    expect(sequences[0]).toBeGreaterThan(before.newest);
  });

  test("compresses and archives the segments before it, where it is asked to, and a start reads them", async () => {
    const archive = mkdtempSync(join(tmpdir(), "openbell-archive-"));
    onTestFinished(() => rmSync(archive, { recursive: true }));
    const asked = {
      // Few, for each is a process that runs when nothing else wants to.
      everyCommands: 10 * EVERY_COMMANDS,
      compressesJournal: true,
      archive: { directory: archive, afterMs: 0 },
    };
    const run = await start(asked, dataDir, SEGMENT_BYTES_MIN);
    const segments = () => readdirSync(journalDirectoryOf(dataDir));
    await submit(run, opening(2 ** 40, 2 ** 36));
    for (let seed = 1; !segments().includes("segment-00000004.journal"); seed++) {
      await submit(run, randomCommands(seed));
    }
    await until(() => segments().filter((name) => name.endsWith(".columns")).length >= 2);
    const archived = "moved segments of the journal to the archive";
    await until(() => run.logged.some(({ message }) => message === archived));
    expect(run.logged.map(({ message }) => message)).toContain(
      "compressed segments of the journal",
    );
    const [own] = readdirSync(archive);
    expect(readdirSync(join(archive, own))).toContain("segment-00000001.journal.columns");
    expect(existsSync(join(journalDirectoryOf(dataDir), "segment-00000001.journal"))).toBe(false);
    const state = await run.exchange.stateHash();
    await close(run);
    rmSync(snapshotDirectoryOf(dataDir), { recursive: true });
    const replayed = await start();
    expect(replayed.restored).toEqual([]);
    expect(await replayed.exchange.stateHash()).toEqual(state);
    expect(replayed.readModels.state()).toEqual(run.readModels.state());
  });

  test("waits until the readers have reached the place", async () => {
    let usable = 0;
    const run = await start({ usableSequence: () => usable });
    await submit(run, [...opening(2 ** 40, 2 ** 36), ...randomCommands(1)]);
    await delay(100);
    expect(run.logged.map(({ message }) => message)).not.toContain("wrote a snapshot");
    usable = run.exchange.health().sequence;
    await submit(run, randomCommands(2).slice(0, 1));
    await snapshotWritten(run, 1);
    const written = run.logged.find(({ message }) => message === "wrote a snapshot");
    expect(written?.fields.sequence).toBeLessThanOrEqual(usable);
  });

  test("says so when the read models contradict the engine, and writes nothing", async () => {
    const lying = new URL("./snapshots-lying-read-models.ts", import.meta.url);
    const run = await start({ readModelsModule: lying });
    await submit(run, [...opening(2 ** 40, 2 ** 36), ...randomCommands(1)]);
    await until(() => run.logged.some(({ message }) => message.startsWith("no snapshot")));
    expect(run.logged).toContainEqual({
      message: "no snapshot was written; the journal has it all",
      fields: expect.objectContaining({ reason: "these read models lie" }),
    });
    expect(new SnapshotFiles(snapshotDirectoryOf(dataDir)).sequences()).toEqual([]);
    expect(run.exchange.health().status).toBe("ok");
  });

  test("ends a process that takes too long, and tries again later", async () => {
    const hanging = new URL("./snapshots-hanging-read-models.ts", import.meta.url);
    const run = await start({ readModelsModule: hanging, tookMsMax: 2_000 });
    const refused = () => run.logged.filter(({ message }) => message.startsWith("no snapshot"));
    await submit(run, [...opening(2 ** 40, 2 ** 36), ...randomCommands(1)]);
    await until(() => refused().length === 1);
    expect(refused()[0].fields.reason).toBe("its process ended with SIGKILL");
    await submit(run, randomCommands(2));
    await until(() => refused().length === 2);
    expect(run.exchange.health().status).toBe("ok");
  });

  test("says so when its process is killed, and the exchange continues", async () => {
    const dying = new URL("./snapshots-dying-read-models.ts", import.meta.url);
    const run = await start({ readModelsModule: dying });
    await submit(run, [...opening(2 ** 40, 2 ** 36), ...randomCommands(1)]);
    await until(() => run.logged.some(({ message }) => message.startsWith("no snapshot")));
    expect(run.logged).toContainEqual({
      message: "no snapshot was written; the journal has it all",
      fields: expect.objectContaining({ reason: "its process ended with SIGKILL" }),
    });
    await submit(run, randomCommands(2).slice(0, 10));
    expect(run.exchange.health().status).toBe("ok");
  });

  test.runIf(platform === "linux")(
    "continues after the shell that starts its processes was killed",
    async () => {
      // Those of exchanges that were closed just now are gone first.
      await until(() => startersOf(pid).length === 0);
      const run = await start();
      const [starter] = startersOf(pid);
      kill(starter, "SIGKILL");
      await until(() => startersOf(pid).length === 0);
      await submit(run, [...opening(2 ** 40, 2 ** 36), ...randomCommands(1)]);
      await snapshotWritten(run, 1);
      expect(startersOf(pid)).toHaveLength(1);
    },
  );

  test.runIf(platform === "linux")(
    "is behind all others with all its threads, and the first to go where memory is short",
    async () => {
      const telling = new URL("./snapshots-telling-read-models.ts", import.meta.url);
      const run = await start({ readModelsModule: telling });
      await submit(run, [...opening(2 ** 40, 2 ** 36), ...randomCommands(1)]);
      await until(() => run.logged.some(({ message }) => message.startsWith("no snapshot")));
      const reason = run.logged.find(({ fields }) => fields.reason !== undefined)?.fields.reason;
      const { threads, outOfMemoryScore, execArgv } = JSON.parse(String(reason)) as ToldByProcess;
      expect(execArgv).toContain("--single-threaded");
      expect(outOfMemoryScore).toBe(1000);
      expect(threads.length).toBeGreaterThan(1);
      const hasChrt = spawnSync("chrt", ["--version"]).status === 0;
      for (const { nicety, policy } of threads) {
        expect(nicety).toBe(19);
        if (hasChrt) expect(policy).toBe(IDLE);
      }
    },
  );

  test.runIf(platform === "linux")("says so when no file can be opened any more", () => {
    const script = fileURLToPath(new URL("./snapshots-without-descriptors.ts", import.meta.url));
    const command = `ulimit -n 64; exec "${execPath}" "${script}"`;
    const { status, stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
    expect(stdout).toContain("EMFILE");
    expect(status).toBe(0);
  });

  /** Has a snapshot taken behind a command that was refused in the run, and not in its journal. */
  async function takenBehindARefusal(
    before: Awaited<ReturnType<typeof withTwoSnapshots>>,
    program: string,
  ) {
    const warned: object[] = [];
    const differences: Error[] = [];
    const buffer = new EventBuffer();
    buffer.begin(before.newest + 1, 1);
    buffer.commandRejected("unknownOrder");
    const snapshots = new Snapshots({
      journal: journalDirectoryOf(dataDir),
      location: {
        directory: snapshotDirectoryOf(dataDir),
        program,
        formats: before.files.read(before.newest).formats,
      },
      readModelsModule: READ_MODELS,
      everyCommands: 1,
      busyShareMax: 1,
      usableSequence: () => Infinity,
      log: {
        info: () => undefined,
        warn: (fields) => void warned.push(fields),
        error: () => undefined,
      },
      onDifference: (error) => void differences.push(error),
    });
    snapshots.beginAt(before.newest);
    snapshots.open();
    snapshots.take(before.newest + 1, buffer.take());
    await until(() => warned.length + differences.length > 0);
    await snapshots.close();
    expect(before.files.sequences()).toEqual([before.newest, before.older]);
    return { warned, differences };
  }

  test("says so when the program's files were replaced since the exchange started", async () => {
    const before = await withTwoSnapshots();
    const { warned, differences } = await takenBehindARefusal(before, "the one before");
    const reason = "the program's files have changed since the exchange started";
    expect(warned).toEqual([{ sequence: before.newest + 1, reason }]);
    expect(differences).toEqual([]);
  });

  test("finds a run that did something else than its journal says", async () => {
    const before = await withTwoSnapshots();
    const { program } = before.files.read(before.newest);
    const { differences } = await takenBehindARefusal(before, program);
    expect(differences.map(({ message }) => message)).toEqual([
      expect.stringContaining(`between sequence ${before.newest} and`),
    ]);
  });
});

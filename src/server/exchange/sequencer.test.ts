import { beforeEach, describe, expect, test } from "vitest";
import { encodeCommand } from "#engine/formats/command-codec.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import { decodeEvents } from "#engine/event-buffer.ts";
import {
  type Journal,
  JournalFencedError,
  JournalOutcomeUnknownError,
  type RecordGroup,
} from "#journal/journal.ts";
import { timesOf } from "./command-times.ts";
import type { ReleasedEvents } from "./engine-messages.ts";
import { EventRows, releaseRows } from "./event-row-pool.ts";
import { Sequencer } from "./sequencer.ts";

/** Rejects everything, fails at one order id, and records the received timestamps. */
class FakeEngine implements Engine {
  readonly read = createEngine().read;
  sequence = 0;
  timestampMs = 0;
  readonly nextDueMs = Infinity;
  readonly times: number[] = [];

  apply(...[sequence, timestampMs, , command, events]: Parameters<Engine["apply"]>): void {
    if (command.type === "cancelOrder" && command.orderId === 666) throw new Error("broken");
    this.sequence = sequence;
    this.timestampMs = timestampMs;
    this.times.push(timestampMs);
    events.begin(sequence, timestampMs);
    events.commandRejected("unknownOrder");
  }

  refusalOf(): null {
    return null;
  }

  stateHash(): string {
    return String(this.sequence);
  }

  snapshot(): never {
    throw new Error("the sequencer takes no snapshots");
  }
}

/** Flushes when the test says so. */
class FakeJournal implements Journal {
  readonly firstSequence = 1;
  lastSequence = 0;
  lastTimestampMs = 0;
  identity = 1;
  term = 0;
  groupBytesMax = 1 << 20;
  readonly groups: RecordGroup[] = [];
  #flush = Promise.withResolvers<void>();

  append(group: RecordGroup): Promise<void> {
    this.groups.push({ ...group, records: group.records.slice() });
    this.#flush = Promise.withResolvers<void>();
    return this.#flush.promise;
  }

  /** Ends the flush of the earlier commands, and lets the next one begin. */
  async finish(error?: Error): Promise<void> {
    await gathered();
    if (error === undefined) this.#flush.resolve();
    else this.#flush.reject(error);
    await gathered();
  }

  /** Leaves the outcome of the flush unknown; `finish` then ends the query that settles it. */
  async lose(): Promise<void> {
    await gathered();
    const lost = this.#flush;
    this.#flush = Promise.withResolvers<void>();
    const { promise } = this.#flush;
    lost.reject(new JournalOutcomeUnknownError(new Error("timeout"), () => promise));
    await gathered();
  }

  async *read(): AsyncGenerator<RecordGroup> {}
  async *follow(): AsyncGenerator<RecordGroup> {}
  async close(): Promise<void> {}
}

/** Resolves when a group of the arrived commands is being flushed. */
async function gathered(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
}

function commands(...orderIds: number[]): Uint8Array {
  const parts = orderIds.map((orderId) => {
    const command = encodeCommand({ type: "cancelOrder", account: 16, orderId }, "");
    return Buffer.concat([Uint8Array.of(command.length, 0, 0, 0), command]);
  });
  return Uint8Array.from(Buffer.concat(parts));
}

let engine: FakeEngine;
let journal: FakeJournal;
let released: ReleasedEvents[];
let stopped: unknown[];
let awaited: JournalOutcomeUnknownError[];
let clockMs: number;
let sequencer: Sequencer;

beforeEach(() => {
  engine = new FakeEngine();
  journal = new FakeJournal();
  released = [];
  stopped = [];
  awaited = [];
  clockMs = 1000;
  sequencer = new Sequencer({
    engine,
    journal,
    now: () => clockMs,
    output: {
      release: (events) => released.push(events),
      await: (error) => awaited.push(error),
      stop: (error) => stopped.push(error),
    },
  });
});

const releasedSequences = () =>
  released.flatMap(({ batch }) => decodeEvents(batch).map((event) => event.sequence));

test("nothing is released before its group is on disk", async () => {
  sequencer.submit(commands(1, 2));
  await new Promise(setImmediate);
  expect(journal.groups).toHaveLength(1);
  expect(released).toEqual([]);
  await journal.finish();
  expect(releasedSequences()).toEqual([1, 2]);
});

test("times of commands are noted on request, in the order of their stages", async () => {
  sequencer.submit(commands(1));
  await journal.finish();
  expect(released[0].times).toBeUndefined();
  const timed: ReleasedEvents[] = [];
  const output = {
    release: (events: ReleasedEvents) => void timed.push(events),
    await: (error: JournalOutcomeUnknownError) => void awaited.push(error),
    stop: (error: unknown) => void stopped.push(error),
  };
  journal.lastSequence = 1;
  const timing = new Sequencer({ engine, journal, now: () => clockMs, output, notesTimes: true });
  timing.submit(commands(2, 3));
  await journal.finish();
  const [{ times }] = timed;
  const first = times && timesOf(times, 0);
  const second = times && timesOf(times, 1);
  const inOrder = [
    first?.engineBeganMs,
    first?.engineEndedMs,
    second?.engineBeganMs,
    second?.engineEndedMs,
    second?.writeBeganMs,
    second?.durableMs,
  ];
  expect(inOrder.toSorted((a = 0, b = 0) => a - b)).toEqual(inOrder);
  expect(times?.engineMs).toHaveLength(4);
  expect(first?.writeBeganMs).toBe(second?.writeBeganMs);
});

test("what has arrived together is written as one group", async () => {
  sequencer.submit(commands(1));
  sequencer.submit(commands(2, 3));
  expect(journal.groups).toEqual([]);
  await gathered();
  expect(journal.groups.map(({ count }) => count)).toEqual([3]);
});

test("what arrives during a flush is written as one group after it", async () => {
  sequencer.submit(commands(1));
  await gathered();
  sequencer.submit(commands(2));
  sequencer.submit(commands(3, 4));
  expect(journal.groups.map(({ count }) => count)).toEqual([1]);
  await journal.finish();
  expect(journal.groups.map(({ firstSequence, count }) => [firstSequence, count])).toEqual([
    [1, 1],
    [2, 3],
  ]);
  expect(journal.groups[1].records).toEqual(commands(2, 3, 4));
  await journal.finish();
  expect(releasedSequences()).toEqual([1, 2, 3, 4]);
});

test("a group has bounded size, and larger batches are split without a loss", async () => {
  sequencer.submit(commands(...Array.from({ length: 10_000 }, (_, index) => index + 1000)));
  while (releasedSequences().length < 10_000) await journal.finish();
  expect(Math.max(...journal.groups.map(({ count }) => count))).toBeLessThanOrEqual(4096);
  expect(releasedSequences()).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
  for (const { batch } of released) expect(decodeEvents(batch).length).toBeLessThanOrEqual(1024);
});

test("time never runs backwards, whatever the clock does", async () => {
  for (const now of [1000, 900, 1100, 5]) {
    clockMs = now;
    sequencer.submit(commands(1));
    await journal.finish();
  }
  expect(engine.times).toEqual([1000, 1000, 1100, 1100]);
  expect(journal.groups.map(({ timestampMs }) => timestampMs)).toEqual(engine.times);
});

test("what arrives long after a group began is stamped with its own time, in the next one", async () => {
  sequencer.submit(commands(1));
  await gathered();
  clockMs = 2000;
  sequencer.submit(commands(2));
  clockMs = 2250;
  sequencer.submit(commands(3));
  // The disk hangs: 2 and 3 are staged, and must not include 4.
  clockMs = 60_000;
  sequencer.submit(commands(4));
  await journal.finish();
  await journal.finish();
  await journal.finish();
  expect(engine.times).toEqual([1000, 2000, 2000, 60_000]);
  expect(journal.groups.map(({ count }) => count)).toEqual([1, 2, 1]);
  expect(releasedSequences()).toEqual([1, 2, 3, 4]);
});

test("an action waits for what came before it and holds back what came after", async () => {
  const seen: string[] = [];
  sequencer.submit(commands(1));
  await gathered();
  sequencer.submit(commands(2));
  sequencer.whenDurable(() => seen.push(engine.stateHash()));
  sequencer.submit(commands(3));
  await journal.finish();
  expect(seen).toEqual([]);
  await journal.finish();
  expect(seen).toEqual(["2"]);
  await journal.finish();
  expect(releasedSequences()).toEqual([1, 2, 3]);
});

test("lent rows hold what is released until they are given back, and longer events stand in others", async () => {
  const rows = new EventRows(28, 8);
  const lent = new Set<ArrayBufferLike>();
  const take = rows.take.bind(rows);
  rows.take = () => {
    const taken = take();
    lent.add(taken.buffer);
    return taken;
  };
  const output = {
    release: (events: ReleasedEvents) => released.push(events),
    await: () => undefined,
    stop: () => undefined,
  };
  sequencer = new Sequencer({ engine, journal, now: () => clockMs, output, rows });
  // A refusal has four numbers, and before each there must be room for the longest row: two fit.
  for (const count of [1, 2, 3, 1, 2]) {
    sequencer.submit(commands(...Array.from({ length: count }, (_, index) => index)));
    await journal.finish();
  }
  expect(releasedSequences()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(new Set(released.map(({ batch }) => batch.rows.buffer)).size).toBe(5);
  for (let turn = 0; turn < 20; turn++) {
    for (const { batch } of released) releaseRows(batch.rows);
    released = [];
    sequencer.submit(turn % 2 === 0 ? commands(1) : commands(1, 2, 3));
    await journal.finish();
    expect(decodeEvents(released[0].batch)).toHaveLength(turn % 2 === 0 ? 1 : 3);
  }
  expect(lent.size).toBeLessThanOrEqual(8);
});

test("a group has the hash of the state that it leads to, if one is due", async () => {
  const hashed: string[] = [];
  const hashing = new Sequencer({
    engine,
    journal,
    now: () => 1_000,
    stateHash: () => (engine.sequence === 3 ? engine.stateHash() : undefined),
    output: {
      release: () => undefined,
      await: () => undefined,
      hashed: (sequence, hash) => void hashed.push(`${hash} after ${sequence}`),
      stop: (error) => expect.fail(String(error)),
    },
  });
  hashing.submit(commands(1));
  await gathered();
  hashing.submit(commands(2, 3));
  await journal.finish();
  expect(hashed).toEqual([]);
  await journal.finish();
  hashing.submit(commands(4));
  await journal.finish();
  expect(journal.groups.map(({ stateHash }) => stateHash)).toEqual([undefined, "3", undefined]);
  expect(hashed).toEqual(["3 after 3"]);
});

describe("failures", () => {
  test("a group that could not be written stops everything and is not released", async () => {
    sequencer.submit(commands(1));
    await gathered();
    sequencer.submit(commands(2));
    await journal.finish(new Error("no space"));
    sequencer.submit(commands(3));
    await journal.finish();
    expect(stopped).toEqual([new Error("no space")]);
    expect(released).toEqual([]);
    expect(journal.groups).toHaveLength(1);
  });

  test("a command that breaks the engine stops it and never reaches the journal", async () => {
    sequencer.submit(commands(1));
    await gathered();
    sequencer.submit(commands(2, 666, 3));
    await journal.finish();
    expect(stopped).toEqual([new Error("broken")]);
    expect(journal.groups.map(({ count }) => count)).toEqual([1]);
  });

  test("nothing that was gathered when the engine broke reaches the journal", async () => {
    sequencer.submit(commands(1));
    sequencer.submit(commands(666));
    await journal.finish();
    expect(stopped).toEqual([new Error("broken")]);
    expect(journal.groups).toEqual([]);
    expect(released).toEqual([]);
  });

  test("an engine that is not where the journal ends is refused", () => {
    engine.sequence = 3;
    const output = { release: () => undefined, await: () => undefined, stop: () => undefined };
    expect(() => new Sequencer({ engine, journal, now: Date.now, output })).toThrow(
      "has not applied exactly what the journal holds",
    );
  });
});

test("a group of unknown outcome is released once it is found durable, and nothing before", async () => {
  sequencer.submit(commands(1));
  await journal.lose();
  await journal.lose();
  sequencer.submit(commands(2));
  await gathered();
  expect(awaited).toHaveLength(2);
  expect(released).toEqual([]);
  expect(journal.groups).toHaveLength(1);
  await journal.finish();
  expect(releasedSequences()).toEqual([1]);
  await journal.finish();
  expect(releasedSequences()).toEqual([1, 2]);
  expect(stopped).toEqual([]);
});

test("a group of unknown outcome that lost against another writer is never released", async () => {
  sequencer.submit(commands(1));
  await journal.lose();
  const fenced = new JournalFencedError("message 7");
  await journal.finish(fenced);
  sequencer.submit(commands(2));
  await gathered();
  expect(released).toEqual([]);
  expect(stopped).toEqual([fenced]);
  expect(journal.groups).toHaveLength(1);
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { encodeCommand } from "#engine/formats/command-codec.ts";
import { createEngine } from "#engine/engine.ts";
import { ENGINE_VERSION } from "#engine/formats/engine-version.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import {
  type Journal,
  JournalDamagedError,
  JournalNewerError,
  JournalShortenedError,
  type RecordGroup,
} from "#journal/journal.ts";
import { opening } from "#test/engine/commands.ts";
import type { EngineResponse } from "./engine-messages.ts";
import { engineOptions } from "./engine-options.ts";
import { requireSameHistory } from "./followed-journal.ts";
import { NodeEngine } from "./node-engine.ts";
import { WorkerOutput } from "./worker-output.ts";

const TIME_MS = 1_700_000_000_000;
const COMMANDS = opening(1_000_000, 1_000_000);

/** The groups of a journal that all nodes share, with one command each. */
let groups: RecordGroup[];
let isThere: boolean;
/** Thrown once by the next reader. */
let failure: Error | undefined;
/** The position at which a reader loses the journal once; 0 for none. */
let failAt: number;
/** The end of the journal when this node took its term, if it has. */
let ledAfter: number | undefined;
/** The farthest position that readers have reached. */
let readUntil: number;
/** The version of the leader's engine. */
let leadersVersion: number;
let said: EngineResponse[];
let node: NodeEngine;

function recordOf(index: number): Uint8Array {
  const bytes = encodeCommand(COMMANDS[index], "");
  const record = new Uint8Array(4 + bytes.length);
  new DataView(record.buffer).setUint32(0, bytes.length, true);
  record.set(bytes, 4);
  return record;
}

/** The state after the first commands. */
function hashAfter(count: number): string {
  const engine = createEngine(engineOptions);
  const events = new EventBuffer();
  for (const [index, command] of COMMANDS.slice(0, count).entries()) {
    engine.apply(index + 1, TIME_MS, "", command, events);
  }
  return engine.stateHash();
}

/** The leader appends its next command. */
function append(stateHash?: string): void {
  const index = groups.length;
  const records = recordOf(index);
  groups.push({ firstSequence: index + 1, count: 1, timestampMs: TIME_MS, records, stateHash });
}

async function* follow(
  fromSequence: number,
  signal: AbortSignal,
  onTerm?: (term: number, engineVersion: number) => void,
): AsyncGenerator<RecordGroup> {
  onTerm?.(1, leadersVersion);
  for (let next = fromSequence; !signal.aborted;) {
    if (failure !== undefined) {
      const error = failure;
      failure = undefined;
      throw error;
    }
    if (next === failAt) {
      failAt = 0;
      throw new Error("no answer again");
    }
    if (next <= Math.min(groups.length, readUntil)) yield groups[next++ - 1];
    else await new Promise((resolve) => setImmediate(resolve));
  }
}

const openJournal = async (
  _place?: unknown,
  { readOnly }: { readonly readOnly?: boolean } = { readOnly: true },
): Promise<Journal> => ({
  firstSequence: 1,
  lastSequence: readOnly === true ? groups.length : (ledAfter ??= groups.length),
  lastTimestampMs: TIME_MS,
  identity: isThere ? 1 : 0,
  term: 1,
  groupBytesMax: 1 << 20,
  append: () => Promise.reject(new Error("it only reads")),
  read: () => follow(1, AbortSignal.abort()),
  follow,
  close: () => Promise.resolve(),
});

function released(): number {
  const last = said.findLast((response) => response.kind === "events");
  return last?.kind === "events" ? last.firstSequence + last.count - 1 : 0;
}

const kinds = (): string[] => said.map(({ kind }) => kind);

beforeEach(async () => {
  groups = [];
  isThere = true;
  failure = undefined;
  failAt = 0;
  ledAfter = undefined;
  readUntil = Number.POSITIVE_INFINITY;
  leadersVersion = ENGINE_VERSION;
  said = [];
  append();
  const data = {
    journal: "nats://nowhere",
    segmentBytes: undefined,
    timeOffset: new BigInt64Array(new SharedArrayBuffer(8)),
    acceptsClock: true,
    notesTimes: false,
    snapshots: undefined,
  };
  node = new NodeEngine(
    data,
    new WorkerOutput((response) => {
      said.push(response);
      if (response.kind === "events") node.take({ kind: "credit" });
    }),
    openJournal,
  );
  node.follow();
  await expect.poll(kinds).toContain("ready");
});
afterEach(async () => {
  node.take({ kind: "close" });
  await node.closed;
});

test("a node whose state is the leader's says at which sequence", async () => {
  append(hashAfter(2));
  await expect.poll(released).toBe(2);
  expect(said).toContainEqual({ kind: "stateCompared", sequence: 2, hash: hashAfter(2) });
  expect(kinds()).not.toContain("stopped");
});

test("a node that comes to another state than the leader stops, and releases nothing of it", async () => {
  append("0123456789abcdef");
  append();
  await expect.poll(kinds).toContain("stopped");
  expect(released()).toBe(1);
  expect(said.at(-1)).toMatchObject({
    reason: expect.stringContaining("this node differs from the leading one"),
  });
});

test("a node says whether an older engine leads, whose state it does not compare", async () => {
  expect(said).toContainEqual({ kind: "term", term: 1, isOlder: false });
  leadersVersion = ENGINE_VERSION - 1;
  failure = new Error("no answer");
  append("0123456789abcdef");
  await expect.poll(released).toBe(2);
  expect(said).toContainEqual({ kind: "term", term: 1, isOlder: true });
  expect(kinds()).not.toContain("stopped");
});

test.each([
  new JournalNewerError(2, ENGINE_VERSION + 1, ENGINE_VERSION),
  new JournalShortenedError("the stream x", 500, "none is named"),
])("a node stops where reading again would not help: $name", async (error) => {
  failure = error;
  await expect.poll(kinds).toContain("stopped");
  expect(said.at(-1)).toMatchObject({ reason: error.message });
});

test("a node does not begin with a snapshot of another history of the journal", async () => {
  const journal = { ...(await openJournal()), read: () => groups.values() };
  const engine = { sequence: 1, timestampMs: TIME_MS };
  await requireSameHistory(journal as never, engine as never);
  await requireSameHistory(journal as never, { ...engine, sequence: 2 } as never);
  const other = requireSameHistory(journal as never, { ...engine, timestampMs: 1 } as never);
  await expect(other).rejects.toThrow("of another history");
});

test("a node follows on when its journal could not be read for a while", async () => {
  failure = new Error("stream not found");
  append();
  await expect.poll(released).toBe(2);
  isThere = false;
  failure = new Error("no answer");
  append();
  await expect.poll(() => said.at(-1)).toMatchObject({ fields: { reason: "there is none" } });
  isThere = true;
  await expect.poll(released).toBe(3);
  expect(kinds().filter((kind) => kind === "ready")).toHaveLength(1);
  expect(kinds()).not.toContain("stopped");
});

test("a node stops at a damaged journal", async () => {
  failure = new JournalDamagedError("stream x", 2, 2, "a group is damaged");
  await expect.poll(kinds).toContain("stopped");
  expect(said.at(-1)).toMatchObject({ damage: { sequence: 2 } });
});

test("a node that loses its journal twice in a row releases what it had read between", async () => {
  failure = new Error("no answer");
  failAt = 4;
  for (let count = 0; count < 4; count++) append();
  await expect.poll(released).toBe(5);
  expect(kinds()).not.toContain("stopped");
});

test("a node that could not lead, because another took the next term, releases all that it had read", async () => {
  readUntil = 1;
  append();
  append();
  node.take({ kind: "lead" });
  await expect.poll(() => ledAfter).toBe(3);
  // Another node leads the next term, and this one's reader starts again.
  append();
  append();
  failure = new Error("no answer");
  await expect.poll(() => failure).toBeUndefined();
  readUntil = 4;
  await expect.poll(kinds).toContain("following");
  readUntil = Number.POSITIVE_INFINITY;
  await expect.poll(released).toBe(5);
  expect(kinds()).not.toContain("stopped");
});

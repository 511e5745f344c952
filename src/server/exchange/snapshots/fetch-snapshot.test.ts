import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SharedSnapshot } from "#journal/shared-snapshots.ts";
import { type Snapshot, SnapshotFiles } from "#journal/snapshot-files.ts";
import { fetchNewest } from "./fetch-snapshot.ts";

const IDENTITY = 7;
const FORMATS = "these formats";

let folder: string;
let own: SnapshotFiles;
let shared: (SharedSnapshot & { readonly bytes: Uint8Array })[];
let logged: string[];
/** The identity of the journal. */
let firstSequence: number;
let lastSequence: number;
/** The end of the journal, as it is reported next. */
let endNow: () => number;
/** Whether the end of a snapshot never arrives. */
let isLate: boolean;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "openbell-fetch-"));
  own = new SnapshotFiles(join(folder, "own"));
  own.createDirectory();
  shared = [];
  logged = [];
  firstSequence = 1;
  lastSequence = 1_000_000;
  endNow = () => lastSequence;
  isLate = false;
});
afterEach(() => rmSync(folder, { recursive: true }));

const snapshotAt = (sequence: number): Snapshot => ({
  sequence,
  timestampMs: 1,
  journal: IDENTITY,
  program: "a program",
  formats: FORMATS,
  engine: Uint8Array.of(1, 2, 3),
  readModels: Uint8Array.of(4),
});

/** Another node shares a snapshot; `bytes` may change the content of its file. */
async function share(
  sequence: number,
  {
    bytes = (file: Uint8Array) => file,
    ...other
  }: Partial<SharedSnapshot> & {
    bytes?: (file: Uint8Array) => Uint8Array;
  } = {},
): Promise<void> {
  const files = new SnapshotFiles(join(folder, "another"));
  await files.write(snapshotAt(sequence), () => undefined);
  const file = bytes(readFileSync(files.pathOf(sequence)));
  shared.unshift({ sequence, journal: IDENTITY, formats: FORMATS, ...other, bytes: file });
}

function fetch(
  sequenceMax = Number.POSITIVE_INFINITY,
  signal = new AbortController().signal,
): Promise<number | undefined> {
  const store = {
    list: () => Promise.resolve(shared),
    async *read(wanted: SharedSnapshot) {
      const { bytes } = shared.find((each) => each === wanted) ?? expect.fail("it is not there");
      for (let from = 0; from < bytes.length; from += 50) yield bytes.subarray(from, from + 50);
      if (bytes.length === 0) throw new Error("the rest of it does not come");
      if (isLate) await new Promise(() => undefined);
    },
  };
  const note = (_: object, message: string) => void logged.push(message);
  const log = { info: note, warn: note };
  const options = {
    files: own,
    identity: IDENTITY,
    formats: FORMATS,
    firstSequence,
    lastSequence: () => Promise.resolve(endNow()),
    rereadAfterMs: 1,
    sequenceMax,
    signal,
    log,
  };
  return fetchNewest(store, options);
}

test("a new node gets the newest snapshot of the others", async () => {
  await share(200_000);
  await share(300_000);
  expect(await fetch()).toBe(300_000);
  expect(own.read(300_000)).toEqual(snapshotAt(300_000));
  expect(logged).toEqual(["fetched a snapshot of another node"]);
});

test("a damaged one and one that does not come are passed over, and nothing of them stays", async () => {
  await share(200_000);
  await share(300_000, { bytes: (file) => file.map((byte, at) => (at === 120 ? ~byte : byte)) });
  await share(400_000, { bytes: () => new Uint8Array(0) });
  await share(500_000, { bytes: (file) => file.subarray(0, 90) });
  expect(await fetch()).toBe(200_000);
  expect(own.sequences()).toEqual([200_000]);
  expect(logged.filter((line) => line === "passed over a snapshot of another node")).toHaveLength(
    3,
  );
});

test("one that says another sequence than its file has is passed over", async () => {
  await share(300_000);
  shared = shared.map((each) => ({ ...each, sequence: 400_000 }));
  expect(await fetch()).toBeUndefined();
  expect(own.sequences()).toEqual([]);
});

test("a node fetches none that it cannot use", async () => {
  await share(300_000, { journal: 8 });
  await share(400_000, { formats: "of another release" });
  await share(500_000);
  expect(await fetch(450_000)).toBeUndefined();
  expect(logged).toEqual([]);
});

test("a node that has a snapshot as new keeps it, unless its own is damaged", async () => {
  await own.write(snapshotAt(280_000), () => undefined);
  await share(300_000);
  expect(await fetch()).toBeUndefined();
  await own
    .receive(
      290_000,
      (async function* () {
        yield* [];
      })(),
    )
    .catch((error: unknown) => expect(String(error)).toContain("no header"));
  expect(own.sequences()).toEqual([280_000]);
  await own.write({ ...snapshotAt(280_000), journal: 8 }, () => undefined);
  expect(await fetch()).toBe(300_000);
});

test("of own and fetched snapshots the two newest are kept", async () => {
  await own.write(snapshotAt(100_000), () => undefined);
  await own.write(snapshotAt(200_000), () => undefined);
  await share(300_000);
  await fetch();
  expect(own.sequences()).toEqual([300_000, 200_000]);
});

test("a fetch that is ended does not wait for what is late, and nothing of it stays", async () => {
  await share(300_000);
  isLate = true;
  const end = new AbortController();
  const fetched = fetch(Number.POSITIVE_INFINITY, end.signal);
  const remains = () => readdirSync(join(folder, "own"));
  await expect.poll(remains).toHaveLength(1);
  end.abort();
  expect(await fetched).toBeUndefined();
  expect(remains()).toEqual([]);
  expect(logged).toEqual([]);
});

test("a node that the journal alone cannot bring there takes one that saves little", async () => {
  await own.write(snapshotAt(280_000), () => undefined);
  await share(300_000);
  expect(await fetch()).toBeUndefined();
  firstSequence = 290_000;
  expect(await fetch()).toBe(300_000);
});

test("snapshots beyond the journal's end are refused, once it is known to be the end", async () => {
  await share(300_000);
  const ends = [299_000, 299_500, 300_000];
  endNow = () => ends.shift() ?? lastSequence;
  expect(await fetch()).toBe(300_000);
  expect(ends).toEqual([]);
  lastSequence = 250_000;
  await expect(fetch()).rejects.toThrow(
    "ends at sequence 250000, but the nodes have shared a snapshot of sequence 300000",
  );
});

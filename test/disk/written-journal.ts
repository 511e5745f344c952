/** A journal of several small segments on a simulated disk, for tests of what happens to sealed ones. */
import { expect } from "vitest";
import { compressSegments } from "#journal/compress-segments.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import type { Journal } from "#journal/journal.ts";
import { type Fault, seededRandom, SimulatedDisk } from "./journal-disk.ts";

export const DIRECTORY = "/data/journal";
export const silent = { info: () => undefined, warn: () => undefined };

export const open = (disk: SimulatedDisk, directory = DIRECTORY) =>
  openFileJournal({ directory, log: silent, segmentBytes: 4096, fileSystem: disk });

export const compress = (disk: SimulatedDisk, durable: number, segmentsMax = 100) =>
  compressSegments({ directory: DIRECTORY, durable, segmentsMax, fileSystem: disk });

export type Kept = readonly [sequence: number, timestampMs: number, records: string];

export async function readAll(journal: Journal, from = 1): Promise<Kept[]> {
  const groups: Kept[] = [];
  for await (const { firstSequence, timestampMs, records } of journal.read(from)) {
    groups.push([firstSequence, timestampMs, Buffer.from(records).toString("latin1")]);
  }
  return groups;
}

export async function append(journal: Journal, groups: number): Promise<void> {
  const random = seededRandom(journal.lastSequence);
  for (let index = 0; index < groups; index++) {
    const record = Uint8Array.from({ length: 100 + random(300) }, () => random(256));
    const records = new Uint8Array(4 + record.length);
    new DataView(records.buffer).setUint32(0, record.length, true);
    records.set(record, 4);
    const firstSequence = journal.lastSequence + 1;
    const timestampMs = journal.lastTimestampMs + random(3);
    await journal.append({ firstSequence, count: 1, timestampMs, records });
  }
}

/** A closed journal of five segments. */
export async function written() {
  const disk = new SimulatedDisk(seededRandom(7));
  const journal = await open(disk);
  await append(journal, 50);
  const kept = await readAll(journal);
  await journal.close();
  return { disk, kept, durable: journal.lastSequence };
}

export const namesOn = (disk: SimulatedDisk) => disk.list(DIRECTORY);

export async function expectWhole(
  disk: SimulatedDisk,
  kept: readonly Kept[],
  directory = DIRECTORY,
) {
  const journal = await open(disk, directory);
  expect(await readAll(journal)).toEqual(kept);
  await journal.close();
}

/** Repeats an act on copies of a disk whose first, second, third operation … fails, until none is left. */
export async function failAtEachStep(
  original: SimulatedDisk,
  fault: Fault,
  { act, check }: Record<"act" | "check", (disk: SimulatedDisk) => Promise<unknown>>,
): Promise<void> {
  let isDone = false;
  for (let step = 0; !isDone; step++) {
    const disk = original.clone();
    let operations = 0;
    disk.fault = () => (operations++ === step ? fault : undefined);
    const isWhole = await act(disk).then(
      () => true,
      () => false,
    );
    isDone = isWhole && operations <= step;
    disk.fault = () => undefined;
    await check(disk);
  }
}

/** Groups of records for tests of journals: created, appended, and read as text to compare. */
import type { Journal, RecordGroup } from "#journal/journal.ts";
import type { Random } from "../disk/journal-disk.ts";

/** A copy of a group with its records as text, to be compared later. */
export interface KeptGroup {
  readonly firstSequence: number;
  readonly count: number;
  readonly timestampMs: number;
  readonly records: string;
}

export function kept({ firstSequence, count, timestampMs, records }: RecordGroup): KeptGroup {
  const text = Buffer.from(records).toString("latin1");
  return { firstSequence, count, timestampMs, records: text };
}

export async function readAll(journal: Journal, from = 1): Promise<KeptGroup[]> {
  const groups: KeptGroup[] = [];
  for await (const group of journal.read(from)) groups.push(kept(group));
  return groups;
}

/** Appends a group with one record per text. */
export async function append(journal: Journal, ...texts: string[]): Promise<KeptGroup> {
  const group = groupBehind(
    journal,
    texts.map((text) => Buffer.from(text, "latin1")),
  );
  await journal.append(group);
  return kept(group);
}

/** A group of random records, some of them all zeros: records are opaque, so these must be accepted. */
export function randomGroup(journal: Journal, random: Random): RecordGroup {
  const records = Array.from({ length: 1 + random(5) }, () => {
    const isZero = random(3) === 0;
    return Uint8Array.from({ length: random(300) }, () => (isZero ? 0 : random(256)));
  });
  return groupBehind(journal, records, random(3));
}

export function groupBehind(
  journal: Journal,
  records: readonly Uint8Array[],
  laterMs = 1,
): RecordGroup {
  const bytes = Buffer.concat(
    records.flatMap((record) => {
      const prefix = Buffer.alloc(4);
      prefix.writeUInt32LE(record.length);
      return [prefix, record];
    }),
  );
  return {
    firstSequence: journal.lastSequence + 1,
    count: records.length,
    timestampMs: journal.lastTimestampMs + laterMs,
    records: bytes,
  };
}

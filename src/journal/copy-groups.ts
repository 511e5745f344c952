/** Copies a journal into another of any kind, record by record. */
import { createHash } from "node:crypto";
import { type Journal, RECORD_PREFIX_BYTES, type RecordGroup } from "./journal.ts";
import { whenDurable } from "./when-durable.ts";

/** The copy cannot be made, or the target is not a copy. */
export class JournalCopyError extends Error {
  override readonly name = "JournalCopyError";
}

/**
 * Verifies that the records in `to` equal those of `from`, then appends the missing ones: an
 * interrupted copy continues. Splits groups that are too large for `to`.
 * @param to was opened with the identity of `from`
 * @param onWait is called when `to` does not answer, before the next attempt
 * @throws JournalCopyError if `to` has other records
 */
export async function copyGroups(
  from: Journal,
  to: Journal,
  onWait: (error: Error) => void,
): Promise<void> {
  const { lastSequence } = to;
  if (lastSequence > from.lastSequence) {
    throw new JournalCopyError(
      `The target already reaches sequence ${lastSequence}, beyond ${from.lastSequence}.`,
    );
  }
  await requireSame(from, to, lastSequence);
  if (lastSequence < from.lastSequence) {
    for await (const group of from.read(lastSequence + 1)) {
      for (const part of parts(group, to.lastSequence + 1, to.groupBytesMax)) {
        await whenDurable(to.append(part), onWait);
      }
    }
  }
  await requireSame(from, to, from.lastSequence);
}

async function requireSame(from: Journal, to: Journal, until: number): Promise<void> {
  if ((await digestOf(from, until)) === (await digestOf(to, until))) return;
  throw new JournalCopyError(
    `The target has other records up to sequence ${until}: both have been continued since.`,
  );
}

/** A digest of all records with their times up to a sequence, however they are grouped. */
async function digestOf(journal: Journal, until: number): Promise<string> {
  const records = createHash("sha256");
  const times = createHash("sha256");
  let timeMs = 0;
  let last = 0;
  for await (const group of until === 0 ? [] : journal.read(1)) {
    // `until` ends a group in the target, but not always in the source.
    for (const part of parts(group, 1, group.records.length, until)) {
      records.update(part.records);
      if (part.timestampMs !== timeMs) {
        timeMs = part.timestampMs;
        times.update(`${part.firstSequence}:${timeMs},`);
      }
      last = part.firstSequence + part.count - 1;
    }
    if (last >= until) break;
  }
  return `${last} ${records.digest("hex")} ${times.digest("hex")}`;
}

/** Splits a range of a group's records into groups of at most `bytesMax` bytes. */
function* parts(
  { firstSequence, count, timestampMs, records }: RecordGroup,
  from: number,
  bytesMax: number,
  until = Number.POSITIVE_INFINITY,
): Generator<RecordGroup> {
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  const end = Math.min(firstSequence + count - 1, until);
  let start = 0;
  let offset = 0;
  let first = firstSequence;
  for (let sequence = firstSequence; sequence <= end; sequence++) {
    const next = offset + RECORD_PREFIX_BYTES + view.getUint32(offset, true);
    if (sequence < from) {
      first = sequence + 1;
      start = next;
    } else if (next - start > bytesMax) {
      if (sequence === first) throw new JournalCopyError("A record is too large for the target.");
      const part = records.subarray(start, offset);
      yield { firstSequence: first, count: sequence - first, timestampMs, records: part };
      first = sequence;
      start = offset;
    }
    offset = next;
  }
  if (first > end) return;
  const rest = records.subarray(start, offset);
  yield { firstSequence: first, count: end - first + 1, timestampMs, records: rest };
}

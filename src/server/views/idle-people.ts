/** Packs the records of idle people, a few each second. */
import type { PersonRecords } from "./person-records.ts";

const PACK_EVERY_MS = 1_000;

/**
 * Starts packing.
 * @param isAmidCommand whether only a part of a command's events was folded: records may then be
 * read and changed, but not packed
 * @returns stops packing
 */
export function startPackingIdlePeople(
  people: Pick<PersonRecords, "packIdle">,
  isAmidCommand: () => boolean,
): () => void {
  const timer = setInterval(() => {
    if (!isAmidCommand()) people.packIdle(performance.now());
  }, PACK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

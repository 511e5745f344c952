/** Applies the journal that a node follows. */
import type { Engine } from "#engine/engine.ts";
import {
  type Journal,
  JournalDamagedError,
  JournalNewerError,
  JournalShortenedError,
  type RecordGroup,
} from "#journal/journal.ts";
import { messageOf } from "../log.ts";

/** Errors that reading again would not resolve. */
const FINAL = [JournalDamagedError, JournalNewerError, JournalShortenedError];

/** The same commands have led this node to another state than the leader: its read models are wrong. */
export class StateDiffersError extends Error {
  override readonly name = "StateDiffersError";

  constructor(sequence: number, own: string, leaders: string) {
    super(
      `this node differs from the leading one: its state after sequence ${sequence} has the hash ${own}, ` +
        `that of the leader ${leaders}; start it again with the leader's version of the program`,
    );
  }
}

/** The journal could not be read any further; it may be again. */
export class JournalUnreadableError extends Error {
  override readonly name = "JournalUnreadableError";
}

/**
 * A snapshot may belong to another history than the journal: after the journal was restored from an
 * older copy and continued, the command of the snapshot's sequence has another time.
 */
export async function requireSameHistory(
  reader: Journal,
  { sequence, timestampMs }: Engine,
): Promise<void> {
  if (sequence < reader.firstSequence || sequence > reader.lastSequence) return;
  for await (const group of withReadErrors(reader.read(sequence))) {
    if (group.timestampMs === timestampMs) return;
    throw new Error(
      `the snapshot of sequence ${sequence} is of another history than the journal, whose command of that ` +
        "sequence has another time: remove the snapshots in the data directory, and those that the nodes share",
    );
  }
}

/** Distinguishes errors of the journal from errors of its reader. */
export async function* withReadErrors(
  groups: AsyncIterable<RecordGroup>,
): AsyncGenerator<RecordGroup> {
  try {
    yield* groups;
  } catch (error) {
    if (FINAL.some((kind) => error instanceof kind)) throw error;
    throw new JournalUnreadableError(messageOf(error), { cause: error });
  }
}

/**
 * Moves an exchange between a journal in files and one in NATS JetStream: copies its commands, then
 * replays both through separate engines, which must reach the same state.
 */
import { existsSync } from "node:fs";
import { createEngine } from "#engine/engine.ts";
import { copyGroups, JournalCopyError } from "#journal/copy-groups.ts";
import { type DirectoryLock, lockDirectory } from "#journal/directory-lock.ts";
import type { Journal } from "#journal/journal.ts";
import { isStream, type JournalOptions, openJournal } from "#journal/open-journal.ts";
import { engineOptions } from "../exchange/engine-options.ts";
import { journalDirectoryOf } from "../exchange/open-exchange.ts";
import { replayJournal } from "../exchange/replay.ts";

export interface JournalCopy {
  readonly sequence: number;
  /** The state hash of the engine after the copy and after the original. */
  readonly stateHash: string;
}

/**
 * Copies the missing commands: continues a copy that was interrupted or that the original has outgrown.
 * Nothing else may write to either journal: a data directory is locked, and growth of a stream is
 * detected at the end.
 * @param from a data directory, or the URL of a stream; so is `to`
 * @param onWait is called with a reason when the target does not answer for a while
 * @throws JournalCopyError, JournalDamagedError, DirectoryLockedError
 */
export async function copyJournalTo(
  from: string,
  to: string,
  onWait: (error: Error) => void,
): Promise<JournalCopy> {
  if (!isStream(from) && !existsSync(journalDirectoryOf(from))) {
    throw new JournalCopyError(`There is no journal in ${from}.`);
  }
  const locks: DirectoryLock[] = [];
  const opened: Journal[] = [];
  const open = async (place: string, options: JournalOptions) => {
    const journal = await openJournal(isStream(place) ? place : journalDirectoryOf(place), options);
    opened.push(journal);
    return journal;
  };
  try {
    for (const place of [from, to]) if (!isStream(place)) locks.push(lockDirectory(place));
    const source = await open(from, { readOnly: true });
    if (source.lastSequence === 0) throw new JournalCopyError("The journal to copy is empty.");
    const target = await open(to, { identity: source.identity });
    await copyGroups(source, target, onWait);
    const stateHash = await stateHashOf(target);
    if (stateHash !== (await stateHashOf(source))) {
      throw new JournalCopyError("The copy does not lead to the same state as the original.");
    }
    const later = await open(from, { readOnly: true });
    if (later.lastSequence !== source.lastSequence) {
      throw new JournalCopyError(`${from} was written to meanwhile: stop its exchange first.`);
    }
    return { sequence: target.lastSequence, stateHash };
  } finally {
    await Promise.all(opened.map((journal) => journal.close()));
    for (const lock of locks) lock.release();
  }
}

async function stateHashOf(journal: Journal): Promise<string> {
  const engine = createEngine(engineOptions);
  for await (const slice of replayJournal(journal, engine)) void slice;
  return engine.stateHash();
}

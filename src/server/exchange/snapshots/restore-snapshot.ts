/**
 * Chooses the snapshot from which a start continues: the newest that is intact, of this journal, in
 * this program's formats and rules, and not beyond the sequence that its readers accept. The log names
 * every snapshot that is skipped; none is trusted beyond its own checks, and without any the journal
 * suffices.
 */
import { type Engine, restoreEngine } from "#engine/engine.ts";
import { SnapshotFormatError } from "#engine/formats/snapshot.ts";
import type { Journal } from "#journal/journal.ts";
import {
  type Snapshot,
  SnapshotDamagedError,
  type SnapshotFiles,
} from "#journal/snapshot-files.ts";
import { engineOptions } from "../engine-options.ts";

export interface Restored {
  readonly engine: Engine;
  readonly readModels: Uint8Array;
}

export interface RestoreOptions {
  readonly files: SnapshotFiles;
  readonly journal: Journal;
  /**
   * False if the journal was opened only up to a position, so that a snapshot beyond it does not
   * show that commands are missing.
   */
  readonly isJournalWhole: boolean;
  readonly program: string;
  readonly formats: string;
  /** The last sequence that the readers accept; snapshots beyond it are skipped. */
  readonly sequenceMax: number;
  /** The sequence of a snapshot that was fetched from another node. */
  readonly fetched?: number | undefined;
  /**
   * Receives the read models of a snapshot, in shared memory, before its engine is restored, which
   * may still fail.
   */
  readonly onRead?: (readModels: Uint8Array) => void;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

/** A snapshot is ahead of the journal: acknowledged commands are missing. */
class JournalBehindSnapshotError extends Error {
  override readonly name = "JournalBehindSnapshotError";
}

/**
 * Undefined if no snapshot can be used, so that the journal must be replayed from its beginning.
 * @throws JournalBehindSnapshotError
 */
export function restoreNewest(options: RestoreOptions): Restored | undefined {
  const { files, formats, isJournalWhole, journal, program, sequenceMax, log } = options;
  for (const sequence of files.sequences()) {
    const path = files.pathOf(sequence);
    const pass = (reason: string) => log.info({ snapshot: path, reason }, "passed over a snapshot");
    try {
      const snapshot = files.read(sequence);
      if (snapshot.journal !== journal.identity) {
        log.warn({ snapshot: path }, "passed over a snapshot of another journal");
        continue;
      }
      if (isJournalWhole) refuseShorterJournal(snapshot, journal, path);
      if (snapshot.formats !== formats) {
        pass(`it has ${snapshot.formats}; this program reads ${formats}`);
        continue;
      }
      if (sequence > sequenceMax) {
        pass(`the database has only reached sequence ${sequenceMax}`);
        continue;
      }
      options.onRead?.(snapshot.readModels);
      // With the same program and the right digest, the snapshot was verified when it was written.
      // A snapshot that another program or node wrote must result in the state hash recorded with
      // it.
      const isVerified = snapshot.program === program && sequence !== options.fetched;
      const engine = restoreEngine(snapshot.engine, { ...engineOptions, isVerified });
      if (engine.sequence !== sequence || engine.timestampMs !== snapshot.timestampMs) {
        throw new SnapshotDamagedError(path, "the engine's state in it is of another moment");
      }
      return { engine, readModels: snapshot.readModels };
    } catch (error) {
      const isUnusable =
        error instanceof SnapshotDamagedError || error instanceof SnapshotFormatError;
      if (!isUnusable) throw error;
      log.warn({ snapshot: path, reason: error.message }, "passed over a damaged snapshot");
    }
  }
  return undefined;
}

function refuseShorterJournal(snapshot: Snapshot, journal: Journal, path: string): void {
  if (snapshot.sequence <= journal.lastSequence) return;
  throw new JournalBehindSnapshotError(
    `The journal ends at sequence ${journal.lastSequence}, but the snapshot ${path} was taken at ` +
      `sequence ${snapshot.sequence}: commands that were acknowledged are missing. Restore the ` +
      "journal; to go on without them, move the directory of the snapshots away.",
  );
}

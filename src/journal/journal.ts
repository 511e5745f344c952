/**
 * The durable order of all commands to the engine. A journal keeps groups of opaque records; a group is
 * written atomically. No consequence of a record may leave the process before the `append` of its group
 * has resolved.
 */
import { describeEngineVersion } from "#engine/formats/engine-version.ts";

/** Records appended together: they share one timestamp, and their sequences are consecutive. */
export interface RecordGroup {
  readonly firstSequence: number;
  readonly count: number;
  /** Milliseconds since 1970 UTC, never decreasing along the journal. */
  readonly timestampMs: number;
  /**
   * The records one after another, each preceded by its length in bytes as a little-endian uint32.
   * `read` yields a view into a reused buffer: valid until the next group is requested.
   */
  readonly records: Uint8Array;
  /**
   * The hash of the writer's state after the group, if it says one, with which other nodes compare
   * theirs. Files do not keep it.
   */
  readonly stateHash?: string;
}

/** Bytes of the length in front of each record, a little-endian uint32. */
export const RECORD_PREFIX_BYTES = 4;

export interface Journal {
  /**
   * The sequence of the oldest record that `read` yields: 1, unless earlier ones are in an archive that
   * this reader does not have.
   */
  readonly firstSequence: number;
  /** The sequence of the newest durable record; 0 in an empty journal. */
  readonly lastSequence: number;
  /** The timestamp of the newest durable record; 0 in an empty journal. */
  readonly lastTimestampMs: number;
  /** Distinguishes this journal from every other: random, fixed at its creation; 0 in an empty one. */
  readonly identity: number;
  /**
   * The term of the newest writer that this journal knows: a writer that takes over a shared journal begins
   * the next one. 0 before the first, and in files, which one process owns.
   */
  readonly term: number;
  /** Limit of one group's records in bytes, prefixes included. */
  readonly groupBytesMax: number;
  /**
   * Appends the group and resolves when it is durable. The records are copied before the call returns.
   * One group at a time: wait for the promise before the next call. The group's first sequence is a
   * fence: the group is appended right after `lastSequence` or not at all. Rejects with
   * - JournalWriteError, after which the journal refuses every further append: the bytes that a failed
   *   write or flush left on disk are only known after reopening;
   * - JournalFencedError if another writer has continued the journal: the group is not in it and never
   *   will be, and every further append is refused;
   * - JournalOutcomeUnknownError if it is not known yet whether the group is durable: `settle` finds
   *   out.
   */
  append(group: RecordGroup): Promise<void>;
  /**
   * The durable groups from the one that contains `fromSequence` on, oldest first. Throws
   * JournalDamagedError at a group that cannot be trusted, JournalShortenedError if it is before
   * `firstSequence`.
   */
  read(fromSequence: number): AsyncIterable<RecordGroup>;
  /**
   * Like `read`, and then each later group as it becomes durable, until the signal is aborted or the
   * journal closed.
   * @param onTerm called with the term of the groups that follow, and its writer's engine version, if it
   * has said one: at the beginning, and when another writer has taken over. No group of an earlier term
   * follows.
   */
  follow(
    fromSequence: number,
    signal: AbortSignal,
    onTerm?: (term: number, engineVersion: number) => void,
  ): AsyncIterable<RecordGroup>;
  /** Releases the files or the connection. */
  close(): Promise<void>;
}

export interface JournalLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** The journal cannot be trusted from here on: an operator must examine it before it is used again. */
export class JournalDamagedError extends Error {
  override readonly name = "JournalDamagedError";
  readonly file: string;
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** The sequence of the first record that cannot be read. */
  readonly sequence: number;
  readonly finding: string;

  constructor(file: string, offset: number, sequence: number, finding: string) {
    super(
      `The journal is damaged: ${finding} (file ${file}, offset ${offset}, sequence ${sequence}). ` +
        "Restore the journal from a copy; remove nothing by hand.",
    );
    this.file = file;
    this.offset = offset;
    this.sequence = sequence;
    this.finding = finding;
  }
}

/** The oldest commands are in an archive that this reader does not have. */
export class JournalShortenedError extends Error {
  override readonly name = "JournalShortenedError";

  /** @param finding the missing part of the archive, as the end of a sentence */
  constructor(place: string, firstSequence: number, finding: string) {
    super(
      `The journal in ${place} begins at sequence ${firstSequence}; the commands before are in the ` +
        `archive, and ${finding}. Set ARCHIVE_DIR to the directory with the archive, or begin from a ` +
        "snapshot that is not older.",
    );
  }
}

/**
 * A writer with a newer engine has continued the journal: an older one would make something else of it, and may
 * not follow or continue.
 */
export class JournalNewerError extends Error {
  override readonly name = "JournalNewerError";

  constructor(term: number, theirs: number, own: number) {
    super(
      `a newer version of the program leads since term ${term} (${describeEngineVersion(theirs)}; this one ` +
        `has ${describeEngineVersion(own)}): start this node with that version`,
    );
  }
}

/** The disk failed or refused a write. The journal accepts nothing more until it is reopened. */
export class JournalWriteError extends Error {
  override readonly name = "JournalWriteError";

  constructor(action: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The journal could not ${action}: ${reason}`, { cause });
  }
}

/** The journal belongs to another exchange than the caller's. */
export class JournalIdentityError extends Error {
  override readonly name = "JournalIdentityError";

  constructor(place: string) {
    super(`The journal in ${place} belongs to another exchange.`);
  }
}

/** Another writer has continued the journal. Nothing more from this writer is appended. */
export class JournalFencedError extends Error {
  override readonly name = "JournalFencedError";

  constructor(position: string) {
    super(`Another writer has taken over the journal (${position}); this one may write no more.`);
  }
}

/**
 * The journal did not answer, so the group may be durable or not. Nothing of the group may be released,
 * and nothing else appended, before `settle` has resolved.
 */
export class JournalOutcomeUnknownError extends Error {
  override readonly name = "JournalOutcomeUnknownError";
  /**
   * Asks the journal for the outcome, and appends the group if it is missing. Resolves once the group
   * is durable, exactly once in the journal; rejects as `append` does, again with this error if there
   * is still no answer.
   */
  readonly settle: () => Promise<void>;

  constructor(cause: unknown, settle: () => Promise<void>) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The journal does not say whether the newest commands are durable: ${reason}`, { cause });
    this.settle = settle;
  }
}

/**
 * The durable order of all commands to the engine. A journal keeps groups of opaque records; a
 * group is on disk as a whole or not at all. No consequence of a record may leave the process
 * before the `append` of its group has resolved.
 */

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
}

/** Bytes of the length in front of each record, a little-endian uint32. */
export const RECORD_PREFIX_BYTES = 4;

export interface Journal {
  /** The sequence of the newest durable record, 0 in an empty journal. */
  readonly lastSequence: number;
  /** The timestamp of the newest durable record, 0 in an empty journal. */
  readonly lastTimestampMs: number;
  /** Distinguishes this journal from every other: random, fixed at its creation; 0 in an empty one. */
  readonly identity: number;
  /** The most bytes that the records of one group may have, prefixes included. */
  readonly groupBytesMax: number;
  /**
   * Appends the group and resolves when it is on disk. The records are copied before the call
   * returns. One group at a time: wait for the promise before the next call. Rejects with
   * JournalWriteError, after which the journal refuses every further append: what a failed write or
   * flush left on disk is only known after reopening.
   */
  append(group: RecordGroup): Promise<void>;
  /**
   * The durable groups from the one that contains `fromSequence` on, oldest first. Throws
   * JournalDamagedError at a group that cannot be trusted.
   */
  read(fromSequence: number): AsyncIterable<RecordGroup>;
  /** Releases the files. */
  close(): Promise<void>;
}

/** The journal cannot be trusted from here on: an operator must examine it before anything continues. */
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
        "Restore the data directory from a copy; remove nothing by hand.",
    );
    this.file = file;
    this.offset = offset;
    this.sequence = sequence;
    this.finding = finding;
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

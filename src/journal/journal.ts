/**
 * The durable order of everything that was asked of the engine. A journal keeps groups of opaque
 * records; a group is on disk as a whole or not at all. Nothing that follows from a record may leave
 * the process before the `append` of its group has resolved.
 */

/** Records that entered together: they share one timestamp, and their sequences follow each other. */
export interface RecordGroup {
  readonly firstSequence: number;
  readonly count: number;
  /** Milliseconds since 1970 UTC, never decreasing along the journal. */
  readonly timestampMs: number;
  /**
   * The records one after another, each preceded by its length in bytes as a little-endian uint32.
   * What `read` yields is a view into a reused buffer: valid until the next group is asked for.
   */
  readonly records: Uint8Array;
}

/** Bytes in front of each record: its length as a little-endian uint32. */
export const RECORD_PREFIX_BYTES = 4;

export interface Journal {
  /** The sequence of the newest durable record, 0 in an empty journal. */
  readonly lastSequence: number;
  /** The timestamp of the newest durable record, 0 in an empty journal. */
  readonly lastTimestampMs: number;
  /** Tells this journal from every other: random, from its beginning on; 0 in an empty one. */
  readonly identity: number;
  /** The most bytes that the records of one group may have, prefixes included. */
  readonly groupBytesMax: number;
  /**
   * Adds the group behind the last one and resolves when it is on disk. The records are copied
   * before the call returns. One group at a time: the next call waits for the promise of this one.
   * Rejects with JournalWriteError, after which the journal refuses every further append: what a
   * failed write or flush left on disk is only known after it is opened anew.
   */
  append(group: RecordGroup): Promise<void>;
  /**
   * The durable groups from the one that holds `fromSequence` on, oldest first. Throws
   * JournalDamagedError where it meets one that cannot be trusted.
   */
  read(fromSequence: number): AsyncIterable<RecordGroup>;
  /** Releases the files. */
  close(): Promise<void>;
}

/** The journal cannot be trusted from here on: somebody has to look before anything continues. */
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

/** The disk refused. The journal accepts nothing more until it is opened anew. */
export class JournalWriteError extends Error {
  override readonly name = "JournalWriteError";

  constructor(action: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The journal could not ${action}: ${reason}`, { cause });
  }
}

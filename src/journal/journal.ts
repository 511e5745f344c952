/**
 * The durable order of everything that was asked of the engine. A journal keeps groups of opaque
 * records; a group is written and flushed as a whole, so it survives whole or not at all. Nothing
 * that depends on a record may leave the process before `flush` has resolved.
 */

/** Records that entered together: they share one timestamp, and their sequences follow each other. */
export interface RecordGroup {
  readonly firstSequence: number;
  readonly count: number;
  /** Milliseconds since 1970 UTC, never decreasing along the journal. */
  readonly timestampMs: number;
  /**
   * The records one after another, each preceded by its length in bytes as a little-endian uint32.
   * A view into a reused buffer: valid until the next group is asked for.
   */
  readonly records: Uint8Array;
}

/** Bytes in front of each record: its length as a little-endian uint32. */
export const RECORD_PREFIX_BYTES = 4;

export interface Journal {
  /** The sequence of the newest record, 0 in an empty journal. */
  readonly lastSequence: number;
  /** The timestamp of the newest record, 0 in an empty journal. */
  readonly lastTimestampMs: number;
  /** The most bytes that the records of one group may have, prefixes included. */
  readonly groupBytesMax: number;
  /**
   * Writes one group behind the last; durable only after `flush`. One group at a time: the next
   * append waits until the flush has resolved.
   * @param records laid out as in `RecordGroup`; copied before the call returns.
   * @returns the sequence of its first record.
   * @throws JournalWriteError; the journal is then closed to every further append.
   */
  append(count: number, timestampMs: number, records: Uint8Array): number;
  /**
   * Resolves when everything appended is on disk. Rejects with JournalWriteError; the journal is
   * then closed to every further append, since what a failed flush left on disk is unknown.
   */
  flush(): Promise<void>;
  /** The groups from the one that holds `fromSequence` on, oldest first. */
  read(fromSequence: number): AsyncIterable<RecordGroup>;
  /** Releases the files; unflushed groups may be lost. */
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

  constructor(file: string, offset: number, sequence: number, cause: string) {
    super(
      `The journal is damaged: ${cause} (file ${file}, offset ${offset}, sequence ${sequence}). ` +
        "Nothing was changed. Restore the data directory from a copy, or ask for help before " +
        "removing anything.",
    );
    this.file = file;
    this.offset = offset;
    this.sequence = sequence;
  }
}

/** The disk refused a write or a flush. The journal accepts nothing more until it is opened anew. */
export class JournalWriteError extends Error {
  override readonly name = "JournalWriteError";

  constructor(file: string, what: string, cause?: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause ?? "unknown");
    super(`The journal could not ${what} ${file}: ${reason}`, { cause });
  }
}

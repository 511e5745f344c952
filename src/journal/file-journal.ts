/**
 * The journal as files in one directory: segments of bounded size, preallocated with zeros so that a
 * flush writes only data. One group is written and flushed at a time, which distinguishes an
 * interrupted write from damage (torn-tail.ts). The caller holds the data directory's lock; nothing
 * here defends against a second writer.
 */
import { randomInt } from "node:crypto";
import { dirname, join } from "node:path";
import { assert } from "#engine/assert.ts";
import { readWhileWriting } from "./read-while-writing.ts";
import { removePartial } from "./compress-segments.ts";
import { type JournalFile, type JournalFileSystem, nodeFileSystem } from "./file-system.ts";
import {
  ALIGNMENT,
  encodeGroup,
  encodeSegmentHeader,
  extentOf,
  FORMAT_VERSION,
  HEADER_BYTES,
  recordBytesMaxOf,
  type SegmentHeader,
} from "./format.ts";
import { followByReading, Growth } from "./growth.ts";
import { GroupReader } from "./group-reader.ts";
import {
  type Journal,
  JournalDamagedError,
  JournalIdentityError,
  type JournalLog,
  JournalWriteError,
  type RecordGroup,
} from "./journal.ts";
import {
  EXTENT_MAX,
  findSegments,
  FIRST_SEGMENT_BYTES,
  flushFile,
  classifyRest,
  openToRead,
  requirePlain,
  segmentPath,
  verifyEnd,
  writeAll,
  type Segment,
} from "./segments.ts";

export interface FileJournalOptions {
  readonly directory: string;
  readonly log?: JournalLog;
  /** Size of a segment file in bytes, at least 4096. */
  readonly segmentBytes?: number;
  readonly fileSystem?: JournalFileSystem;
  /** Changes nothing on disk: a torn tail is reported and kept, and nothing can be appended. */
  readonly readOnly?: boolean;
  /**
   * For a journal opened read-only, which another process may be writing. With `durable`, the journal
   * ends with the group of that sequence, known to be on disk, and nothing after it is read; without
   * it, the journal ends with the newest intact group.
   */
  readonly besideWriter?: { readonly durable?: number };
  /** The identity that an existing journal must have and a new one gets; random if absent. */
  readonly identity?: number;
  /**
   * The version of the engine that follows or continues a journal that several share: after a newer one it
   * may not. Files have one owner, and do not say it.
   */
  readonly engineVersion?: number;
}

const SILENT: JournalLog = { info: () => undefined, warn: () => undefined };

const SEGMENT_BYTES = 64 * 1024 * 1024;
const SEGMENT_BYTES_MIN = 4096;
/**
 * Growth of segments: each has twice the bytes of the previous one and is preallocated early in it. A
 * disk that writes zeros in chunks three times as fast as an engine at full load fills them finishes
 * in time. With fourfold growth, the first large segment delayed commands by 70 ms.
 */
const SEGMENT_GROWTH = 2;
const PREPARED_FROM = 1 / 8;
const FIRST_SEQUENCE = 1;
const PREPARED_NAME = "next-segment.prepared";

/**
 * Opens the journal, cuts a torn tail and ensures that everything before it is on disk.
 * @throws JournalDamagedError, JournalIdentityError
 */
export async function openFileJournal(options: FileJournalOptions): Promise<Journal> {
  const { directory, segmentBytes = SEGMENT_BYTES, fileSystem = nodeFileSystem } = options;
  if (segmentBytes < SEGMENT_BYTES_MIN) {
    throw new RangeError(`a segment has at least ${SEGMENT_BYTES_MIN} bytes`);
  }
  const { readOnly = false, besideWriter } = options;
  if (besideWriter !== undefined && !readOnly) throw new Error("a journal has one writer");
  if (!readOnly) {
    fileSystem.createDirectory(directory);
    await fileSystem.flushDirectory(dirname(directory));
    fileSystem.remove(join(directory, PREPARED_NAME));
    removePartial(fileSystem, directory);
  }
  const segments = findSegments(fileSystem, directory, besideWriter?.durable);
  const found = segments[0]?.header.salt;
  if (options.identity !== undefined && found !== undefined && found !== options.identity) {
    throw new JournalIdentityError(directory);
  }
  const journal = new FileJournal(options, segments);
  if (besideWriter !== undefined) await journal.recoverBesideWriter(besideWriter.durable);
  else await journal.recover();
  return journal;
}

/**
 * The identity of the journal in a directory, as in `Journal.identity`, read from its first header
 * alone; 0 if there is no journal.
 */
export function journalIdentity(
  directory: string,
  fileSystem: JournalFileSystem = nodeFileSystem,
): number {
  return findSegments(fileSystem, directory, FIRST_SEQUENCE)[0]?.header.salt ?? 0;
}

class FileJournal implements Journal {
  readonly firstSequence = FIRST_SEQUENCE;
  readonly groupBytesMax: number;
  readonly term = 0;
  readonly #directory: string;
  readonly #segments: Segment[];
  readonly #fileSystem: JournalFileSystem;
  readonly #segmentBytes: number;
  readonly #log: JournalLog;
  readonly #isReadOnly: boolean;
  readonly #newIdentity: number;
  #lastSequence = 0;
  #lastTimestampMs = 0;
  #chain = 0;
  /** The newest segment, open for writing. */
  #file: JournalFile | undefined;
  /** The offset of the next group; everything before it is on disk. */
  #position = 0;
  /** The size of the newest segment's file, fully allocated. */
  #capacity = 0;
  #buffer = new Uint8Array(1 << 16);
  #isAppending = false;
  #refusal: Error | undefined;
  #prepared: Promise<boolean> | undefined;
  readonly #growth = new Growth();

  constructor(options: FileJournalOptions, segments: Segment[]) {
    this.#log = options.log ?? SILENT;
    this.#directory = options.directory;
    this.#segments = segments;
    this.#fileSystem = options.fileSystem ?? nodeFileSystem;
    this.#segmentBytes = options.segmentBytes ?? SEGMENT_BYTES;
    this.#isReadOnly = options.readOnly ?? false;
    this.#newIdentity = options.identity ?? randomInt(2 ** 32);
    this.groupBytesMax = recordBytesMaxOf(Math.min(FIRST_SEGMENT_BYTES, this.#segmentBytes));
    if (this.#isReadOnly) this.#refusal = new Error("the journal was opened for reading only");
  }

  get lastSequence(): number {
    return this.#lastSequence;
  }

  get lastTimestampMs(): number {
    return this.#lastTimestampMs;
  }

  get identity(): number {
    return this.#segments[0]?.header.salt ?? 0;
  }

  async recoverBesideWriter(durable: number | undefined): Promise<void> {
    const newest = this.#segments.at(-1);
    if (newest === undefined) return;
    const { header } = newest;
    const { file, path } = openToRead(this.#fileSystem, newest.path, header.firstSequence);
    this.#file = file;
    this.#continueBehind(await readWhileWriting(file, { path, header }, durable), file);
  }

  async recover(): Promise<void> {
    const log = this.#log;
    const readOnly = this.#isReadOnly;
    const newest = this.#segments.at(-1);
    if (newest === undefined) {
      if (readOnly) return;
      await this.#startSegment();
      log.info({ directory: this.#directory }, "started an empty journal");
      return;
    }
    const { path, header } = newest;
    requirePlain(this.#fileSystem, newest);
    const file = this.#fileSystem.open(path, readOnly ? "read" : "write");
    this.#file = file;
    const reader = new GroupReader(file, path, header);
    let groupAt = reader.position;
    for (let at = groupAt; reader.next() !== undefined; at = reader.position) groupAt = at;
    const offset = reader.position;
    const tail = classifyRest(reader, header);
    if (tail.kind === "damaged") {
      throw new JournalDamagedError(path, offset, reader.nextSequence, tail.finding);
    }
    if (tail.kind === "torn") {
      log.warn(
        { file: path, offset, bytes: tail.bytes, sequence: reader.nextSequence },
        readOnly
          ? "the journal ends in an incomplete write, which the next start will cut"
          : "cut an incomplete last write of the journal; none of its commands was acknowledged",
      );
    }
    if (!readOnly) {
      // Data that was read may only be in the page cache: it must be on disk before it is released.
      writeAgain(file, path, groupAt, offset);
      await flushFile(file, path);
      await this.#fileSystem.flushDirectory(this.#directory);
    }
    this.#continueBehind(reader, file);
  }

  #continueBehind(reader: GroupReader, file: JournalFile): void {
    this.#position = reader.position;
    this.#capacity = file.size();
    this.#lastSequence = reader.nextSequence - 1;
    this.#lastTimestampMs = reader.lastTimestampMs;
    this.#chain = reader.chain;
  }

  async append(group: RecordGroup): Promise<void> {
    if (this.#refusal !== undefined) throw this.#refusal;
    if (this.#isAppending) throw new Error("the journal is still flushing the group before");
    if (group.firstSequence !== this.#lastSequence + 1 || group.count < 1) {
      throw new Error("a group follows the last one without a gap");
    }
    if (group.timestampMs < this.#lastTimestampMs) throw new Error("time never runs backwards");
    if (group.records.length > this.groupBytesMax) throw new RangeError("the group is too large");
    this.#isAppending = true;
    try {
      const extent = extentOf(group.records.length);
      let records = group.records;
      if (this.#position + extent > this.#capacity) {
        records = records.slice();
        await this.#startSegment();
      }
      assert(
        this.#position % ALIGNMENT === 0,
        "a group begins where a sector or a part of it does",
      );
      assert(this.#position + extent <= this.#capacity, "a new segment holds the largest group");
      const { path, header } = this.#newest;
      const file = this.#openFile;
      if (this.#buffer.length < extent) this.#buffer = new Uint8Array(extent * 2);
      const chain = encodeGroup(this.#buffer, { ...group, records }, header.salt, this.#chain);
      writeAll(file, path, this.#buffer.subarray(0, extent), this.#position);
      await flushFile(file, path);
      this.#position += extent;
      this.#chain = chain;
      this.#lastSequence += group.count;
      this.#lastTimestampMs = group.timestampMs;
    } catch (error) {
      this.#refusal =
        error instanceof JournalWriteError
          ? error
          : new JournalWriteError(`write to ${this.#directory}`, error);
      throw this.#refusal;
    } finally {
      this.#isAppending = false;
    }
    this.#growth.announce();
    if (this.#position > this.#capacity * PREPARED_FROM) this.#prepared ??= this.#prepare();
  }

  async *read(fromSequence: number): AsyncGenerator<RecordGroup> {
    let index = this.#segments.findLastIndex(
      ({ header }) => header.firstSequence <= Math.max(1, fromSequence),
    );
    for (; index < this.#segments.length; index++) {
      const { path: plainPath, header } = this.#segments[index];
      const { file, path } = openToRead(this.#fileSystem, plainPath, header.firstSequence);
      try {
        const reader = new GroupReader(file, path, header);
        for (;;) {
          const isNewest = index === this.#segments.length - 1;
          if (isNewest && reader.position >= this.#position) return;
          let group = reader.next();
          if (group === undefined) {
            // The group may have been written after that part of the file was read ahead.
            reader.refresh();
            group = reader.next();
          }
          if (group === undefined) {
            verifyEnd(reader, path, this.#segments[index + 1]);
            break;
          }
          if (group.firstSequence + group.count > fromSequence) yield group;
        }
      } finally {
        file.close();
      }
    }
  }

  follow(fromSequence: number, signal: AbortSignal): AsyncGenerator<RecordGroup> {
    // The files do not show whether another process's writes are on disk.
    if (this.#isReadOnly) throw new Error("only the writer of a journal's files can follow it");
    return followByReading(this, this.#growth, fromSequence, signal);
  }

  async close(): Promise<void> {
    this.#refusal ??= new Error("the journal is closed");
    this.#growth.end();
    if (await this.#prepared) this.#removePrepared();
    this.#file?.close();
    this.#file = undefined;
  }

  get #newest(): Segment {
    return this.#segments[this.#segments.length - 1];
  }

  get #openFile(): JournalFile {
    if (this.#file === undefined) throw new Error("the journal is closed");
    return this.#file;
  }

  #bytesOfNext(): number {
    const grown = FIRST_SEGMENT_BYTES * SEGMENT_GROWTH ** this.#segments.length;
    return Math.min(this.#segmentBytes, grown);
  }

  /** Creates the next segment's file in the background; returns false on failure. */
  async #prepare(): Promise<boolean> {
    try {
      const path = join(this.#directory, PREPARED_NAME);
      await this.#fileSystem.createZeroed(path, this.#bytesOfNext());
      return true;
    } catch (error) {
      // Nothing is lost: the segment is created when needed. Until then its space is freed.
      this.#removePrepared();
      this.#log.warn({ reason: String(error) }, "the next segment of the journal was not prepared");
      return false;
    }
  }

  #removePrepared(): void {
    try {
      this.#fileSystem.remove(join(this.#directory, PREPARED_NAME));
    } catch {
      // The next start removes it.
    }
  }

  /** Creates the next segment atomically and makes it the newest. */
  async #startSegment(): Promise<void> {
    const preparedPath = join(this.#directory, PREPARED_NAME);
    const number = this.#segments.length + 1;
    const path = segmentPath(this.#directory, number);
    const isPrepared = await this.#prepared;
    this.#prepared = undefined;
    try {
      if (!isPrepared) {
        await this.#fileSystem.createZeroed(preparedPath, this.#bytesOfNext());
      }
      const header: SegmentHeader = {
        version: FORMAT_VERSION,
        salt: number === 1 ? this.#newIdentity : randomInt(2 ** 32),
        number,
        chain: this.#chain,
        firstSequence: this.#lastSequence + 1,
        lastTimestampMs: this.#lastTimestampMs,
      };
      const file = this.#fileSystem.open(preparedPath, "write");
      this.#file?.close();
      this.#file = file;
      writeAll(file, preparedPath, encodeSegmentHeader(header), 0);
      await file.flush();
      this.#fileSystem.rename(preparedPath, path);
      await this.#fileSystem.flushDirectory(this.#directory);
      this.#segments.push({ path, header });
      this.#position = HEADER_BYTES;
      this.#capacity = file.size();
    } catch (error) {
      if (error instanceof JournalWriteError) throw error;
      throw new JournalWriteError(`create ${path}`, error);
    }
  }
}

/**
 * Writes the newest group again, followed by zeros as far as an interrupted write may have reached.
 * After a failed flush, Linux keeps the pages in the cache marked as written and never retries them.
 * Only the newest group can be affected, since each is written only when the previous one is on disk.
 */
function writeAgain(file: JournalFile, path: string, groupAt: number, end: number): void {
  const bytes = new Uint8Array(Math.min(file.size(), end + EXTENT_MAX) - groupAt);
  file.read(bytes.subarray(0, end - groupAt), groupAt);
  writeAll(file, path, bytes, groupAt);
}

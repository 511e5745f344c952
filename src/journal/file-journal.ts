/**
 * The journal as files in one directory: segments of bounded size, preallocated with zeros so that a
 * flush writes data and nothing else. One group is written and flushed at a time, the fact that
 * tells an interrupted write from damage (torn-tail.ts). Whoever opens it holds the data directory's
 * lock; nothing here defends against a second writer.
 */
import { randomInt } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type JournalFile, type JournalFileSystem, nodeFileSystem } from "./file-system.ts";
import {
  decodeSegmentHeader,
  encodeGroup,
  encodeSegmentHeader,
  extentOf,
  FORMAT_VERSION,
  HEADER_BYTES,
  recordBytesMaxOf,
  type SegmentHeader,
} from "./format.ts";
import { GroupReader } from "./group-reader.ts";
import {
  type Journal,
  JournalDamagedError,
  JournalWriteError,
  type RecordGroup,
} from "./journal.ts";
import { judgeTail, usedBytes } from "./torn-tail.ts";

export interface JournalLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface FileJournalOptions {
  readonly directory: string;
  readonly log: JournalLog;
  /** Bytes of one segment file, at least 4096. */
  readonly segmentBytes?: number;
  readonly fileSystem?: JournalFileSystem;
  /** Changes nothing on disk: a torn tail is reported and left, and nothing can be appended. */
  readonly readOnly?: boolean;
  /**
   * Of a journal that is open for reading only: somebody else may be writing it. With `durable`, the
   * journal ends with the group of that sequence, known to be on disk, and nothing behind is looked
   * at; without, it ends with what is whole at the moment.
   */
  readonly besideWriter?: { readonly durable?: number };
}

const SILENT: JournalLog = { info: () => undefined, warn: () => undefined };

const SEGMENT_BYTES = 64 * 1024 * 1024;
const SEGMENT_BYTES_MIN = 4096;
/** The first segments are smaller, so that a small exchange keeps a small directory. */
const FIRST_SEGMENT_BYTES = 1024 * 1024;
/**
 * Each has twice the bytes of the one before and is prepared early in it: a disk that takes zeros in
 * pieces three times as fast as an engine at full load fills them is done in time. Grown fourfold,
 * the first large one held commands up for 70 ms.
 */
const SEGMENT_GROWTH = 2;
const PREPARED_FROM = 1 / 8;
/** The most bytes that one group takes. */
const EXTENT_MAX = extentOf(recordBytesMaxOf(FIRST_SEGMENT_BYTES));
const COPY_BYTES = 1 << 20;
const FIRST_SEQUENCE = 1;
const SEGMENT_NAME = /^segment-(\d{8})\.journal$/;
const PREPARED_NAME = "next-segment.prepared";
/** How often, and how long apart, a tail that looks damaged while somebody writes is looked at. */
const TAIL_LOOKS_MAX = 10;
const TAIL_LOOKS_APART_MS = 20;

interface Segment {
  readonly path: string;
  readonly header: SegmentHeader;
}

/** Opens the journal, cuts a torn tail and makes sure that everything before it is on disk. */
export async function openFileJournal(options: FileJournalOptions): Promise<Journal> {
  const { directory, log, segmentBytes = SEGMENT_BYTES, fileSystem = nodeFileSystem } = options;
  if (segmentBytes < SEGMENT_BYTES_MIN) {
    throw new RangeError(`a segment has at least ${SEGMENT_BYTES_MIN} bytes`);
  }
  const { readOnly = false, besideWriter } = options;
  if (besideWriter !== undefined && !readOnly) throw new Error("a journal has one writer");
  if (!readOnly) {
    fileSystem.createDirectory(directory);
    await fileSystem.flushDirectory(dirname(directory));
    fileSystem.remove(join(directory, PREPARED_NAME));
  }
  const segments = findSegments(fileSystem, directory, besideWriter?.durable);
  const journal = new FileJournal(directory, segments, fileSystem, segmentBytes, log);
  if (besideWriter !== undefined) await journal.recoverBesideWriter(besideWriter.durable);
  else await journal.recover(readOnly);
  return journal;
}

/**
 * The identity of the journal in a directory, as `Journal.identity` has it, from its first header
 * alone; 0 if there is no journal.
 */
export function journalIdentity(
  directory: string,
  fileSystem: JournalFileSystem = nodeFileSystem,
): number {
  return findSegments(fileSystem, directory, FIRST_SEQUENCE)[0]?.header.salt ?? 0;
}

/**
 * Copies a journal, beside its writer too, up to the newest group that is whole: what a copy of the
 * files alone could not promise, since groups are written while it reads.
 * @returns the last sequence in the copy.
 */
export async function copyJournal(options: {
  readonly from: string;
  /** Must not exist yet. */
  readonly to: string;
  readonly fileSystem?: JournalFileSystem;
}): Promise<number> {
  const { from, to, fileSystem = nodeFileSystem } = options;
  const segments = findSegments(fileSystem, from);
  const journal = new FileJournal(from, segments, fileSystem, SEGMENT_BYTES);
  await journal.recoverBesideWriter(undefined);
  try {
    await journal.copyTo(to);
    return journal.lastSequence;
  } finally {
    await journal.close();
  }
}

class FileJournal implements Journal {
  readonly groupBytesMax: number;
  readonly #directory: string;
  readonly #segments: Segment[];
  readonly #fileSystem: JournalFileSystem;
  readonly #segmentBytes: number;
  readonly #log: JournalLog;
  #lastSequence = 0;
  #lastTimestampMs = 0;
  #chain = 0;
  /** The newest segment, open for writing. */
  #file: JournalFile | undefined;
  /** Where the next group goes; everything before is on disk. */
  #position = 0;
  /** The size of the newest segment's file, all of it allocated. */
  #capacity = 0;
  #buffer = new Uint8Array(1 << 16);
  #isAppending = false;
  #refusal: Error | undefined;
  #prepared: Promise<boolean> | undefined;

  constructor(
    directory: string,
    segments: Segment[],
    fileSystem: JournalFileSystem,
    segmentBytes: number,
    log: JournalLog = SILENT,
  ) {
    this.#log = log;
    this.#directory = directory;
    this.#segments = segments;
    this.#fileSystem = fileSystem;
    this.#segmentBytes = segmentBytes;
    this.groupBytesMax = recordBytesMaxOf(Math.min(FIRST_SEGMENT_BYTES, segmentBytes));
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

  /**
   * The newest group may be half written at this moment, which only another look tells from damage:
   * its writer goes on, damage stays.
   */
  async recoverBesideWriter(durable: number | undefined): Promise<void> {
    this.#refusal = new Error("the journal was opened for reading only");
    const newest = this.#segments.at(-1);
    if (newest === undefined) return;
    const { path, header } = newest;
    const file = this.#fileSystem.open(path, "read");
    this.#file = file;
    const reader = new GroupReader(file, path, header);
    for (let looks = 1; ; looks++) {
      reader.refresh();
      while (durable === undefined || reader.nextSequence <= durable) {
        if (reader.next() === undefined) break;
      }
      if (durable !== undefined && reader.nextSequence > durable) break;
      const { kind, finding } = judge(reader, header);
      if (durable === undefined && kind !== "damaged") break;
      if (looks === TAIL_LOOKS_MAX) {
        const refusal = finding ?? "a group that was on disk cannot be read";
        throw new JournalDamagedError(path, reader.position, reader.nextSequence, refusal);
      }
      await delay(TAIL_LOOKS_APART_MS);
    }
    this.#continueBehind(reader, file);
  }

  async recover(readOnly: boolean): Promise<void> {
    const log = this.#log;
    if (readOnly) this.#refusal = new Error("the journal was opened for reading only");
    const newest = this.#segments.at(-1);
    if (newest === undefined) {
      if (readOnly) return;
      await this.#startSegment();
      log.info({ directory: this.#directory }, "started an empty journal");
      return;
    }
    const { path, header } = newest;
    const file = this.#fileSystem.open(path, readOnly ? "read" : "write");
    this.#file = file;
    const reader = new GroupReader(file, path, header);
    let groupAt = reader.position;
    for (let at = groupAt; reader.next() !== undefined; at = reader.position) groupAt = at;
    const offset = reader.position;
    const tail = judge(reader, header);
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
      // What was read may stand in the page cache only: it must be on disk before anybody sees it.
      writeAgain(file, path, groupAt, offset);
      await flush(file, path);
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
      const { path, header } = this.#newest;
      const file = this.#openFile;
      if (this.#buffer.length < extent) this.#buffer = new Uint8Array(extent * 2);
      const chain = encodeGroup(this.#buffer, { ...group, records }, header.salt, this.#chain);
      write(file, path, this.#buffer.subarray(0, extent), this.#position);
      await flush(file, path);
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
    if (this.#position > this.#capacity * PREPARED_FROM) this.#prepared ??= this.#prepare();
  }

  async copyTo(directory: string): Promise<void> {
    const fileSystem = this.#fileSystem;
    fileSystem.createDirectory(directory);
    await fileSystem.flushDirectory(dirname(directory));
    const piece = new Uint8Array(COPY_BYTES);
    for (const { path } of this.#segments) {
      const source = fileSystem.open(path, "read");
      try {
        // Behind the newest group there is nothing yet, whatever is being written there.
        const end = path === this.#newest.path ? this.#position : source.size();
        const target = join(directory, basename(path));
        await fileSystem.createZeroed(target, source.size());
        const copy = fileSystem.open(target, "write");
        try {
          for (let position = 0; position < end; position += COPY_BYTES) {
            const wanted = piece.subarray(0, Math.min(COPY_BYTES, end - position));
            write(copy, target, wanted.subarray(0, source.read(wanted, position)), position);
          }
          await flush(copy, target);
        } finally {
          copy.close();
        }
      } finally {
        source.close();
      }
    }
    await fileSystem.flushDirectory(directory);
  }

  async *read(fromSequence: number): AsyncGenerator<RecordGroup> {
    let index = this.#segments.findLastIndex(
      ({ header }) => header.firstSequence <= Math.max(1, fromSequence),
    );
    for (; index < this.#segments.length; index++) {
      const { path, header } = this.#segments[index];
      const file = this.#fileSystem.open(path, "read");
      try {
        const reader = new GroupReader(file, path, header);
        for (;;) {
          const isNewest = index === this.#segments.length - 1;
          if (isNewest && reader.position >= this.#position) return;
          const group = reader.next();
          if (group === undefined) {
            this.#verifyEnd(reader, index);
            break;
          }
          if (group.firstSequence + group.count > fromSequence) yield group;
        }
      } finally {
        file.close();
      }
    }
  }

  async close(): Promise<void> {
    this.#refusal ??= new Error("the journal is closed");
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

  /** A segment that has a successor ends in zeros, and the successor continues where it ended. */
  #verifyEnd(reader: GroupReader, index: number): void {
    const { path } = this.#segments[index];
    const successor = this.#segments[index + 1];
    const refuse = (finding: string): never => {
      throw new JournalDamagedError(path, reader.position, reader.nextSequence, finding);
    };
    if (successor === undefined) return refuse("a group that was there before cannot be read");
    if (usedBytes(reader.rest()) > 0) {
      refuse("a group cannot be read and later ones exist");
    }
    const { firstSequence, chain } = successor.header;
    if (firstSequence !== reader.nextSequence) {
      refuse(`the next segment, ${basename(successor.path)}, begins at sequence ${firstSequence}`);
    }
    if (chain !== reader.chain) {
      refuse(`the next segment, ${basename(successor.path)}, does not follow this one`);
    }
  }

  #bytesOfNext(): number {
    const grown = FIRST_SEGMENT_BYTES * SEGMENT_GROWTH ** this.#segments.length;
    return Math.min(this.#segmentBytes, grown);
  }

  /** Makes the next segment's file in the background; false where that failed. */
  async #prepare(): Promise<boolean> {
    try {
      const path = join(this.#directory, PREPARED_NAME);
      await this.#fileSystem.createZeroed(path, this.#bytesOfNext());
      return true;
    } catch (error) {
      // Nothing is lost: the segment is made when it is needed. Until then others need the room.
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

  /** Creates the next segment whole or not at all, and makes it the newest. */
  async #startSegment(): Promise<void> {
    const preparedPath = join(this.#directory, PREPARED_NAME);
    const number = this.#segments.length + 1;
    const path = join(this.#directory, `segment-${String(number).padStart(8, "0")}.journal`);
    const isPrepared = await this.#prepared;
    this.#prepared = undefined;
    try {
      if (!isPrepared) {
        await this.#fileSystem.createZeroed(preparedPath, this.#bytesOfNext());
      }
      const header: SegmentHeader = {
        version: FORMAT_VERSION,
        salt: randomInt(2 ** 32),
        number,
        chain: this.#chain,
        firstSequence: this.#lastSequence + 1,
        lastTimestampMs: this.#lastTimestampMs,
      };
      const file = this.#fileSystem.open(preparedPath, "write");
      this.#file?.close();
      this.#file = file;
      write(file, preparedPath, encodeSegmentHeader(header), 0);
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

/** Judges what stands behind the last group that can be read. */
function judge(reader: GroupReader, { salt }: SegmentHeader) {
  const tail = judgeTail(reader.rest(), reader.position, salt, EXTENT_MAX);
  return { finding: undefined, ...tail };
}

/**
 * Writes the newest group once more, and zeros behind it as far as an interrupted write may have
 * come. A flush that failed has left them in the page cache and, on Linux, is never made up for: what
 * is not written again counts as written. Only the newest group can be meant, since none is written
 * before the one before it is on disk.
 */
function writeAgain(file: JournalFile, path: string, groupAt: number, end: number): void {
  const bytes = new Uint8Array(Math.min(file.size(), end + EXTENT_MAX) - groupAt);
  file.read(bytes.subarray(0, end - groupAt), groupAt);
  write(file, path, bytes, groupAt);
}

/** The segments in order up to the one that holds `durable`, their headers checked. */
function findSegments(
  fileSystem: JournalFileSystem,
  directory: string,
  durable = Number.POSITIVE_INFINITY,
): Segment[] {
  const names = fileSystem.list(directory).filter((name) => SEGMENT_NAME.test(name));
  const segments: Segment[] = [];
  let sequence = 1;
  for (const name of names.sort()) {
    const path = join(directory, name);
    const number = segments.length + 1;
    const refuse = (finding: string): never => {
      throw new JournalDamagedError(path, 0, sequence, finding);
    };
    if (Number(SEGMENT_NAME.exec(name)?.[1]) !== number) refuse(`segment ${number} is missing`);
    const header = readHeader(fileSystem, path);
    if (header === undefined) return refuse("the header of a segment cannot be read");
    if (header.version !== FORMAT_VERSION) {
      refuse(`its format version ${header.version} is not known to this version of the program`);
    }
    if (header.number !== number) refuse(`the file is segment ${header.number} under another name`);
    if (header.firstSequence < sequence || (number === 1 && header.firstSequence !== 1)) {
      refuse(`the segment begins at sequence ${header.firstSequence}`);
    }
    if (header.firstSequence > durable) break;
    sequence = header.firstSequence;
    segments.push({ path, header });
  }
  return segments;
}

function readHeader(fileSystem: JournalFileSystem, path: string): SegmentHeader | undefined {
  const file = fileSystem.open(path, "read");
  try {
    const bytes = new Uint8Array(HEADER_BYTES);
    return decodeSegmentHeader(bytes.subarray(0, file.read(bytes, 0)));
  } finally {
    file.close();
  }
}

/** Writes all bytes or throws: a disk that took only some of them is full or broken. */
function write(file: JournalFile, path: string, bytes: Uint8Array, position: number): void {
  let written: number;
  try {
    written = file.write(bytes, position);
  } catch (error) {
    throw new JournalWriteError(`write to ${path}`, error);
  }
  if (written !== bytes.length) {
    const finding = new Error(`the disk took ${written} of ${bytes.length} bytes`);
    throw new JournalWriteError(`write to ${path}`, finding);
  }
}

async function flush(file: JournalFile, path: string): Promise<void> {
  try {
    await file.flush();
  } catch (error) {
    throw new JournalWriteError(`flush ${path}`, error);
  }
}

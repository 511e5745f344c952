/** The segments of a journal as files: finds them, and verifies their headers and their ends. */
import { basename, join } from "node:path";
import { type CompressedForm, CompressedSegment } from "./compressed-segment.ts";
import type { JournalFile, JournalFileSystem } from "./file-system.ts";
import {
  decodeSegmentHeader,
  extentOf,
  FORMAT_VERSION,
  HEADER_BYTES,
  recordBytesMaxOf,
  type SegmentHeader,
} from "./format.ts";
import { CompressedSegmentError } from "./frame-table.ts";
import type { GroupReader } from "./group-reader.ts";
import { JournalDamagedError, JournalWriteError } from "./journal.ts";
import { classifyTail, usedBytes, type TailFinding } from "./torn-tail.ts";

/** The first segments are smaller, so that a small exchange keeps a small directory. */
export const FIRST_SEGMENT_BYTES = 1024 * 1024;
/** Limit of one group in bytes. */
export const EXTENT_MAX = extentOf(recordBytesMaxOf(FIRST_SEGMENT_BYTES));
/** A compressed segment has a longer name; briefly both files exist. */
const SEGMENT_NAME = /^segment-(\d{8})\.journal(?:\.columns|\.zst)?$/;

export interface Segment {
  /** Path of the plain file, even if the segment is already compressed. */
  readonly path: string;
  readonly header: SegmentHeader;
}

/** @param number counts from 1 */
export function segmentPath(directory: string, number: number): string {
  return join(directory, `segment-${String(number).padStart(8, "0")}.journal`);
}

/** @param path that of the plain segment */
export function compressedPath(path: string, form: CompressedForm): string {
  return `${path}.${form}`;
}

/** A segment opened for reading. */
export interface ReadableSegment {
  /** The segment's plain content, whether or not its file is compressed. */
  readonly file: JournalFile;
  /** Path of the file that was opened. */
  readonly path: string;
  readonly form: "plain" | CompressedForm;
}

/** In this order, since a file is removed only after one of an earlier form is complete. */
const COMPRESSED_FORMS: readonly CompressedForm[] = ["columns", "zst"];

/**
 * Opens a segment that may be compressed, or is being compressed by another process: the compressed
 * file is complete before the plain one is removed. While both exist, the plain one is read.
 * @throws JournalDamagedError with the sequence if the compressed file's table is damaged
 */
export function openToRead(
  fileSystem: JournalFileSystem,
  path: string,
  sequence: number,
): ReadableSegment {
  try {
    return { file: fileSystem.open(path, "read"), path, form: "plain" };
  } catch (missing) {
    for (const form of COMPRESSED_FORMS) {
      const compressed = compressedPath(path, form);
      const file = openIfThere(fileSystem, compressed);
      if (file === undefined) {
        const archived = fileSystem.linkedFrom(compressed);
        if (archived !== undefined) throw new ArchiveMissingError(compressed, archived);
        continue;
      }
      try {
        return { file: new CompressedSegment(file, form), path: compressed, form };
      } catch (error) {
        file.close();
        if (!(error instanceof CompressedSegmentError)) throw error;
        throw new JournalDamagedError(compressed, 0, sequence, error.message);
      }
    }
    throw missing;
  }
}

/** A segment was moved to the archive and cannot be read there. */
class ArchiveMissingError extends Error {
  override readonly name = "ArchiveMissingError";

  constructor(path: string, archived: string) {
    super(
      `${basename(path)} of the journal is in the archive, as ${archived}, which cannot be read. ` +
        "Make the archive available there; nothing else helps.",
    );
  }
}

function openIfThere(fileSystem: JournalFileSystem, path: string): JournalFile | undefined {
  try {
    return fileSystem.open(path, "read");
  } catch {
    return undefined;
  }
}

/** The segments in order, with verified headers, up to the one that contains `durable`. */
export function findSegments(
  fileSystem: JournalFileSystem,
  directory: string,
  durable = Number.POSITIVE_INFINITY,
): Segment[] {
  const numbers = fileSystem.list(directory).flatMap((name) => {
    const match = SEGMENT_NAME.exec(name);
    return match === null ? [] : [Number(match[1])];
  });
  const segments: Segment[] = [];
  let sequence = 1;
  for (const found of [...new Set(numbers)].sort((a, b) => a - b)) {
    const path = segmentPath(directory, found);
    const number = segments.length + 1;
    const refuse = (finding: string): never => {
      throw new JournalDamagedError(path, 0, sequence, finding);
    };
    if (found !== number) refuse(`segment ${number} is missing`);
    const header = readHeader(fileSystem, path, sequence);
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

function readHeader(
  fileSystem: JournalFileSystem,
  path: string,
  sequence: number,
): SegmentHeader | undefined {
  const segment = openToRead(fileSystem, path, sequence);
  try {
    const bytes = new Uint8Array(HEADER_BYTES);
    return decodeSegmentHeader(bytes.subarray(0, segment.file.read(bytes, 0)));
  } catch (error) {
    if (!(error instanceof CompressedSegmentError)) throw error;
    throw new JournalDamagedError(segment.path, 0, sequence, error.message);
  } finally {
    segment.file.close();
  }
}

/** Only a segment with a successor is ever compressed: if the newest is, its successor was lost. */
export function requirePlain(fileSystem: JournalFileSystem, { path, header }: Segment): void {
  const opened = openToRead(fileSystem, path, header.firstSequence);
  opened.file.close();
  if (opened.form === "plain") return;
  const finding = "the segment after this one is missing";
  throw new JournalDamagedError(opened.path, 0, header.firstSequence, finding);
}

/** Checks that a segment with a successor ends in zeros, and that the successor continues where it ended. */
export function verifyEnd(reader: GroupReader, path: string, successor: Segment | undefined): void {
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

/** Classifies the data after the last readable group. */
export function classifyRest(reader: GroupReader, { salt }: SegmentHeader): TailFinding {
  return classifyTail(reader.rest(), reader.position, salt, EXTENT_MAX);
}

/** Writes all bytes or throws: a disk that accepts only some of them is full or broken. */
export function writeAll(
  file: JournalFile,
  path: string,
  bytes: Uint8Array,
  position: number,
): void {
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

/** @throws JournalWriteError if the disk fails */
export async function flushFile(file: JournalFile, path: string): Promise<void> {
  try {
    await file.flush();
  } catch (error) {
    throw new JournalWriteError(`flush ${path}`, error);
  }
}

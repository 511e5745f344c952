/** The segments of a journal as files: finding them, and the rules for their headers and their ends. */
import { basename, join } from "node:path";
import type { JournalFile, JournalFileSystem } from "./file-system.ts";
import {
  decodeSegmentHeader,
  extentOf,
  FORMAT_VERSION,
  HEADER_BYTES,
  recordBytesMaxOf,
  type SegmentHeader,
} from "./format.ts";
import type { GroupReader } from "./group-reader.ts";
import { JournalDamagedError, JournalWriteError } from "./journal.ts";
import { judgeTail, usedBytes, type TailFinding } from "./torn-tail.ts";

/** The first segments are smaller, so that a small exchange keeps a small directory. */
export const FIRST_SEGMENT_BYTES = 1024 * 1024;
/** The most bytes of one group. */
export const EXTENT_MAX = extentOf(recordBytesMaxOf(FIRST_SEGMENT_BYTES));
const SEGMENT_NAME = /^segment-(\d{8})\.journal$/;

export interface Segment {
  readonly path: string;
  readonly header: SegmentHeader;
}

/** @param number counts from 1 */
export function segmentPath(directory: string, number: number): string {
  return join(directory, `segment-${String(number).padStart(8, "0")}.journal`);
}

/** The segments in order up to the one that contains `durable`, with verified headers. */
export function findSegments(
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

/** A segment that has a successor ends in zeros, and the successor continues where it ended. */
export function verifyEnd(
  reader: GroupReader,
  { path }: Segment,
  successor: Segment | undefined,
): void {
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

/** Judges the data after the last readable group. */
export function judgeRest(reader: GroupReader, { salt }: SegmentHeader): TailFinding {
  return judgeTail(reader.rest(), reader.position, salt, EXTENT_MAX);
}

/** Writes all bytes or throws: a disk that accepted only some of them is full or broken. */
export function write(file: JournalFile, path: string, bytes: Uint8Array, position: number): void {
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

export async function flush(file: JournalFile, path: string): Promise<void> {
  try {
    await file.flush();
  } catch (error) {
    throw new JournalWriteError(`flush ${path}`, error);
  }
}

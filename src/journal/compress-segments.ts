/**
 * Compresses the segments that are no longer written, while the exchange runs. A segment is never
 * lost, whenever compression is interrupted: the compressed file gets its name only after it was
 * read back from the disk and decompresses to the same bytes, and the plain file is removed only
 * after that name is on the disk.
 */
import { createHash, randomInt } from "node:crypto";
import { join } from "node:path";
import { encodeFrame, FRAME_BYTES } from "./columns/frame.ts";
import { CompressedSegment } from "./compressed-segment.ts";
import { type JournalFile, type JournalFileSystem, nodeFileSystem } from "./file-system.ts";
import { HEADER_BYTES } from "./format.ts";
import { encodeFrameTable } from "./frame-table.ts";
import { GroupReader } from "./group-reader.ts";
import { compressedPath, findSegments, openToRead, type Segment, verifyEnd } from "./segments.ts";
import { writeInChunks } from "./write-in-chunks.ts";

const PARTIAL_NAMES = /^segment-.*\.partial$/;

export interface CompressedSegments {
  readonly segments: number;
  /** Bytes of the plain segments, and of the compressed files that replace them. */
  readonly plainBytes: number;
  readonly bytes: number;
}

/**
 * Compresses the oldest segments that are plain or in an earlier form, none of which contains `durable` or anything after it. A
 * segment with damaged content, or in the archive, stays as it is.
 * @param options.durable a sequence that is known to be on disk.
 * @throws JournalDamagedError, or the system's error if the disk is full or fails.
 */
export async function compressSegments(options: {
  readonly directory: string;
  readonly durable: number;
  /** Maximum number of segments to compress. */
  readonly segmentsMax: number;
  readonly fileSystem?: JournalFileSystem;
}): Promise<CompressedSegments> {
  const { directory, durable, segmentsMax, fileSystem = nodeFileSystem } = options;
  removePartial(fileSystem, directory);
  const segments = findSegments(fileSystem, directory, durable);
  let count = 0;
  let plainBytes = 0;
  let bytes = 0;
  for (const [index, segment] of segments.slice(0, -1).entries()) {
    if (count === segmentsMax) break;
    const source = openToRead(fileSystem, segment.path, segment.header.firstSequence);
    try {
      // In the archive it would stay, and its columns would take the space here that the archive frees.
      const isArchived = fileSystem.linkedFrom(source.path) !== undefined;
      if (source.form === "columns" || isArchived) continue;
      bytes += await compress(fileSystem, directory, source.file, segment, segments[index + 1]);
      plainBytes += source.file.size();
      count += 1;
    } finally {
      source.file.close();
    }
    fileSystem.remove(source.path);
    await fileSystem.flushDirectory(directory);
  }
  return { segments: count, plainBytes, bytes };
}

/** Identifies this process, also among those of other machines that share an archive. */
const WRITER = `${process.pid}-${randomInt(2 ** 32).toString(16)}`;

/**
 * The temporary path of a file that will replace the one at `path`. It contains the writer, so
 * that no process renames a file that another has not verified yet.
 */
export function partialName(path: string): string {
  return `${path}.${WRITER}.partial`;
}

/** Removes the remains of an interrupted compression or move. */
export function removePartial(fileSystem: JournalFileSystem, directory: string): void {
  for (const name of fileSystem.list(directory)) {
    if (PARTIAL_NAMES.test(name)) fileSystem.remove(join(directory, name));
  }
}

/**
 * Compresses a segment that is no longer written. Resolves with the size of the compressed file once it is
 * verified and its directory entry is on disk.
 */
export async function compress(
  fileSystem: JournalFileSystem,
  directory: string,
  plain: JournalFile,
  segment: Segment,
  successor: Segment,
): Promise<number> {
  const target = compressedPath(segment.path, "columns");
  const partial = partialName(target);
  try {
    const { bytes, digest } = await writeCompressed(
      fileSystem,
      plain,
      partial,
      segment.header.salt,
    );
    verifyCompressed(fileSystem, partial, { segment, successor, digest });
    fileSystem.rename(partial, target);
    await fileSystem.flushDirectory(directory);
    return bytes;
  } catch (error) {
    // On a full disk, the journal needs the space that this file takes.
    fileSystem.remove(partial);
    throw error;
  }
}

async function writeCompressed(
  fileSystem: JournalFileSystem,
  plain: JournalFile,
  path: string,
  salt: number,
): Promise<{ bytes: number; digest: string }> {
  await fileSystem.createZeroed(path, 0);
  const target = fileSystem.open(path, "write");
  const hash = createHash("sha256");
  const frames: { bytes: number; plainBytes: number }[] = [];
  let bytes = 0;
  const write = async (part: Uint8Array) => {
    await writeInChunks(target, path, part, bytes);
    bytes += part.length;
  };
  try {
    const buffer = new Uint8Array(Math.min(FRAME_BYTES, plain.size()));
    for (let position = 0; position < plain.size();) {
      // The header has a frame of its own: it is read far more often than the rest.
      const wanted = position === 0 ? buffer.subarray(0, HEADER_BYTES) : buffer;
      const frame = encodeFrame(wanted.subarray(0, plain.read(wanted, position)), salt);
      hash.update(buffer.subarray(0, frame.plainBytes));
      frames.push({ bytes: frame.bytes.length, plainBytes: frame.plainBytes });
      await write(frame.bytes);
      position += frame.plainBytes;
    }
    await write(encodeFrameTable(frames));
  } finally {
    target.close();
  }
  return { bytes, digest: hash.digest("hex") };
}

/**
 * Reads the compressed file back. @throws if it does not contain the same bytes and every group of
 * the segment.
 */
function verifyCompressed(
  fileSystem: JournalFileSystem,
  path: string,
  expected: { readonly segment: Segment; readonly successor: Segment; readonly digest: string },
): void {
  const { segment, successor, digest } = expected;
  const written = fileSystem.open(path, "read");
  try {
    const file = new CompressedSegment(written, "columns");
    const hash = createHash("sha256");
    const buffer = new Uint8Array(Math.min(FRAME_BYTES, file.size()));
    for (let position = 0; position < file.size(); position += buffer.length) {
      hash.update(buffer.subarray(0, file.read(buffer, position)));
    }
    if (hash.digest("hex") !== digest) {
      throw new Error(`${path} is not what was written to it`);
    }
    const reader = new GroupReader(file, segment.path, segment.header);
    while (reader.next() !== undefined);
    verifyEnd(reader, segment.path, successor);
  } finally {
    written.close();
  }
}

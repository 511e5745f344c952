/**
 * The archive of a stream: its oldest messages as sealed segments in files, which are compressed as those of
 * a journal in files are. The groups in them are the messages byte for byte, so the chain continues from the
 * archive to the stream. Where a segment ends follows from the messages alone: two nodes that archive the same
 * stream, one of which is late, write the same segments.
 */
import { type JournalFileSystem, nodeFileSystem } from "../file-system.ts";
import { archiveOf } from "../archive-segments.ts";
import { GroupReader } from "../group-reader.ts";
import type { RecordGroup } from "../journal.ts";
import { findSegments, openToRead, type Segment, segmentPath, verifyEnd } from "../segments.ts";
import type { StreamBeginning } from "./stream-beginning.ts";

/** The segments of the archive in a directory; none if it is not there. */
export function segmentsIn(fileSystem: JournalFileSystem, directory: string): Segment[] {
  try {
    fileSystem.list(directory);
  } catch {
    return [];
  }
  return findSegments(fileSystem, directory);
}

/** The groups of a segment that has a successor, or is followed by the stream. */
export function* groupsOf(
  fileSystem: JournalFileSystem,
  segment: Segment,
  successor: Segment,
): Generator<RecordGroup> {
  const { path: plainPath, header } = segment;
  const { file, path } = openToRead(fileSystem, plainPath, header.firstSequence);
  try {
    const reader = new GroupReader(file, path, header);
    for (let group = reader.next(); group !== undefined; group = reader.next()) yield group;
    verifyEnd(reader, path, successor);
  } finally {
    file.close();
  }
}

/** What stands in front of a shortened stream. */
export class StreamArchive {
  readonly #fileSystem: JournalFileSystem;
  readonly #segments: readonly Segment[];
  /** The stream itself, as the successor of the last segment. */
  readonly #stream: Segment;
  /** What is missing of it, as the end of a sentence; undefined if it is there. */
  readonly gap: string | undefined;

  /** @param archives the directory of all archives */
  constructor(
    archives: string | undefined,
    { header, identity, segments: count }: StreamBeginning,
    fileSystem: JournalFileSystem = nodeFileSystem,
  ) {
    this.#fileSystem = fileSystem;
    if (archives === undefined) {
      this.#segments = [];
      this.gap = "none is named";
    } else {
      const directory = archiveOf(archives, "stream", identity);
      this.#segments = segmentsIn(fileSystem, directory).slice(0, count);
      const found = this.#segments.length;
      if (found < count) this.gap = `${directory} has ${found} of its ${count} segments`;
    }
    this.#stream = { path: segmentPath("the stream", count + 1), header };
  }

  /** The groups from the one with this sequence on. @throws JournalDamagedError */
  *read(fromSequence: number): Generator<RecordGroup> {
    const segments = this.#segments;
    const from = segments.findLastIndex(
      ({ header }) => header.firstSequence <= Math.max(1, fromSequence),
    );
    for (let index = from; index < segments.length; index++) {
      const successor = segments[index + 1] ?? this.#stream;
      for (const group of groupsOf(this.#fileSystem, segments[index], successor)) {
        if (group.firstSequence + group.count > fromSequence) yield group;
      }
    }
  }
}

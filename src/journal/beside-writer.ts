/** A journal that another process may be writing: reading its intact part, and copying it. */
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type JournalFile, type JournalFileSystem, nodeFileSystem } from "./file-system.ts";
import { GroupReader } from "./group-reader.ts";
import { JournalDamagedError } from "./journal.ts";
import { findSegments, flush, judgeRest, openToRead, write, type Segment } from "./segments.ts";

/** How often, and at what interval, a tail that looks damaged during writing is checked again. */
const TAIL_LOOKS_MAX = 10;
const TAIL_LOOKS_APART_MS = 20;
const COPY_BYTES = 1 << 20;

/**
 * Reads the newest segment to its end, or to the group of the sequence that is known to be durable.
 * The newest group may be half written at this moment, which only another read distinguishes from
 * damage: an unfinished write gets finished, damage stays.
 */
export async function readBesideWriter(
  file: JournalFile,
  { path, header }: Segment,
  durable?: number,
): Promise<GroupReader> {
  const reader = new GroupReader(file, path, header);
  for (let looks = 1; ; looks++) {
    reader.refresh();
    while (durable === undefined || reader.nextSequence <= durable) {
      if (reader.next() === undefined) break;
    }
    if (durable !== undefined && reader.nextSequence > durable) return reader;
    const tail = judgeRest(reader, header);
    const isDamaged = tail.kind === "damaged";
    if (durable === undefined && !isDamaged) return reader;
    if (looks === TAIL_LOOKS_MAX) {
      const finding = isDamaged ? tail.finding : "a group that was on disk cannot be read";
      throw new JournalDamagedError(path, reader.position, reader.nextSequence, finding);
    }
    await delay(TAIL_LOOKS_APART_MS);
  }
}

/**
 * Copies a journal, also while it is written, up to the newest intact group: copying the files
 * alone could not ensure that, since groups are written while they are read.
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
  fileSystem.createDirectory(to);
  await fileSystem.flushDirectory(dirname(to));
  let lastSequence = 0;
  for (const segment of segments) {
    const { path: plainPath, header } = segment;
    const isNewest = segment === segments.at(-1);
    const opened = openToRead(fileSystem, plainPath, header.firstSequence);
    if (opened.isCompressed && !isNewest) {
      opened.file.close();
      await copyCompressed(fileSystem, opened.path, join(to, basename(opened.path)));
      continue;
    }
    const source = opened.file;
    try {
      let end = source.size();
      if (isNewest) {
        // The data ends at the newest group, even if more is being written there.
        const reader = await readBesideWriter(source, { path: opened.path, header });
        end = reader.position;
        lastSequence = reader.nextSequence - 1;
      }
      await copySegment(fileSystem, source, end, join(to, basename(plainPath)));
    } finally {
      source.close();
    }
  }
  await fileSystem.flushDirectory(to);
  return lastSequence;
}

/** A compressed segment stays as it is: its file never changes, and nothing takes its place. */
async function copyCompressed(
  fileSystem: JournalFileSystem,
  path: string,
  target: string,
): Promise<void> {
  const source = fileSystem.open(path, "read");
  try {
    await copySegment(fileSystem, source, source.size(), target);
  } finally {
    source.close();
  }
}

/** Copies a segment up to `end`, followed by zeros. */
async function copySegment(
  fileSystem: JournalFileSystem,
  source: JournalFile,
  end: number,
  target: string,
): Promise<void> {
  await fileSystem.createZeroed(target, source.size());
  const copy = fileSystem.open(target, "write");
  try {
    const piece = new Uint8Array(COPY_BYTES);
    for (let position = 0; position < end; position += COPY_BYTES) {
      const wanted = piece.subarray(0, Math.min(COPY_BYTES, end - position));
      write(copy, target, wanted.subarray(0, source.read(wanted, position)), position);
    }
    await flush(copy, target);
  } finally {
    copy.close();
  }
}

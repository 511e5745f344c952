/** Reads the intact part of a journal that another process may be writing, and copies it. */
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { copyFile, copySegment, hasContent } from "./copy-file.ts";
import { type JournalFile, type JournalFileSystem, nodeFileSystem } from "./file-system.ts";
import { GroupReader } from "./group-reader.ts";
import { JournalDamagedError } from "./journal.ts";
import { findSegments, classifyRest, openToRead, type Segment } from "./segments.ts";

/** How often, and how many milliseconds apart, a tail that seems damaged is read again. */
const TAIL_READS_MAX = 10;
const TAIL_REREAD_AFTER_MS = 20;

/**
 * Reads the newest segment to its end, or to the group of the sequence known to be durable. The newest
 * group may be partly written at this moment, which only another read distinguishes from damage: an
 * unfinished write is completed, damage stays.
 */
export async function readWhileWriting(
  file: JournalFile,
  { path, header }: Segment,
  durable?: number,
): Promise<GroupReader> {
  const reader = new GroupReader(file, path, header);
  for (let reads = 1; ; reads++) {
    reader.refresh();
    while (durable === undefined || reader.nextSequence <= durable) {
      if (reader.next() === undefined) break;
    }
    if (durable !== undefined && reader.nextSequence > durable) return reader;
    const tail = classifyRest(reader, header);
    const isDamaged = tail.kind === "damaged";
    if (durable === undefined && !isDamaged) return reader;
    if (reads === TAIL_READS_MAX) {
      const finding = isDamaged ? tail.finding : "a group that was on disk cannot be read";
      throw new JournalDamagedError(path, reader.position, reader.nextSequence, finding);
    }
    await delay(TAIL_REREAD_AFTER_MS);
  }
}

/**
 * Copies a journal, even while it is written, up to the newest intact group. Copying the files alone
 * would not suffice, since groups may be written at the same time.
 * @returns the last sequence in the copy
 */
export async function copyJournal(options: {
  readonly from: string;
  /** The target directory; must not exist yet. */
  readonly to: string;
  /**
   * The directory of an earlier copy on the same disk. A compressed segment that it has already, which
   * never changes, is not copied again: both copies share its file.
   */
  readonly earlier?: string | undefined;
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
    if (opened.form !== "plain" && !isNewest) {
      opened.file.close();
      // Never modified or replaced, so it is copied as it is, also from the archive.
      const compressed = fileSystem.open(opened.path, "read");
      try {
        await copyOrShare(fileSystem, compressed, basename(opened.path), options);
      } finally {
        compressed.close();
      }
      continue;
    }
    const source = opened.file;
    try {
      let end = source.size();
      if (isNewest) {
        // The copy ends at the newest group, even if more is being written there.
        const reader = await readWhileWriting(source, { path: opened.path, header });
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

async function copyOrShare(
  fileSystem: JournalFileSystem,
  source: JournalFile,
  name: string,
  { to, earlier }: { readonly to: string; readonly earlier?: string | undefined },
): Promise<void> {
  const target = join(to, name);
  if (earlier !== undefined && hasContent(fileSystem, join(earlier, name), source)) {
    try {
      fileSystem.share(join(earlier, name), target);
      return;
    } catch {
      // Another disk, or one whose files have one name only.
    }
  }
  await copyFile(fileSystem, source, target);
}

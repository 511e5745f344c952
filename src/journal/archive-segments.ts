/**
 * Moves compressed segments of a certain age to an archive directory, on a larger disk for instance, while
 * the exchange runs. A symbolic link replaces each, so that everything reads them as before. A
 * segment is never lost, whenever this is interrupted: the link replaces the file atomically, and only
 * after the copy was read back from the archive's disk and compared.
 */
import { basename, join, resolve } from "node:path";
import { partialName, removePartial } from "./compress-segments.ts";
import { type JournalFile, type JournalFileSystem, nodeFileSystem } from "./file-system.ts";
import { copyFile, hasContent } from "./copy-file.ts";
import { findSegments, openToRead } from "./segments.ts";

export interface ArchivedSegments {
  readonly segments: number;
  /** Bytes of the compressed segments that were moved. */
  readonly bytes: number;
}

/**
 * The directory of one journal's segments in the directory of all archives. A stream's are kept apart
 * from those of files: the same commands are grouped differently there, even if one journal was copied
 * from the other.
 */
export function archiveOf(directory: string, kind: "journal" | "stream", identity: number): string {
  return resolve(directory, `${kind}-${identity.toString(16).padStart(8, "0")}`);
}

/**
 * Moves the oldest compressed segments that ended before a time and contain nothing after `durable`.
 * @param options.archive the directory of all archived journals; each has a directory of its own in it,
 *   named by the journal's identity
 * @param options.endedBeforeMs exchange time, milliseconds since 1970 UTC
 * @throws JournalDamagedError, or the system's error if a disk is full, fails or is not there
 */
export async function archiveSegments(options: {
  readonly directory: string;
  readonly archive: string;
  readonly durable: number;
  readonly endedBeforeMs: number;
  /** Maximum number of segments to move. */
  readonly segmentsMax: number;
  readonly fileSystem?: JournalFileSystem;
}): Promise<ArchivedSegments> {
  const { directory, durable, endedBeforeMs, segmentsMax } = options;
  const fileSystem = options.fileSystem ?? nodeFileSystem;
  const segments = findSegments(fileSystem, directory, durable);
  const identity = segments[0]?.header.salt ?? 0;
  const archive = archiveOf(options.archive, "journal", identity);
  let count = 0;
  let bytes = 0;
  for (const [index, segment] of segments.slice(0, -1).entries()) {
    // A successor knows the time at which its predecessor ended. All later ones ended later.
    if (segments[index + 1].header.lastTimestampMs >= endedBeforeMs || count === segmentsMax) break;
    const source = openToRead(fileSystem, segment.path, segment.header.firstSequence);
    source.file.close();
    if (source.form === "plain" || fileSystem.linkedFrom(source.path) !== undefined) continue;
    if (count === 0) {
      fileSystem.createDirectory(archive);
      await fileSystem.flushDirectory(resolve(options.archive));
      removePartial(fileSystem, archive);
    }
    bytes += await move(fileSystem, source.path, join(archive, basename(source.path)));
    await fileSystem.flushDirectory(directory);
    count += 1;
  }
  return { segments: count, bytes };
}

/** Returns the size of the file. */
async function move(fileSystem: JournalFileSystem, path: string, target: string): Promise<number> {
  const partial = partialName(target);
  const link = partialName(path);
  const source = fileSystem.open(path, "read");
  try {
    await copyFile(fileSystem, source, partial);
    verifyCopy(fileSystem, source, partial);
    fileSystem.rename(partial, target);
    await fileSystem.flushDirectory(resolve(target, ".."));
    fileSystem.link(target, link);
    fileSystem.rename(link, path);
    return source.size();
  } catch (error) {
    for (const left of [partial, link]) fileSystem.remove(left);
    throw error;
  } finally {
    source.close();
  }
}

function verifyCopy(fileSystem: JournalFileSystem, source: JournalFile, path: string): void {
  if (!hasContent(fileSystem, path, source))
    throw new Error(`${path} is not what was written to it`);
}

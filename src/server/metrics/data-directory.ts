/** Disk usage of the data directory's parts, and the time of its newest snapshot. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

export interface DataDirectories {
  readonly dataDir: string;
  readonly journal: string;
  readonly snapshots: string;
}

/** Disk usage in bytes. The database is SQLite's file with its companions; 0 with PostgreSQL. */
export async function usedBytesOf({ dataDir, journal, snapshots }: DataDirectories) {
  const [ofJournal, ofSnapshots, beside] = await Promise.all(
    [journal, snapshots, dataDir].map(filesOf),
  );
  return {
    journal: sizeOf(ofJournal),
    snapshots: sizeOf(ofSnapshots),
    database: sizeOf(beside.filter(({ name }) => name.startsWith("openbell.sqlite"))),
  };
}

/**
 * When the newest snapshot was completed, in milliseconds since 1970 UTC; undefined if there is
 * none.
 */
export async function newestSnapshotMs({
  snapshots,
}: DataDirectories): Promise<number | undefined> {
  const files = await filesOf(snapshots);
  const times = files
    .filter(({ name }) => name.endsWith(".snapshot"))
    .map(({ changedMs }) => changedMs);
  return times.length === 0 ? undefined : Math.max(...times);
}

interface FileFacts {
  readonly name: string;
  readonly bytes: number;
  readonly changedMs: number;
}

/**
 * The files of a directory; none if it does not exist yet. Files that are removed while it reads are
 * left out.
 */
async function filesOf(directory: string): Promise<FileFacts[]> {
  const names = await readdir(directory).catch(() => []);
  const facts = await Promise.all(
    names.map(async (name): Promise<FileFacts[]> => {
      // A link takes nothing here: its segment is in the archive.
      const found = await lstat(join(directory, name)).catch(() => undefined);
      if (found === undefined || !found.isFile()) return [];
      return [{ name, bytes: found.blocks * BLOCK_BYTES, changedMs: found.mtimeMs }];
    }),
  );
  return facts.flat();
}

/** The unit of `blocks`, independent of the file system's block size (stat(2)). */
const BLOCK_BYTES = 512;

function sizeOf(files: readonly FileFacts[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

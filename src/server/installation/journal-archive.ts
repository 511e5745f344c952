/** The directory to which old segments of the journal are moved, as the settings name it. */
import { mkdirSync } from "node:fs";
import { relative, resolve } from "node:path";
import { directoryProblem } from "#journal/writable-directory.ts";
import type { JournalArchive } from "../exchange/snapshots/snapshot-messages.ts";

const DAY_MS = 86_400_000;

/**
 * Creates the directory, so that a wrong one is found at the start and not weeks later.
 * @returns undefined if no directory is set, in which case nothing is moved
 * @throws Error with a sentence if the directory cannot be used
 */
export function prepareArchive(options: {
  readonly dataDir: string;
  readonly directory: string | undefined;
  readonly afterDays: number;
}): JournalArchive | undefined {
  const { dataDir, directory, afterDays } = options;
  if (directory === undefined) return undefined;
  const path = resolve(directory);
  const refuse = (reason: string, cause?: unknown): never => {
    throw new Error(`The setting ARCHIVE_DIR is wrong: ${reason}.`, { cause });
  };
  const fromData = relative(resolve(dataDir), path);
  if (fromData === "" || !(fromData.startsWith("..") || resolve(fromData) === fromData)) {
    refuse(`${directory} is inside the data directory`);
  }
  try {
    // An archive that has become read-only is no reason not to start: its content can be read.
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    refuse(directoryProblem(path, error as NodeJS.ErrnoException), error);
  }
  return { directory: path, afterMs: afterDays * DAY_MS };
}

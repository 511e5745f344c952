/**
 * Restricts access to the data directory, which contains balances, password hashes and the secret
 * that signs sessions: only the operating-system user that runs the exchange may read it. Files
 * with wider permissions, from earlier versions or others, are restricted at every start.
 */
import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../log.ts";

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
/** The permission bits of the group and of others. */
const GROUP_AND_OTHERS = 0o077;

/** Sets the process's umask, so that new files are readable by this user only. */
export function keepFilesPrivate(): void {
  process.umask(GROUP_AND_OTHERS);
}

/**
 * Restricts the directory and everything in it. Files whose permissions cannot be changed are
 * logged and skipped.
 */
export function protectDirectory(directory: string, log: Log): void {
  // Windows uses inherited access-control lists instead.
  if (process.platform === "win32") return;
  try {
    restrict(directory);
  } catch (error) {
    log.warn({ err: error, directory }, "others may be able to read the data directory");
  }
}

function restrict(path: string): void {
  const entry = lstatSync(path);
  // The target of a symbolic link belongs to the user who created the link.
  if (entry.isSymbolicLink()) return;
  if ((entry.mode & GROUP_AND_OTHERS) !== 0) {
    chmodSync(path, entry.isDirectory() ? DIRECTORY_MODE : FILE_MODE);
  }
  if (!entry.isDirectory()) return;
  for (const name of readdirSync(path)) restrict(join(path, name));
}

/**
 * Balances, password hashes and the secret that signs sessions are in the data directory: only the
 * operating-system user that runs the exchange may read them. Files that earlier versions or others
 * left more widely readable are restricted at every start.
 */
import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../log.ts";

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
/** All permissions that the group and others must not have. */
const OTHERS = 0o077;

/** From now on this process creates no files that others may read. */
export function keepFilesPrivate(): void {
  process.umask(OTHERS);
}

/** Restricts the directory and everything in it. What cannot be restricted is logged and left. */
export function protectDirectory(directory: string, log: Log): void {
  // Windows has other permissions, which are inherited.
  if (process.platform === "win32") return;
  try {
    close(directory);
  } catch (error) {
    log.warn({ err: error, directory }, "others may be able to read the data directory");
  }
}

function close(path: string): void {
  const entry = lstatSync(path);
  // The target of a link belongs to the user who created the link.
  if (entry.isSymbolicLink()) return;
  if ((entry.mode & OTHERS) !== 0) {
    chmodSync(path, entry.isDirectory() ? DIRECTORY_MODE : FILE_MODE);
  }
  if (!entry.isDirectory()) return;
  for (const name of readdirSync(path)) close(join(path, name));
}

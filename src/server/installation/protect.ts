/**
 * Balances, passwords' hashes and the secret that signs sessions are in the data directory: only the
 * user that runs the exchange may read them. What earlier versions made more widely readable, and what
 * others put there, is closed at every start.
 */
import { chmodSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../log.ts";

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
/** All that may not be set for others and the group. */
const OTHERS = 0o077;

/** From here on this process makes nothing that others may read. */
export function keepFilesPrivate(): void {
  process.umask(OTHERS);
}

/** Closes the directory and everything in it. What cannot be closed is logged and left. */
export function protectDirectory(directory: string, log: Log): void {
  // Windows has other rights, which are inherited.
  if (process.platform === "win32") return;
  try {
    close(directory);
  } catch (error) {
    log.warn({ err: error, directory }, "others may be able to read the data directory");
  }
}

function close(path: string): void {
  const entry = lstatSync(path);
  // What a link leads to belongs to the one who made it.
  if (entry.isSymbolicLink()) return;
  if ((entry.mode & OTHERS) !== 0) {
    chmodSync(path, entry.isDirectory() ? DIRECTORY_MODE : FILE_MODE);
  }
  if (!entry.isDirectory()) return;
  for (const name of readdirSync(path)) close(join(path, name));
}

/**
 * Holds a directory for one process. The lock is an operating-system lock on a file, taken through
 * SQLite because Node has no call of its own: it ends with the process however that dies, so there
 * is no stale lock, and taking it is one atomic step, so there is no window. The file stays; it is
 * never removed, since a process could then lock a new file while another holds the old one.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

const LOCK_NAME = "lock";
/** Only for the message of whoever finds the lock taken; never decides anything. */
const HOLDER_NAME = "lock-holder";
const SQLITE_BUSY = 5;

/** Keeps the locks of this process from being collected as garbage, which would free them. */
const heldLocks = new Set<DatabaseSync>();

export interface DirectoryLock {
  release(): void;
}

/** Another process, or another part of this one, holds the directory. */
export class DirectoryLockedError extends Error {
  override readonly name = "DirectoryLockedError";
  /** The holder's process id; undefined in the moment before it has written it down. */
  readonly pid: number | undefined;

  constructor(directory: string, pid: number | undefined) {
    const holder =
      pid === undefined
        ? "another process"
        : pid === process.pid
          ? `this process (pid ${pid})`
          : `the process with pid ${pid}`;
    super(`The data directory ${directory} is in use by ${holder}. Stop it, or set DATA_DIR.`);
    this.pid = pid;
  }
}

/**
 * Takes the directory, creating it where it is missing.
 * @throws DirectoryLockedError where it is taken.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const path = resolve(directory);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const holderPath = join(path, HOLDER_NAME);
  const database = new DatabaseSync(join(path, LOCK_NAME), { timeout: 0 });
  try {
    // No change is ever written inside this transaction: it exists to hold the file's lock.
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (errorCodeOf(error) === SQLITE_BUSY) {
      throw new DirectoryLockedError(path, readHolder(holderPath));
    }
    throw error;
  }
  heldLocks.add(database);
  writeFileSync(holderPath, `${process.pid}\n`, { mode: 0o600 });
  let isHeld = true;
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      writeFileSync(holderPath, "");
      heldLocks.delete(database);
      database.close();
    },
  };
}

function errorCodeOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return undefined;
  return Number(error.errcode);
}

function readHolder(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, "utf8"), 10);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    // The holder has taken the lock and not yet written its id.
    return undefined;
  }
}

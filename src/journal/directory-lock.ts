/**
 * Locks a directory for one process. The lock is an operating-system lock on a file, taken through
 * SQLite because Node has no call for it. The lock ends with the process, however that dies, so no
 * lock is ever stale, and taking it is one atomic step, so there is no race. The program never
 * removes the file, since a process could then lock a new file while another holds the old one.
 *
 * An operator may still remove the file. So on Linux the process also binds a name outside the file
 * system, an abstract socket named after the directory's inode; and on every system it checks its
 * file each second and locks the new one if the old one is gone, or stops if another process has
 * done so.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

export const LOCK_NAME = "lock";
/** Names the holder in the error of a process that finds the lock taken; never decides anything. */
const HOLDER_NAME = "lock-holder";
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;
const CHECK_EVERY_MS = 1000;

/** Keeps this process's locks from being garbage-collected, which would release them. */
const heldLocks = new Set<DatabaseSync>();

/** Another process, or another part of this process, holds the lock of the directory. */
export class DirectoryLockedError extends Error {
  override readonly name = "DirectoryLockedError";
  /** The holder's process id; undefined just before the holder has written it. */
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
 * Locks the directory, creating it if it is missing.
 * @throws DirectoryLockedError if it is taken.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const path = resolve(directory);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const socket = takeSocket(path);
  try {
    return new DirectoryLock(path, socket, takeFile(path));
  } catch (error) {
    socket?.close();
    throw error;
  }
}

interface LockFile {
  readonly database: DatabaseSync;
  readonly inode: bigint;
}

export class DirectoryLock {
  readonly #path: string;
  readonly #socket: Server | undefined;
  readonly #timer: NodeJS.Timeout;
  #file: LockFile;
  #isHeld = true;
  #lost: Error | undefined;
  #listener: ((error: Error) => void) | undefined;

  constructor(path: string, socket: Server | undefined, file: LockFile) {
    this.#path = path;
    this.#socket = socket;
    this.#file = file;
    this.#noteHolder(`${process.pid}\n`);
    this.#timer = setInterval(() => this.check(), CHECK_EVERY_MS).unref();
  }

  /**
   * Calls the listener once, when the lock file was removed and another process holds the new one:
   * from then on nothing may be written to the directory.
   */
  onLost(listener: (error: Error) => void): void {
    this.#listener = listener;
    if (this.#lost !== undefined) listener(this.#lost);
  }

  /** Checks the lock file; called every second. */
  check(): void {
    if (!this.#isHeld || this.#lost !== undefined) return;
    if (inodeOf(join(this.#path, LOCK_NAME)) === this.#file.inode) return;
    const before = this.#file.database;
    try {
      this.#file = takeFile(this.#path);
      this.#noteHolder(`${process.pid}\n`);
      release(before);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#lost = new Error(`the lock of the data directory was removed: ${reason}`);
      this.#listener?.(this.#lost);
    }
  }

  /** Releases the lock; the directory may have been renamed in the meantime. */
  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    clearInterval(this.#timer);
    if (this.#lost === undefined && existsSync(this.#path)) this.#noteHolder("");
    release(this.#file.database);
    this.#socket?.close();
  }

  #noteHolder(text: string): void {
    writeFileSync(join(this.#path, HOLDER_NAME), text, { mode: 0o600 });
  }
}

function release(database: DatabaseSync): void {
  heldLocks.delete(database);
  database.close();
}

/** @throws DirectoryLockedError */
function takeFile(directory: string): LockFile {
  const path = join(directory, LOCK_NAME);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    // Nothing is ever written in this transaction, which only holds the file's lock.
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    if (errorCodeOf(error) === SQLITE_BUSY) throw lockedError(directory);
    const reason = error instanceof Error ? error.message : String(error);
    // A full disk is not a reason to remove it.
    const advice =
      errorCodeOf(error) === SQLITE_FULL ? "" : ` If no exchange runs on ${directory}, remove it.`;
    throw new Error(`The file ${path} cannot be locked: ${reason}.${advice}`, { cause: error });
  }
  heldLocks.add(database);
  return { database, inode: inodeOf(path) ?? 0n };
}

/**
 * Binds an abstract socket, whose name the system frees when the process ends. Returns undefined on
 * systems without such names.
 * @throws DirectoryLockedError
 */
function takeSocket(directory: string): Server | undefined {
  if (process.platform !== "linux") return undefined;
  const { dev, ino } = statSync(directory, { bigint: true });
  const server = createServer((connection) => connection.destroy());
  // Thrown below; an unhandled event would end the process.
  server.on("error", () => undefined);
  server.listen({ path: `\0openbell-${dev}-${ino}`, exclusive: true });
  // A local name is bound before `listen` returns.
  if (!server.listening) throw lockedError(directory);
  return server.unref();
}

function lockedError(directory: string): DirectoryLockedError {
  return new DirectoryLockedError(directory, readHolder(join(directory, HOLDER_NAME)));
}

/** The file's inode; undefined if there is no such file. */
function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
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
    // The holder has taken the lock but not yet written its process id.
    return undefined;
  }
}

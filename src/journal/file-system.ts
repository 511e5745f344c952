/**
 * The file-system calls of the file journal, so that tests can substitute a simulated disk.
 * Failures are thrown as the system's own errors, which the journal interprets.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { promisify } from "node:util";

export interface JournalFile {
  /** The file's size in bytes. */
  size(): number;
  /** Fills `target` from `position` on; returns the number of bytes read before the file's end. */
  read(target: Uint8Array, position: number): number;
  /** Returns the number of bytes written; fewer than requested means that the disk accepted no more. */
  write(bytes: Uint8Array, position: number): number;
  /** Resolves when everything written is on disk; the call itself may block as long. */
  flush(): Promise<void>;
  close(): void;
}

export interface JournalFileSystem {
  /** The names in the directory, unordered. */
  list(directory: string): string[];
  /** Creates the directory and missing parents. */
  createDirectory(directory: string): void;
  open(path: string, access: "read" | "write"): JournalFile;
  /** Creates a durable file with `bytes` zeros, replacing any existing one, without blocking. */
  createZeroed(path: string, bytes: number): Promise<void>;
  rename(from: string, to: string): void;
  remove(path: string): void;
  /** Creates a symbolic link to a file; the link has no bytes of its own. */
  link(target: string, path: string): void;
  /** Gives a file a second name on the same disk. Throws the system's error if that is impossible. */
  share(file: string, path: string): void;
  /** The target of the symbolic link at this path; undefined if there is none. */
  linkedFrom(path: string): string | undefined;
  /** Resolves when creations, renames and removals in the directory are on disk. */
  flushDirectory(directory: string): Promise<void>;
}

const flushData = promisify(fdatasync);
const flushAll = promisify(fsync);
/**
 * Up to this size data is flushed synchronously: otherwise another thread must be woken and must
 * wake this one when it is done, which takes half as long again, and milliseconds if all cores are
 * busy. This thread could do little else in that time.
 */
const SYNC_FLUSH_BYTES_MAX = 1 << 15;
/**
 * Zeros are written in small chunks, each flushed: with 4 MB at once, the flush of another file
 * waited milliseconds.
 */
const ZEROS = new Uint8Array(1 << 19);

class NodeJournalFile implements JournalFile {
  readonly #descriptor: number;
  /** Bytes written since the last flush. */
  #unflushedBytes = 0;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  size(): number {
    return fstatSync(this.#descriptor).size;
  }

  read(target: Uint8Array, position: number): number {
    let filled = 0;
    while (filled < target.length) {
      const length = target.length - filled;
      const count = readSync(this.#descriptor, target, filled, length, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return filled;
  }

  write(bytes: Uint8Array, position: number): number {
    this.#unflushedBytes += bytes.length;
    return writeSync(this.#descriptor, bytes, 0, bytes.length, position);
  }

  async flush(): Promise<void> {
    const isSmall = this.#unflushedBytes <= SYNC_FLUSH_BYTES_MAX;
    this.#unflushedBytes = 0;
    if (isSmall) fdatasyncSync(this.#descriptor);
    else await flushData(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

export const nodeFileSystem: JournalFileSystem = {
  list: (directory) => readdirSync(directory),
  createDirectory: (directory) => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  },
  open: (path, access) => new NodeJournalFile(openSync(path, access === "read" ? "r" : "r+")),
  async createZeroed(path, bytes) {
    const file = await open(path, "w", 0o600);
    try {
      for (let position = 0; position < bytes;) {
        const length = Math.min(ZEROS.length, bytes - position);
        const { bytesWritten } = await file.write(ZEROS, 0, length, position);
        if (bytesWritten === 0) throw new Error("the disk took no more bytes");
        position += bytesWritten;
        await file.datasync();
      }
      await file.sync();
    } finally {
      await file.close();
    }
  },
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  link: symlinkSync,
  share: linkSync,
  linkedFrom(path) {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? readlinkSync(path) : undefined;
  },
  async flushDirectory(directory) {
    // Windows has no directory handle to flush; its renames are journalled.
    if (process.platform === "win32") return;
    const descriptor = openSync(directory, "r");
    try {
      await flushAll(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
};

/**
 * Finds missing pages of an SQLite file. SQLite itself notices a missing page only without a
 * write-ahead log: with one it takes the number of pages from the log, and reads pages beyond the
 * end of the file as empty.
 *
 * The formats: https://www.sqlite.org/fileformat2.html, sections 1.3 and 4.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";

const HEADER_BYTES = 100;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The magic number of a log; its last bit is set if the checksums are big-endian. */
const LOG_MAGIC = 0x377f0682;

export interface TruncatedFile {
  readonly pages: number;
  readonly missing: number;
}

/**
 * Call this before the process opens the database: reading the file drops the process's locks on
 * it.
 * @returns undefined if no page is missing, or if the file is not an SQLite file
 */
export function missingPages(path: string): TruncatedFile | undefined {
  const file = openSync(path, "r");
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return undefined;
    if (header.toString("latin1", 0, 15) !== "SQLite format 3") return undefined;
    const sizeOrOne = header.readUInt16BE(16);
    const pageBytes = sizeOrOne === 1 ? 65_536 : sizeOrOne;
    const log = readLog(path, pageBytes);
    // In a file last written by an old version of SQLite, the header's number of pages is not
    // valid.
    const isNumberValid = header.readUInt32BE(24) === header.readUInt32BE(92);
    const pages = log.pages ?? (isNumberValid ? header.readUInt32BE(28) : 0);
    let missing = 0;
    const present = Math.floor(fstatSync(file).size / pageBytes);
    for (let page = present + 1; page <= pages; page += 1) if (!log.has.has(page)) missing += 1;
    return missing === 0 ? undefined : { pages, missing };
  } finally {
    closeSync(file);
  }
}

/**
 * Whether a database's write-ahead log was overwritten. SQLite treats such a file as a log without
 * transactions, and so loses the last writes. Zeros are not damage: a power failure may leave them
 * in a log whose first transaction was not finished.
 */
export function isLogDamaged(path: string): boolean {
  const magic = readLogHeader(path)?.readUInt32BE(0) ?? 0;
  return magic !== 0 && !isMagic(magic);
}

function isMagic(value: number): boolean {
  return value >>> 1 === LOG_MAGIC >>> 1;
}

interface Log {
  /**
   * The database's number of pages after the log's last transaction; undefined if there is none.
   */
  readonly pages: number | undefined;
  readonly has: ReadonlySet<number>;
}

function logPathOf(databasePath: string): string {
  return `${databasePath}-wal`;
}

/** undefined if there is no log, or it is shorter than its header. */
function readLogHeader(databasePath: string): Buffer | undefined {
  const path = logPathOf(databasePath);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < LOG_HEADER_BYTES) return undefined;
  const file = openSync(path, "r");
  try {
    const header = Buffer.alloc(LOG_HEADER_BYTES);
    readSync(file, header, 0, LOG_HEADER_BYTES, 0);
    return header;
  } finally {
    closeSync(file);
  }
}

function readLog(databasePath: string, pageBytes: number): Log {
  const has = new Set<number>();
  let pages: number | undefined;
  const header = readLogHeader(databasePath);
  if (header === undefined || !isMagic(header.readUInt32BE(0))) return { pages, has };
  const file = openSync(logPathOf(databasePath), "r");
  try {
    const frame = Buffer.alloc(FRAME_HEADER_BYTES);
    const uncommitted: number[] = [];
    for (let at = LOG_HEADER_BYTES; ; at += FRAME_HEADER_BYTES + pageBytes) {
      if (readSync(file, frame, 0, FRAME_HEADER_BYTES, at) < FRAME_HEADER_BYTES) break;
      // Frames left from an earlier use of the log follow the current ones.
      if (frame.compare(header, 16, 24, 8, 16) !== 0) break;
      uncommitted.push(frame.readUInt32BE(0));
      const pagesAfterCommit = frame.readUInt32BE(4);
      if (pagesAfterCommit === 0) continue;
      pages = pagesAfterCommit;
      for (const page of uncommitted.splice(0)) has.add(page);
    }
    return { pages, has };
  } finally {
    closeSync(file);
  }
}

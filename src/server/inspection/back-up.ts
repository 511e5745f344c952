/**
 * Copies a data directory, also while the exchange runs, so that a start on the copy continues as one
 * on the original would have at that moment.
 *
 * The order makes the copy consistent: each part refers only to parts copied later. A snapshot is of no
 * use to a history that has not reached it, and nothing may be ahead of the journal. So snapshots are
 * copied first, then the database, then the journal.
 */
import { existsSync } from "node:fs";
import { chmod, copyFile, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DirectoryLockedError, lockDirectory, LOCK_NAME } from "#journal/directory-lock.ts";
import { copyJournal } from "#journal/read-while-writing.ts";
import { copyGroups } from "#journal/copy-groups.ts";
import { isStream, type JournalPlace, openJournal } from "#journal/open-journal.ts";
import { SnapshotDamagedError, SnapshotFiles } from "#journal/snapshot-files.ts";
import { readDirectoryRecord, writeDirectoryRecord } from "../installation/directory-record.ts";
import { journalDirectoryOf, snapshotDirectoryOf } from "../exchange/open-exchange.ts";

const DATABASE = "openbell.sqlite";
const BUSY_WAIT_MS_MAX = 60_000;
/** Files that belong to one process. */
const LOCK_FILES = /^(lock(-.*)?|control\.sock)$/;
/** Files that are copied by separate code. */
const COPIED_OTHERWISE = /^(exchange\.json.*|openbell\.sqlite.*)$/;

export interface BackUp {
  /** The last sequence in the copy. */
  readonly sequence: number;
  /** False if the accounts are in PostgreSQL, which is backed up separately. */
  readonly hasDatabase: boolean;
}

/**
 * The target appears atomically: until then the copy is in `TARGET.partial`.
 * @param options.tell is called with the remains of an unfinished backup
 * @throws Error if the target exists or the source is not a data directory
 */
export async function backUp(options: {
  readonly from: string;
  readonly to: string;
  /**
   * The location of the exchange's journal; the data directory if omitted. The copied journal is in files.
   */
  readonly journal?: JournalPlace;
  /** An earlier backup on the same disk, with which compressed segments are shared. */
  readonly earlier?: string | undefined;
  readonly tell?: (sentence: string) => void;
}): Promise<BackUp> {
  const from = resolve(options.from);
  const to = resolve(options.to);
  const journal = options.journal ?? journalDirectoryOf(from);
  if (!isStream(journal) && !existsSync(journal)) throw new Error(`there is no journal in ${from}`);
  if (existsSync(to)) throw new Error(`${to} exists already: name a new directory`);
  const partial = `${to}.partial`;
  const isLeftOver = existsSync(partial);
  if (isLeftOver && !existsSync(join(partial, LOCK_NAME))) {
    throw new Error(`${partial} exists already and is no unfinished backup: move it away`);
  }
  const lock = lockPartial(partial);
  try {
    // Another backup may have finished in the meantime.
    if (existsSync(to)) throw new Error(`${to} exists already: name a new directory`);
    if (isLeftOver) {
      options.tell?.(`${partial} is left of a backup that did not end; it is replaced.`);
      await removeFrom(partial, (name) => !LOCK_FILES.test(name));
    }
    const earlier = options.earlier && journalDirectoryOf(options.earlier);
    const backup = await copyDirectory(from, journal, partial, earlier);
    await flush(partial);
    // Locked until renamed, since another backup would otherwise take it for an unfinished one.
    await rename(partial, to);
    lock.release();
    await removeFrom(to, (name) => LOCK_FILES.test(name));
    await flush(to);
    await flush(dirname(to));
    return backup;
  } catch (error) {
    lock.release();
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** @throws Error while another backup writes to it */
function lockPartial(partial: string) {
  try {
    return lockDirectory(partial);
  } catch (error) {
    if (!(error instanceof DirectoryLockedError)) throw error;
    const holder = error.pid === undefined ? "" : `, with pid ${error.pid},`;
    throw new Error(`another backup${holder} writes to ${partial}`, { cause: error });
  }
}

async function removeFrom(directory: string, isGone: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(directory)) {
    if (isGone(name)) await rm(join(directory, name), { recursive: true });
  }
}

async function copyDirectory(
  from: string,
  journal: JournalPlace,
  to: string,
  earlier: string | undefined,
): Promise<BackUp> {
  await copySnapshots(from, to);
  const record = readDirectoryRecord(from);
  // A dump of PostgreSQL is taken earlier, so it is behind the directory's record of the database.
  if (record !== undefined) writeDirectoryRecord(to, { ...record, databaseSequence: 0 });
  const hasDatabase = existsSync(join(from, DATABASE));
  if (hasDatabase) await copyDatabase(join(from, DATABASE), join(to, DATABASE));
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!entry.isFile() || LOCK_FILES.test(entry.name) || COPIED_OTHERWISE.test(entry.name))
      continue;
    await copyFile(join(from, entry.name), join(to, entry.name));
    await chmod(join(to, entry.name), 0o600);
    await flush(join(to, entry.name));
  }
  const copy = journalDirectoryOf(to);
  const sequence = isStream(journal)
    ? await copyStream(journal, copy)
    : await copyJournal({ from: journal, to: copy, earlier });
  return { sequence, hasDatabase };
}

/** Copies up to the record that was the newest durable one when the copy began. */
async function copyStream(from: JournalPlace, to: string): Promise<number> {
  const source = await openJournal(from, { readOnly: true });
  const copy = await openJournal(to, { identity: source.identity });
  try {
    await copyGroups(source, copy, () => undefined);
    return copy.lastSequence;
  } finally {
    await Promise.all([source.close(), copy.close()]);
  }
}

/** Skips snapshots that are damaged or being replaced: the journal has everything. */
async function copySnapshots(from: string, to: string): Promise<void> {
  const source = snapshotDirectoryOf(from);
  if (!existsSync(source)) return;
  const files = new SnapshotFiles(source);
  const copies = new SnapshotFiles(snapshotDirectoryOf(to));
  for (const sequence of files.sequences().reverse()) {
    try {
      await copies.write(files.read(sequence), () => undefined);
    } catch (error) {
      const isGone = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!isGone && !(error instanceof SnapshotDamagedError)) throw error;
    }
  }
}

/**
 * Copies the database with SQLite's own backup, which is consistent even if the exchange writes at the
 * same time.
 */
async function copyDatabase(from: string, to: string): Promise<void> {
  const database = new DatabaseSync(from, { readOnly: true, timeout: BUSY_WAIT_MS_MAX });
  try {
    // SQLite accepts an empty file as the target, so the copy is never readable by other users.
    await (await open(to, "wx", 0o600)).close();
    database.prepare("VACUUM INTO ?").run(to);
  } finally {
    database.close();
  }
  await flush(to);
}

async function flush(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

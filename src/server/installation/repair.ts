/**
 * Repairs an exchange whose parts do not belong together, once the operator has decided to continue
 * without the missing data, in one of two ways. Both first report the loss; neither removes a file:
 * unused files are moved into a separate directory.
 */
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { lockDirectory } from "#journal/directory-lock.ts";
import { isStream, type JournalPlace } from "#journal/open-journal.ts";
import { SnapshotFiles } from "#journal/snapshot-files.ts";
import { type Database, type DatabaseLocation, openDatabase } from "../database/open-database.ts";
import { journalDirectoryOf, snapshotDirectoryOf } from "../exchange/open-exchange.ts";
import { emptyHistory } from "../history/rebuild-history.ts";
import type { Log } from "../log.ts";
import { bindDatabase } from "./bind-parts.ts";
import { writeDirectoryRecord } from "./directory-record.ts";
import { takeDatabase } from "./lease.ts";
import { type Parts, readParts } from "./parts.ts";

export interface RepairOptions extends DatabaseLocation {
  /** The location of the journal; the data directory if omitted. */
  readonly journal?: JournalPlace;
  /** If false, nothing is changed. */
  readonly isConfirmed: boolean;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Keeps the journal, and adapts the database to it: its history is emptied, so that the next start
 * rebuilds it; its users stay.
 * @returns one sentence per step, done or, if not confirmed, planned
 * @throws Error if there is no exchange to continue
 */
export async function adoptDatabase(options: RepairOptions): Promise<string[]> {
  return repairing(options, async (parts, setAside) => {
    const { journal, journalName, database, databaseName, dataDir, record, snapshotsAhead } = parts;
    if (journal.sequence === 0) {
      throw new Error(
        `The journal in ${journalName} has no commands that the database could follow. Restore it, or ` +
          "begin an empty exchange: npx openbell begin-anew.",
      );
    }
    const users = database?.users ?? 0;
    const says = [
      `The journal in ${journalName} with its ${journal.sequence} commands stays as it is.`,
      `The database ${databaseName} becomes its own. Its users (${users}) stay; balances of users ` +
        "that it does not have cannot be reached by anyone.",
      "Its history is emptied, and the next start projects it from the journal.",
    ];
    const noted = Math.max(record?.sequence ?? 0, database?.sequence ?? 0);
    const seen = Math.max(noted, ...snapshotsAhead.map((each) => each.sequence));
    if (seen > journal.sequence) {
      says.push(`The commands from ${journal.sequence + 1} to ${seen} are given up for good.`);
    }
    if (snapshotsAhead.length > 0) {
      says.push(`Snapshots that the journal does not reach are moved to ${setAside.directory}.`);
    }
    return {
      says,
      perform: async (opened) => {
        for (const { sequence } of snapshotsAhead) {
          setAside.move(new SnapshotFiles(snapshotDirectoryOf(dataDir)).pathOf(sequence));
        }
        await emptyHistory(opened);
        const id = await bindDatabase(opened, journal.identity);
        const { identity, sequence } = journal;
        writeDirectoryRecord(dataDir, {
          journal: identity,
          sequence,
          database: id,
          databaseSequence: 0,
        });
      },
    };
  });
}

/**
 * Starts an empty exchange that keeps the users of the database.
 * @returns one sentence per step, done or, if not confirmed, planned
 */
export async function beginAnew(options: RepairOptions): Promise<string[]> {
  return repairing(options, async (parts, setAside) => {
    const { journal, journalName, database, databaseName, dataDir } = parts;
    if (options.journal !== undefined && isStream(options.journal) && journal.sequence > 0) {
      throw new Error(
        `The journal in ${journalName} has ${journal.sequence} commands and is never removed: name ` +
          "another stream in NATS_URL, in which an empty exchange can begin.",
      );
    }
    const files = [journalDirectoryOf(dataDir), snapshotDirectoryOf(dataDir)].filter(existsSync);
    const says = [
      "The next start begins an empty exchange: no balances, no orders, no trades.",
      `The users of the database ${databaseName} (${database?.users ?? 0}) stay; its history is emptied.`,
    ];
    if (files.length > 0) {
      const commands = journal.sequence === 1 ? "one command" : `${journal.sequence} commands`;
      says.push(
        `The journal with ${commands} and its snapshots are moved to ${setAside.directory}.`,
      );
    }
    return {
      says,
      perform: async (opened) => {
        for (const path of files) setAside.move(path);
        await emptyHistory(opened);
        const id = await bindDatabase(opened, 0);
        writeDirectoryRecord(dataDir, {
          journal: 0,
          sequence: 0,
          database: id,
          databaseSequence: 0,
        });
      },
    };
  });
}

interface Repair {
  readonly says: string[];
  readonly perform: (database: Database) => Promise<void>;
}

async function repairing(
  options: RepairOptions,
  plan: (parts: Parts, setAside: SetAside) => Promise<Repair>,
): Promise<string[]> {
  const { dataDir, isConfirmed, log, now = Date.now } = options;
  if (!existsSync(dataDir)) throw new Error(`There is no data directory ${dataDir}.`);
  const setAside = new SetAside(dataDir, now());
  if (!isConfirmed) return (await plan(await readParts(options, options.journal), setAside)).says;
  const lock = lockDirectory(dataDir);
  try {
    const { says, perform } = await plan(await readParts(options, options.journal), setAside);
    const database = await openDatabase({ ...options, log });
    try {
      const lease = await takeDatabase({ database, log });
      try {
        await perform(database);
      } finally {
        await lease.close();
      }
    } finally {
      await database.close();
    }
    return says;
  } finally {
    lock.release();
  }
}

/** A directory for unused files, created when the first one is moved into it. */
class SetAside {
  readonly directory: string;

  constructor(dataDir: string, nowMs: number) {
    const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(":", "-");
    this.directory = join(dataDir, `set-aside-${time}`);
  }

  move(path: string): void {
    mkdirSync(this.directory, { recursive: true, mode: 0o700 });
    renameSync(path, join(this.directory, basename(path)));
  }
}

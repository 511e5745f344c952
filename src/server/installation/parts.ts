/**
 * Reads the existing parts of an exchange before it starts: its journal, its snapshots, its database,
 * and the data directory's record of them. Changes nothing.
 */
import { existsSync } from "node:fs";
import { sql, type Kysely } from "kysely";
import type { Journal } from "#journal/journal.ts";
import { isStream, type JournalPlace, nameOfPlace, openJournal } from "#journal/open-journal.ts";
import { SnapshotDamagedError, SnapshotFiles } from "#journal/snapshot-files.ts";
import { DatabaseError } from "../database/database-error.ts";
import { migrations } from "../database/migrations/list.ts";
import {
  type DatabaseLocation,
  describeDatabase,
  openDatabaseToRead,
} from "../database/open-database.ts";
import { damageOf } from "../database/sqlite.ts";
import type { Tables } from "../database/tables.ts";
import { journalDirectoryOf, snapshotDirectoryOf } from "../exchange/open-exchange.ts";
import { type Progress, readProgress } from "../history/progress.ts";
import { type DirectoryRecord, readDirectoryRecord } from "./directory-record.ts";
import { messageOf } from "../log.ts";

export interface JournalPart {
  /** 0 if there is no journal. */
  readonly identity: number;
  /** The newest sequence; 0 if the journal is empty or missing. */
  readonly sequence: number;
}

export interface DatabasePart {
  /** "" until an exchange has opened with the database. */
  readonly id: string;
  /** The identity of the journal that the database belongs to; 0 if unknown. */
  readonly journal: number;
  /** The sequence up to which the history is projected. */
  readonly sequence: number;
  readonly users: number;
  /** False if the journal's timestamps differ from those from which the history was projected. */
  readonly followsJournal: boolean;
}

/** An intact snapshot beyond the journal's end. */
export interface SnapshotAhead {
  readonly path: string;
  readonly sequence: number;
  readonly journal: number;
}

export interface Parts {
  readonly dataDir: string;
  /** As shown to the operator, without a password. */
  readonly databaseName: string;
  /** The location of the journal, as shown to the operator: the data directory, or a stream. */
  readonly journalName: string;
  readonly record: DirectoryRecord | undefined;
  readonly journal: JournalPart;
  /** Undefined if the database is missing or has no tables yet. */
  readonly database: DatabasePart | undefined;
  readonly snapshotsAhead: readonly SnapshotAhead[];
}

/**
 * @throws JournalDamagedError, DatabaseError, or Error with a sentence if a part cannot be read or is
 * newer than this program
 */
export async function readParts(
  location: DatabaseLocation,
  place: JournalPlace = journalDirectoryOf(location.dataDir),
): Promise<Parts> {
  const { dataDir } = location;
  const record = readDirectoryRecord(dataDir);
  // First: other nodes may run, and their history is never ahead of the journal as it is read afterwards.
  const database = await readDatabase(location);
  const journal = await openToRead(place);
  try {
    const { identity = 0, lastSequence: sequence = 0 } = journal ?? {};
    return {
      dataDir,
      databaseName: describeDatabase(location),
      journalName: isStream(place) ? nameOfPlace(place) : dataDir,
      record,
      journal: { identity, sequence },
      database: database && {
        ...database.part,
        followsJournal: await follows(journal, database.progress),
      },
      snapshotsAhead: snapshotsBeyond(dataDir, sequence),
    };
  } finally {
    await journal?.close();
  }
}

async function openToRead(place: JournalPlace): Promise<Journal | undefined> {
  if (!isStream(place) && !existsSync(place)) return undefined;
  return openJournal(place, { readOnly: true });
}

interface DatabaseRead {
  readonly part: Omit<DatabasePart, "followsJournal">;
  readonly progress: Progress;
}

async function readDatabase(location: DatabaseLocation): Promise<DatabaseRead | undefined> {
  const database = await openDatabaseToRead(location);
  if (database === undefined) return undefined;
  const name = describeDatabase(location);
  try {
    return await readTables(database.read, name);
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const damage = damageOf(name, error);
    if (damage !== undefined) throw damage;
    const reason = messageOf(error);
    throw new DatabaseError(`The database ${name} cannot be read: ${reason}`, { cause: error });
  } finally {
    await database.close();
  }
}

async function readTables(read: Kysely<Tables>, name: string): Promise<DatabaseRead | undefined> {
  const tables = await read.introspection.getTables({ withInternalKyselyTables: true });
  const has = (table: string) => tables.some((found) => found.name === table);
  if (!has("kysely_migration") || !has("history_progress")) return undefined;
  await refuseNewer(read, name);
  const progress = await readProgress(read);
  const mark = has("installation")
    ? await read.selectFrom("installation").selectAll().executeTakeFirst()
    : undefined;
  const users = has("user")
    ? await read
        .selectFrom("user")
        .select((expression) => expression.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow()
    : { count: 0 };
  return {
    part: {
      id: mark?.database_id ?? "",
      journal: mark?.journal ?? 0,
      sequence: progress.sequence,
      users: users.count,
    },
    progress,
  };
}

async function follows(journal: Journal | undefined, progress: Progress): Promise<boolean> {
  return (
    (await agrees(journal, 1, progress.sequence === 0 ? 0 : progress.originTime)) &&
    (await agrees(journal, progress.sequence, progress.time))
  );
}

/**
 * False if the journal's timestamp of the sequence differs. A timestamp of 0, or one that is archived
 * elsewhere, is unknown.
 */
async function agrees(
  journal: Journal | undefined,
  sequence: number,
  timestampMs: number,
): Promise<boolean> {
  if (journal === undefined || timestampMs === 0 || sequence > journal.lastSequence) return true;
  if (sequence < journal.firstSequence) return true;
  for await (const group of journal.read(sequence)) return group.timestampMs === timestampMs;
  return true;
}

async function refuseNewer(read: Kysely<Tables>, name: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(read);
  const newer = rows.find((row) => !Object.hasOwn(migrations, row.name));
  if (newer === undefined) return;
  throw new DatabaseError(
    `The database ${name} was written by a newer version of the program: it has the migration ` +
      `${newer.name}, which this one does not know. Start the newer program.`,
  );
}

/** Intact snapshots beyond the journal's end; those within it are checked when one is chosen. */
function snapshotsBeyond(dataDir: string, sequence: number): SnapshotAhead[] {
  const directory = snapshotDirectoryOf(dataDir);
  if (!existsSync(directory)) return [];
  const files = new SnapshotFiles(directory);
  return files
    .sequences()
    .filter((taken) => taken > sequence)
    .flatMap((taken) => {
      try {
        const { journal } = files.read(taken);
        return [{ path: files.pathOf(taken), sequence: taken, journal }];
      } catch (error) {
        if (error instanceof SnapshotDamagedError) return [];
        throw error;
      }
    });
}

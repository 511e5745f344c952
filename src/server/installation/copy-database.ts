/**
 * Moves a stopped exchange's accounts and history to another database: from SQLite to PostgreSQL, back,
 * or between two of PostgreSQL. The source is only read. A marker table identifies a target that a copy
 * has begun to fill; an interrupted copy continues there, with the tables whose content differs. The
 * table by which an exchange recognizes its database is copied last, so that none starts on an
 * incomplete copy.
 */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { lockDirectory } from "#journal/directory-lock.ts";
import { copyRows, digestOf, type TableShape, tableShapes } from "../database/copy-rows.ts";
import { DatabaseError } from "../database/database-error.ts";
import { migrations } from "../database/migrations/list.ts";
import {
  type Database,
  type DatabaseLocation,
  describeDatabase,
  openDatabase,
  openDatabaseToRead,
} from "../database/open-database.ts";
import { type Log, messageOf } from "../log.ts";
import { writeDirectoryRecord } from "./directory-record.ts";
import { requireMatchingParts } from "./check-parts.ts";
import { takeDatabase } from "./lease.ts";
import { type Parts, readParts } from "./parts.ts";

/** The marker table, in the target until the copy is complete. */
const MARK = "database_copy";
/** Records which process has the database; never copied. */
const LEASE = "exchange_lease";
/**
 * Copied first: other tables refer to its rows. Those in LAST are copied last: by them an exchange
 * recognizes its database.
 */
const FIRST = "user";
const LAST = ["alert_progress", "history_progress", "installation"];

interface CopyOptions {
  /** The exchange's data directory with its database. */
  readonly source: DatabaseLocation;
  /** SQLite, in the source's data directory, if the location has no URL. */
  readonly target: DatabaseLocation;
  readonly log: Log;
  /** Is called with a sentence for each table. */
  readonly tell: (sentence: string) => void;
}

/**
 * @returns how many rows were copied
 * @throws Error with a sentence if an exchange runs on either database, the source has another version
 * or does not belong to its journal, the target is not empty, or the target's rows differ from the
 * source's afterwards
 */
export async function copyDatabase({ source, target, log, tell }: CopyOptions): Promise<number> {
  if (describeDatabase(source) === describeDatabase(target) && source.schema === target.schema) {
    throw new Error(`The exchange already uses the database ${describeDatabase(target)}.`);
  }
  const lock = lockDirectory(source.dataDir);
  try {
    await requireSameVersion(source);
    const parts = await readParts(source);
    requireMatchingParts(parts);
    await requireEmpty(target);
    return await withDatabase({ ...source, log }, (from) =>
      withDatabase(
        { ...target, log },
        async (to) => {
          const rows = await copyAll(from, to, tell);
          await handOver(to, parts);
          return rows;
        },
        setMark,
      ),
    );
  } finally {
    lock.release();
  }
}

/** Runs while no exchange uses the database. @param first is called before the database is migrated */
async function withDatabase<T>(
  options: DatabaseLocation & { readonly log: Log },
  work: (database: Database) => Promise<T>,
  first?: (database: Database) => Promise<void>,
): Promise<T> {
  const database = await openDatabase(options);
  try {
    await first?.(database);
    const lease = await takeDatabase({ database, log: options.log });
    try {
      return await work(database);
    } finally {
      await lease.close();
    }
  } finally {
    await database.close();
  }
}

async function requireSameVersion(source: DatabaseLocation): Promise<void> {
  const name = describeDatabase(source);
  const database = await openDatabaseToRead(source);
  if (database === undefined) throw new DatabaseError(`There is no database ${name}.`);
  try {
    const tables = await database.read.introspection.getTables({ withInternalKyselyTables: true });
    const has = tables.some((table) => table.name === "kysely_migration");
    const { rows } = has
      ? await sql<{ name: string }>`select name from kysely_migration`.execute(database.read)
      : { rows: [] };
    const applied = new Set(rows.map((row) => row.name));
    const known = Object.keys(migrations);
    if (applied.size === known.length && known.every((each) => applied.has(each))) return;
    throw new DatabaseError(
      `The database ${name} is of another version of the program. Start the exchange on it once with ` +
        "this version, stop it, and copy then.",
    );
  } finally {
    await database.close();
  }
}

/** @throws DatabaseError unless the target is empty or a copy into it was interrupted */
async function requireEmpty(target: DatabaseLocation): Promise<void> {
  const database = await openDatabaseToRead(target);
  if (database === undefined) return;
  try {
    const tables = await database.read.introspection.getTables({ withInternalKyselyTables: true });
    if (tables.length === 0 || tables.some(({ name }) => name === MARK)) return;
    throw new DatabaseError(
      `The database ${describeDatabase(target)} is not empty. Name an empty one, or move what is in it away.`,
    );
  } finally {
    await database.close();
  }
}

async function setMark({ write }: Database): Promise<void> {
  await write.schema
    .createTable(MARK)
    .ifNotExists()
    .addColumn("id", "integer", (column) => column.primaryKey())
    .execute();
}

async function copyAll(
  from: Database,
  to: Database,
  tell: (sentence: string) => void,
): Promise<number> {
  const shapes = await tableShapes((from.dialect === "postgres" ? from : to).read);
  let total = 0;
  for (const shape of inOrder(shapes)) {
    const rows = await copyTable(shape, from, to);
    total += rows;
    tell(`${shape.name}: ${rows} ${rows === 1 ? "row" : "rows"}, verified`);
  }
  return total;
}

/**
 * Makes the copy the directory's database. It gets a new identity, so that the source, where later
 * sign-ups would be missing, is refused.
 */
async function handOver({ write }: Database, { dataDir, journal, database }: Parts): Promise<void> {
  const id = randomUUID();
  await write.transaction().execute(async (transaction) => {
    await transaction.updateTable("installation").set({ database_id: id }).execute();
    await transaction.schema.dropTable(MARK).execute();
  });
  const { identity, sequence } = journal;
  const databaseSequence = database?.sequence ?? 0;
  writeDirectoryRecord(dataDir, { journal: identity, sequence, database: id, databaseSequence });
}

/**
 * @returns the number of rows
 * @throws DatabaseError if the table cannot be copied, or the target's rows differ from the source's
 * afterwards
 */
async function copyTable(shape: TableShape, from: Database, to: Database): Promise<number> {
  const { name } = shape;
  const wanted = await digestOf(shape, from.read);
  const isThere = async () => isDeepStrictEqual(await digestOf(shape, to.read), wanted);
  if (await isThere()) return wanted.rows;
  try {
    await to.write.transaction().execute((writing) => copyRows(shape, from.read, writing));
  } catch (error) {
    const reason = messageOf(error);
    throw new DatabaseError(`The table ${name} cannot be copied: ${reason}`, { cause: error });
  }
  if (await isThere()) return wanted.rows;
  throw new DatabaseError(
    `After the copy the content of the table ${name} differs from the source's ${wanted.rows} rows. ` +
      "The source is as it was.",
  );
}

function inOrder(shapes: readonly TableShape[]): TableShape[] {
  const place = ({ name }: TableShape) => (name === FIRST ? -1 : LAST.indexOf(name) + 1);
  return shapes
    .filter(({ name }) => name !== MARK && name !== LEASE)
    .toSorted((left, right) => place(left) - place(right));
}

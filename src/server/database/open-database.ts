/**
 * The SQL database: SQLite inside the data directory, or PostgreSQL by its address. Both speak the
 * same Kysely types and run the same migrations; what they do not share is handled in this folder
 * and nowhere else.
 *
 * Writes and reads have connections of their own, so that a page never waits for a long write.
 */
import type { Log } from "../log.ts";
import type { DatabaseConnections, DatabaseReader } from "./connections.ts";
import { migrateToLatest } from "./migrate.ts";
import { openPostgres, openPostgresToRead, withoutPassword } from "./postgres.ts";
import { openSqlite, openSqliteToRead, sqlitePathOf } from "./sqlite.ts";

/** Where a database is; plain data, so that a worker can open the same one. */
export interface DatabaseLocation {
  /** `postgres://…`; without it the database is `<dataDir>/openbell.sqlite`. */
  readonly databaseUrl?: string;
  readonly dataDir: string;
  /** PostgreSQL schema that holds the tables; made where it is missing. Default: the server's. */
  readonly schema?: string;
}

export interface Database extends DatabaseConnections {
  readonly location: DatabaseLocation;
  /**
   * Brings the tables to the newest version, each migration in a transaction of its own.
   * @throws MigrationError naming the migration that failed; the ones before it stay applied.
   */
  migrate(): Promise<void>;
}

/**
 * Opens the database to look at it before anything is written to it: makes no file, no schema and no
 * table. Undefined if SQLite's file is missing or empty; what is there may have no table either.
 * @throws DatabaseError if it cannot be opened or reached, without the password of its address.
 */
export function openDatabaseToRead(
  location: DatabaseLocation,
): Promise<DatabaseReader | undefined> {
  const { databaseUrl, dataDir, schema } = location;
  return databaseUrl === undefined
    ? openSqliteToRead(dataDir)
    : openPostgresToRead(databaseUrl, schema);
}

/** What an operator calls the database: SQLite's file, or PostgreSQL's address without its password. */
export function databaseNameOf({ databaseUrl, dataDir }: DatabaseLocation): string {
  return databaseUrl === undefined ? sqlitePathOf(dataDir) : withoutPassword(databaseUrl);
}

/**
 * Opens the database without changing it: call `migrate()` before anything else.
 * @throws DatabaseError where it cannot be opened or reached, without the password of its address.
 */
export async function openDatabase(options: DatabaseLocation & { log: Log }): Promise<Database> {
  const { databaseUrl, dataDir, schema, log } = options;
  const location: DatabaseLocation = { databaseUrl, dataDir, schema };
  const connections = await (databaseUrl === undefined
    ? openSqlite(dataDir)
    : openPostgres(databaseUrl, schema, log));
  return { ...connections, location, migrate: () => migrateToLatest(connections.write, log) };
}

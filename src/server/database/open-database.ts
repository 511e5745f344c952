/**
 * The SQL database: SQLite inside the data directory, or PostgreSQL by its URL. Both use the
 * same Kysely types and run the same migrations; the differences are handled in this folder and
 * nowhere else.
 *
 * Writes and reads use separate connections, so that a page never waits for a long write.
 */
import type { Log } from "../log.ts";
import type { DatabaseConnections, DatabaseReader } from "./connections.ts";
import type { StatementListener } from "./statement-listener.ts";
import { migrateToLatest } from "./migrate.ts";
import { openPostgres, openPostgresToRead, withoutPassword } from "./postgres.ts";
import { openSqlite, openSqliteToRead, sqlitePathOf } from "./sqlite.ts";

/** The location of a database: plain data, so that a worker can open the same database. */
export interface DatabaseLocation {
  /** `postgres://…`; if absent, the database is `<dataDir>/openbell.sqlite`. */
  readonly databaseUrl?: string;
  readonly dataDir: string;
  /**
   * PostgreSQL schema that holds the tables, created if missing; by default, the server's default
   * schema.
   */
  readonly schema?: string;
}

interface OpenOptions extends DatabaseLocation {
  readonly log: Log;
  readonly onStatement?: StatementListener;
  /**
   * Whether a thread of its own writes SQLite's file (writer-thread.ts), because the present one must not
   * wait for the disk. False if omitted.
   */
  readonly writesElsewhere?: boolean;
}

export interface Database extends DatabaseConnections {
  readonly location: DatabaseLocation;
  /**
   * Migrates the tables to the newest version, each migration in a separate transaction.
   * @throws MigrationError naming the migration that failed; earlier migrations stay applied.
   */
  migrate(): Promise<void>;
}

/**
 * Opens the database read-only, without creating a file, schema or table. Undefined if SQLite's
 * file is missing or empty; an existing database may have no tables.
 * @throws DatabaseError if it cannot be opened or reached; the message omits the password.
 */
export function openDatabaseToRead(
  location: DatabaseLocation,
): Promise<DatabaseReader | undefined> {
  const { databaseUrl, dataDir, schema } = location;
  return databaseUrl === undefined
    ? openSqliteToRead(dataDir)
    : openPostgresToRead(databaseUrl, schema);
}

/**
 * Describes the database to the operator: SQLite's file, or PostgreSQL's URL without its
 * password.
 */
export function describeDatabase({ databaseUrl, dataDir }: DatabaseLocation): string {
  return databaseUrl === undefined ? sqlitePathOf(dataDir) : withoutPassword(databaseUrl);
}

/**
 * Opens the database without changing it: call `migrate()` before anything else.
 * @throws DatabaseError if it cannot be opened or reached; the message omits the password.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const { databaseUrl, dataDir, schema, log, onStatement, writesElsewhere = false } = options;
  const location: DatabaseLocation = { databaseUrl, dataDir, schema };
  const connections = await (databaseUrl === undefined
    ? openSqlite(dataDir, { onStatement, writesElsewhere })
    : openPostgres(databaseUrl, schema, log, onStatement));
  return { ...connections, location, migrate: () => migrateToLatest(connections.write, log) };
}

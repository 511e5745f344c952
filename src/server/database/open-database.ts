/**
 * The SQL database: SQLite inside the data directory, or PostgreSQL by its URL. Both use the
 * same Kysely types and run the same migrations; the differences are handled in this folder and
 * nowhere else.
 *
 * Writes and reads use separate connections, so that a page never waits for a long write. The driver of PostgreSQL
 * and the migrations are loaded where they are needed: every thread with a database loads this file.
 */
import type { Log } from "../log.ts";
import type { DatabaseConnections, DatabaseReader } from "./connections.ts";
import type { StatementListener } from "./statement-listener.ts";
import { openSqlite, openSqliteToRead, sqlitePathOf } from "./sqlite.ts";
import { withoutPassword } from "./without-password.ts";

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
export async function openDatabaseToRead(
  location: DatabaseLocation,
): Promise<DatabaseReader | undefined> {
  const { databaseUrl, dataDir, schema } = location;
  if (databaseUrl === undefined) return openSqliteToRead(dataDir);
  const { openPostgresToRead } = await import("./postgres.ts");
  return openPostgresToRead(databaseUrl, schema);
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
  const connections =
    databaseUrl === undefined
      ? await openSqlite(dataDir, { onStatement, writesElsewhere })
      : await (await import("./postgres.ts")).openPostgres(databaseUrl, schema, log, onStatement);
  return {
    ...connections,
    location,
    async migrate() {
      const { migrateToLatest } = await import("./migrate.ts");
      await migrateToLatest(connections.write, log);
    },
  };
}

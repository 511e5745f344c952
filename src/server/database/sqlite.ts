/**
 * SQLite through better-sqlite3. Write-ahead logging lets the read connection proceed while another
 * one writes; `synchronous=FULL` makes a committed transaction survive a power failure, except those of
 * counters.
 *
 * Transactions take the write lock when they begin, since a transaction that reads first and writes
 * later cannot be retried halfway (sqlite-file.ts).
 */
import { statSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { basename, join } from "node:path";
import SqliteFile from "better-sqlite3";
import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from "kysely";
import { DatabaseError } from "./database-error.ts";
import type { DatabaseConnections, DatabaseReader } from "./connections.ts";
import { isLogDamaged, missingPages } from "./sqlite-pages.ts";
import { FullDisk } from "./full-disk.ts";
import { openFile, RetryingConnection } from "./sqlite-file.ts";
import type { StatementListener } from "./statement-listener.ts";
import type { Tables } from "./tables.ts";
import { messageOf } from "../log.ts";
import { WriterThread } from "./writer-thread.ts";

const DAMAGE_CODES = /^SQLITE_(CORRUPT|NOTADB)/;

/** @param options.writesElsewhere whether another thread writes, so that this one never waits for the disk */
export async function openSqlite(
  dataDir: string,
  options: {
    readonly onStatement: StatementListener | undefined;
    readonly writesElsewhere: boolean;
  },
): Promise<DatabaseConnections> {
  const { onStatement, writesElsewhere } = options;
  const path = sqlitePathOf(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    await createPrivateFile(path);
    const writers = await (writesElsewhere ? writersElsewhere(path) : writersHere(path));
    const readFile = await openFile(path, { readonly: true });
    const fullDisk = new FullDisk(onStatement);
    const log = fullDisk.log;
    const write = new Kysely<Tables>({ dialect: dialectOf(writers.write), log });
    const counters = new Kysely<Tables>({ dialect: dialectOf(writers.counters), log });
    const read = readerOf(readFile, onStatement);
    return {
      dialect: "sqlite",
      write,
      counters,
      fullDisk,
      read,
      async close() {
        await Promise.all([write.destroy(), counters.destroy(), read.destroy()]);
        readFile.close();
        await writers.close();
      },
    };
  } catch (error) {
    throw openError(path, error);
  }
}

interface Writers {
  readonly write: DatabaseConnection;
  readonly counters: DatabaseConnection;
  close(): Promise<void>;
}

async function writersHere(path: string): Promise<Writers> {
  const writeFile = await openFile(path, {});
  const counterFile = await openFile(path, {}, "NORMAL");
  return {
    write: new RetryingConnection(writeFile),
    counters: new RetryingConnection(counterFile),
    close() {
      for (const file of [counterFile, writeFile]) file.close();
      return Promise.resolve();
    },
  };
}

async function writersElsewhere(path: string): Promise<Writers> {
  const thread = await WriterThread.open(path);
  return {
    write: thread.connection("write"),
    counters: thread.connection("counters"),
    close: () => thread.close(),
  };
}

/**
 * Creates the file unless it exists; SQLite gives its log and shared-memory files the same
 * permissions. An existing file is not opened: closing it again would drop all of this process's
 * locks on it.
 */
async function createPrivateFile(path: string): Promise<void> {
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Opens the database read-only and unchanged; undefined if the file is missing or empty. */
export async function openSqliteToRead(dataDir: string): Promise<DatabaseReader | undefined> {
  const path = sqlitePathOf(dataDir);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return undefined;
  const cut = missingPages(path);
  if (cut !== undefined) {
    throw damageError(path, `${cut.missing} of its ${cut.pages} pages are missing`);
  }
  if (isLogDamaged(path)) {
    throw damageError(path, `${path}-wal, where its last changes were, is no write-ahead log`);
  }
  try {
    const file = await openFile(path, { readonly: true });
    const read = readerOf(file);
    return {
      read,
      async close() {
        await read.destroy();
        file.close();
      },
    };
  } catch (error) {
    throw openError(path, error);
  }
}

/** The path of the SQLite file within a data directory. */
export function sqlitePathOf(dataDir: string): string {
  return join(dataDir, "openbell.sqlite");
}

function damageError(path: string, finding: string): DatabaseError {
  return new DatabaseError(
    `The database ${path} is damaged: ${finding}. Restore it from a backup, in an empty directory. To continue without its ` +
      `users, move it away (with ${basename(path)}-wal and ${basename(path)}-shm, if they are there), ` +
      "then run npx openbell adopt-database (it first says what that gives up).",
  );
}

/** The error to report if SQLite found the file corrupt; undefined for any other error. */
export function damageOf(path: string, error: unknown): DatabaseError | undefined {
  const isDamage = error instanceof SqliteFile.SqliteError && DAMAGE_CODES.test(error.code);
  return isDamage ? damageError(path, error.message) : undefined;
}

function openError(path: string, error: unknown): DatabaseError {
  const damage = damageOf(path, error);
  if (damage !== undefined) return damage;
  return new DatabaseError(`The database ${path} cannot be opened: ${messageOf(error)}`, {
    cause: error,
  });
}

function readerOf(file: SqliteFile.Database, log?: StatementListener): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: dialectOf(new RetryingConnection(file), "begin"), log });
}

/** @param begin the statement that begins a transaction */
function dialectOf(connection: DatabaseConnection, begin = "begin immediate"): Dialect {
  return {
    createDriver: () => driverOf(connection, begin),
    createAdapter: () => new TransactionalDdlAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (database) => new SqliteIntrospector(database),
  };
}

/**
 * SQLite rolls back schema changes like all others, so a failed migration leaves nothing behind.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** Kysely lets one statement, or one transaction, use the connection at a time. */
function driverOf(connection: DatabaseConnection, begin: string): Driver {
  const execute = async (sql: string) => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };
  const nothing = () => Promise.resolve();
  return {
    init: nothing,
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: () => execute(begin),
    commitTransaction: () => execute("commit"),
    rollbackTransaction: () => execute("rollback"),
    releaseConnection: nothing,
    destroy: nothing,
  };
}

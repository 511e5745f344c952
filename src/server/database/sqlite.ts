/**
 * SQLite through better-sqlite3. Write-ahead logging lets the read connection proceed while another
 * one writes; `synchronous=FULL` makes a committed transaction survive a power failure, except those of
 * counters.
 *
 * better-sqlite3 is synchronous: waiting for another connection's lock inside SQLite would block
 * the thread. So SQLite never waits here: a busy database is retried after a timer, and the thread
 * continues meanwhile. Transactions take the write lock when they begin, since a transaction that
 * reads first and writes later cannot be retried from the middle.
 */
import { statSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import SqliteFile from "better-sqlite3";
import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from "kysely";
import { DatabaseError } from "./database-error.ts";
import type { DatabaseConnections, DatabaseReader } from "./connections.ts";
import { isLogDamaged, missingPages } from "./sqlite-pages.ts";
import { FullDisk } from "./full-disk.ts";
import type { StatementListener } from "./statement-listener.ts";
import type { Tables } from "./tables.ts";
import { messageOf } from "../log.ts";

const BUSY_WAIT_MS_MAX = 10_000;
const BUSY_RETRY_MS = 2;
const STATEMENTS_KEPT_MAX = 200;
/**
 * The length of the write-ahead log, 16 MB, at which its pages are copied into the file. Each is copied once,
 * however often it has changed.
 */
const CHECKPOINT_PAGES = 4_000;
const DAMAGE_CODES = /^SQLITE_(CORRUPT|NOTADB)/;

export async function openSqlite(
  dataDir: string,
  onStatement?: StatementListener,
): Promise<DatabaseConnections> {
  const path = sqlitePathOf(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    await createPrivateFile(path);
    const writeFile = await openFile(path, {});
    const counterFile = await openFile(path, {}, "NORMAL");
    const readFile = await openFile(path, { readonly: true });
    const fullDisk = new FullDisk(onStatement);
    const dialect = new RetryingSqliteDialect(writeFile);
    const write = new Kysely<Tables>({ dialect, log: fullDisk.log });
    const counterDialect = new RetryingSqliteDialect(counterFile);
    const counters = new Kysely<Tables>({ dialect: counterDialect, log: fullDisk.log });
    const readDialect = new RetryingSqliteDialect(readFile);
    const read = new Kysely<Tables>({ dialect: readDialect, log: onStatement });
    return {
      dialect: "sqlite",
      write,
      counters,
      fullDisk,
      read,
      async close() {
        await Promise.all([write.destroy(), counters.destroy(), read.destroy()]);
        // Kysely does not destroy a driver that it never used; closing a file twice has no effect.
        for (const file of [readFile, counterFile, writeFile]) file.close();
      },
    };
  } catch (error) {
    throw openError(path, error);
  }
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
    const read = new Kysely<Tables>({ dialect: new RetryingSqliteDialect(file) });
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
    `The database ${path} is damaged: ${finding}. Restore it from a backup. To continue without its ` +
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

/** @param synchronous "NORMAL" may lose the last transactions in a power failure, and damages nothing */
async function openFile(
  path: string,
  options: { readonly?: boolean },
  synchronous: "FULL" | "NORMAL" = "FULL",
) {
  const file = new SqliteFile(path, { ...options, timeout: 0 });
  await whenNotBusy(() => {
    // Changing the journal mode requires exclusive access, which only the first opening of a
    // database needs.
    if (options.readonly !== true) {
      file.pragma("journal_mode = WAL");
      // A statement of many rows keeps the former content of each page that it changes until it is done:
      // in memory, or written to a temporary file, which took a third of the time of the history's rows.
      file.pragma("temp_store = MEMORY");
      file.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    }
    file.pragma(`synchronous = ${synchronous}`);
    file.pragma("foreign_keys = ON");
    file.pragma("cache_size = -16000");
  });
  return file;
}

class RetryingSqliteDialect extends SqliteDialect {
  readonly #file: SqliteFile.Database;
  constructor(file: SqliteFile.Database) {
    super({ database: file });
    this.#file = file;
  }
  override createDriver(): Driver {
    return new RetryingSqliteDriver(this.#file);
  }
  override createAdapter() {
    return new TransactionalDdlAdapter();
  }
}

/**
 * SQLite rolls back schema changes like all others, so a failed migration leaves nothing behind.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

class RetryingSqliteDriver extends SqliteDriver {
  readonly #connection: DatabaseConnection;
  readonly #file: SqliteFile.Database;
  constructor(file: SqliteFile.Database) {
    super({ database: file });
    this.#connection = new RetryingConnection(file);
    this.#file = file;
  }
  override acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection);
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(
      CompiledQuery.raw(this.#file.readonly ? "begin" : "begin immediate"),
    );
  }
  /** SQLite has already rolled back if the disk was full; a second rollback would hide that error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#file.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** Caches prepared statements: preparing a wide insert takes longer than running it. */
class RetryingConnection implements DatabaseConnection {
  readonly #file: SqliteFile.Database;
  readonly #statements = new Map<string, SqliteFile.Statement>();
  constructor(file: SqliteFile.Database) {
    this.#file = file;
  }
  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return whenNotBusy(() => {
      const statement = this.#prepared(sql);
      if (statement.reader) return { rows: statement.all(parameters) as R[] };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
    });
  }
  // Prepared anew: an unfinished stream would keep a shared statement busy.
  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncGenerator<QueryResult<R>> {
    for (const row of this.#file.prepare(sql).iterate(parameters)) yield { rows: [row as R] };
  }
  #prepared(sql: string): SqliteFile.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      // The map keeps insertion order: the most recently used goes to its end.
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.#file.prepare(sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > STATEMENTS_KEPT_MAX) {
      this.#statements.delete(this.#statements.keys().next().value as string);
    }
    return statement;
  }
}

/**
 * Retries a statement while the database is busy, in which case the statement has changed nothing.
 */
async function whenNotBusy<T>(run: () => T | Promise<T>): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += BUSY_RETRY_MS) {
    try {
      return await run();
    } catch (error) {
      if (waitedMs >= BUSY_WAIT_MS_MAX || !isBusy(error)) throw error;
      await delay(BUSY_RETRY_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteFile.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

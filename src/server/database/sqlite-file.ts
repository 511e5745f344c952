/**
 * One connection to SQLite's file, in the thread that uses it.
 *
 * better-sqlite3 is synchronous: waiting for another connection's lock inside SQLite would block the
 * thread. So SQLite never waits here: a busy database is retried after a timer, and the thread
 * continues in the meantime.
 */
import { setTimeout as delay } from "node:timers/promises";
import SqliteFile from "better-sqlite3";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";

const BUSY_WAIT_MS_MAX = 10_000;
const BUSY_RETRY_MS = 2;
const STATEMENTS_KEPT_MAX = 200;
/**
 * The length of the write-ahead log, 16 MB, at which its pages are copied into the file. Each is copied once,
 * however often it has changed.
 */
const CHECKPOINT_PAGES = 4_000;

/** @param synchronous "NORMAL" may lose the last transactions in a power failure, and damages nothing */
export async function openFile(
  path: string,
  options: { readonly?: boolean },
  synchronous: "FULL" | "NORMAL" = "FULL",
): Promise<SqliteFile.Database> {
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

type Statement = Pick<CompiledQuery, "parameters" | "sql">;

/** Caches prepared statements: preparing a wide insert takes longer than running it. */
export class RetryingConnection implements DatabaseConnection {
  readonly #file: SqliteFile.Database;
  readonly #statements = new Map<string, SqliteFile.Statement>();
  constructor(file: SqliteFile.Database) {
    this.#file = file;
  }
  executeQuery<R>({ sql, parameters }: Statement): Promise<QueryResult<R>> {
    return whenNotBusy(() => {
      // SQLite has already rolled back if the disk was full; a second rollback would hide that error.
      if (sql === "rollback" && !this.#file.inTransaction) return { rows: [] };
      const statement = this.#prepared(sql);
      if (statement.reader) return { rows: statement.all(parameters) as R[] };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
    });
  }
  // Prepared again: an unfinished stream would keep a shared statement busy.
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

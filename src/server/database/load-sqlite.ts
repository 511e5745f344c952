/** Loads SQLite's native library, which better-sqlite3 otherwise loads with the first database. */
import SqliteFile from "better-sqlite3";

/** Call this in a thread before its first message: see worker-loaded.ts. */
export function loadSqlite(): void {
  new SqliteFile(":memory:").close();
}

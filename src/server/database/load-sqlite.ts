/** better-sqlite3 loads its native library with the first database, not when it is imported. */
import SqliteFile from "better-sqlite3";

/** In a thread, to be called before the first message: see worker-loaded.ts. */
export function loadSqlite(): void {
  new SqliteFile(":memory:").close();
}

/** Distinguishes the two databases where SQL must differ. */
import { SqliteAdapter, type Kysely } from "kysely";

// A transaction and a migration are given a Kysely instance only; its adapter names the database.
// oxlint-disable-next-line typescript/no-explicit-any -- of any table type, since none is touched
export function isSqlite(database: Kysely<any>): boolean {
  return database.getExecutor().adapter instanceof SqliteAdapter;
}

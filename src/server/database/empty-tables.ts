/** Removes all rows of tables that no other table refers to. */
import { sql } from "kysely";
import { isSqlite } from "./dialect.ts";
import type { AnyDatabase } from "./migrations/schema-steps.ts";

/**
 * A delete in PostgreSQL would mark every row and write that to its log; truncating empties a table of
 * any size at once. SQLite optimizes a delete without a condition likewise.
 */
export async function emptyTables(database: AnyDatabase, tables: readonly string[]): Promise<void> {
  if (isSqlite(database)) {
    for (const table of tables) await database.deleteFrom(table).execute();
  } else {
    await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(database);
  }
}

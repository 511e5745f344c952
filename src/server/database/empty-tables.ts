/** Removes all rows of tables that nothing refers to. */
import { sql } from "kysely";
import { isSqlite } from "./dialect.ts";
import type { AnyDatabase } from "./migrations/schema-steps.ts";

/**
 * PostgreSQL would mark every row as deleted and write that to its log; truncated, a table of any size is empty
 * at once. SQLite does the same with a delete that has no condition.
 */
export async function emptyTables(database: AnyDatabase, tables: readonly string[]): Promise<void> {
  if (isSqlite(database)) {
    for (const table of tables) await database.deleteFrom(table).execute();
  } else {
    await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(database);
  }
}

/** The markets that each user watches, in the user's order; see personal/watchlists.ts. */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  await database.schema
    .createTable("watchlists")
    .addColumn("user_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("markets", "text", (column) => column.notNull())
    .execute();
}

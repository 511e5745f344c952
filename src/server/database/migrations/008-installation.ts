/** Which exchange the database belongs to; see database/installation-tables.ts. */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  await database.schema
    .createTable("installation")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("database_id", "text", (column) => column.notNull())
    .addColumn("journal", "bigint", (column) => column.notNull())
    .execute();
}

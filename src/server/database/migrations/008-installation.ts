/** The identity of the exchange to which the database belongs; see database/installation-tables.ts. */
import type { AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await database.schema
    .createTable("installation")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("database_id", "text", (column) => column.notNull())
    .addColumn("journal", "bigint", (column) => column.notNull())
    .execute();
}

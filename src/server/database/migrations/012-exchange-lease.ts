/** Which exchange has the database at the moment; see installation/lease.ts. */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  await database.schema
    .createTable("exchange_lease")
    .addColumn("id", "integer", (column) => column.notNull().primaryKey())
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("place", "text", (column) => column.notNull())
    .addColumn("until_ms", "bigint", (column) => column.notNull())
    .execute();
}

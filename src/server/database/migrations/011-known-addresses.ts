/** Network addresses from which users signed in, as digests; see accounts/requests/known-addresses.ts. */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  await database.schema
    .createTable("known_addresses")
    .addColumn("key", "text", (column) => column.notNull().primaryKey())
    .addColumn("seen_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex("known_addresses_by_time")
    .on("known_addresses")
    .column("seen_at_ms")
    .execute();
}

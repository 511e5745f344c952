/**
 * What keeps accounts safe after the fact: the record of security events, the users whose deletion
 * the exchange still has to be told, and finding who looks through another's eyes.
 */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  await database.schema
    .createIndex("session_impersonatedBy_idx")
    .on("session")
    .column("impersonatedBy")
    .execute();

  // Without references: both outlive the user.
  await database.schema
    .createTable("deleted_users")
    .addColumn("id", "text", (column) => column.notNull().primaryKey())
    .addColumn("deleted_at_ms", "bigint", (column) => column.notNull())
    .addColumn("settled_at_ms", "bigint")
    .execute();
  await database.schema
    .createIndex("deleted_users_by_settlement")
    .on("deleted_users")
    .column("settled_at_ms")
    .execute();

  await database.schema
    .createTable("security_events")
    .addColumn("id", "text", (column) => column.notNull().primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("actor_id", "text")
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("at_ms", "bigint", (column) => column.notNull())
    .addColumn("address", "text")
    .addColumn("user_agent", "text")
    .addColumn("detail", "text", (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex("security_events_by_user")
    .on("security_events")
    .columns(["user_id", "id"])
    .execute();
}

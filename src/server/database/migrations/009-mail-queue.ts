/** Mails until the mail server has taken them, so that an outage or a restart loses none. */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  await database.schema
    .createTable("mail_queue")
    .addColumn("id", "text", (column) => column.notNull().primaryKey())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .addColumn("recipient", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("html", "text")
    .addColumn("text", "text")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("next_attempt_at_ms", "bigint", (column) => column.notNull())
    .addColumn("last_error", "text")
    .execute();
  await database.schema
    .createIndex("mail_queue_due")
    .on("mail_queue")
    .columns(["state", "next_attempt_at_ms"])
    .execute();
  await database.schema
    .createIndex("mail_queue_by_time")
    .on("mail_queue")
    .column("created_at_ms")
    .execute();
}

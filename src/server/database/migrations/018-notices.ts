/** What each user has read of the notices, and where they are announced; see notices/notice-states.ts. */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  await database.schema
    .createTable("notice_states")
    .addColumn("user_id", "text", (column) => column.notNull().primaryKey())
    .addColumn("switches", "text", (column) => column.notNull())
    .addColumn("sends_mail", "integer", (column) => column.notNull())
    .addColumn("read_until_ms", "bigint", (column) => column.notNull())
    .addColumn("read_ids", "text", (column) => column.notNull())
    .addColumn("mailed_until_ms", "bigint", (column) => column.notNull())
    .execute();
}

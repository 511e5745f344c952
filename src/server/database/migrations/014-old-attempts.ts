/** Attempts whose window is over are removed every minute, and strangers cause many that are not. */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  await database.schema
    .createIndex("account_attempts_window_idx")
    .ifNotExists()
    .on("account_attempts")
    .column("window_started_ms")
    .execute();
}

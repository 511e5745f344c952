/** Sessions that are over are looked for every minute, and there may be many that are not. */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  await database.schema
    .createIndex("session_expiresAt_idx")
    .ifNotExists()
    .on("session")
    .column("expiresAt")
    .execute();
}

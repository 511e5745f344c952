/** Sessions that are over are looked for every minute, and there may be many that are not. */
import type { AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await database.schema
    .createIndex("session_expiresAt_idx")
    .ifNotExists()
    .on("session")
    .column("expiresAt")
    .execute();
}

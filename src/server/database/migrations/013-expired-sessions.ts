/** An index for finding expired sessions, every minute, among many valid ones. */
import type { AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await database.schema
    .createIndex("session_expiresAt_idx")
    .ifNotExists()
    .on("session")
    .column("expiresAt")
    .execute();
}

/** An index for removing old attempts, every minute, when unauthenticated clients cause many new ones. */
import type { AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await database.schema
    .createIndex("account_attempts_window_idx")
    .ifNotExists()
    .on("account_attempts")
    .column("window_started_ms")
    .execute();
}

/**
 * The notices that each user has read, and the channels on which notices are announced; see
 * notices/notice-states.ts.
 */
import { type AnyDatabase, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createTable(database, "notice_states", {
    user_id: "text",
    switches: "text",
    sends_mail: "integer",
    read_until_ms: "bigint",
    read_ids: "text",
    mailed_until_ms: "bigint",
  });
}

/** Changes of how users sign in that are under way; see accounts/audit/access-changes.ts. */
import { type AnyDatabase, createIndex, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createTable(database, "access_changes", {
    id: "text",
    user_id: "text",
    actor_id: "text",
    until_ms: "bigint",
  });
  await createIndex(database, "access_changes_of_user", "access_changes", ["user_id"]);
}

/**
 * Security events, the users of whose deletion the exchange must still be notified, and an index for
 * finding administrators who view as another user.
 */
import { type AnyDatabase, createIndex, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createIndex(database, "session_impersonatedBy_idx", "session", ["impersonatedBy"]);

  // Without foreign keys: rows of both tables outlive the user.
  await createTable(database, "deleted_users", {
    id: "text",
    deleted_at_ms: "bigint",
    settled_at_ms: "bigint?",
  });
  await createIndex(database, "deleted_users_by_settlement", "deleted_users", ["settled_at_ms"]);

  await createTable(database, "security_events", {
    id: "text",
    user_id: "text",
    actor_id: "text?",
    kind: "text",
    at_ms: "bigint",
    address: "text?",
    user_agent: "text?",
    detail: "text",
  });
  await createIndex(database, "security_events_by_user", "security_events", ["user_id", "id"]);
}

/** Users' API keys; see api-keys/api-keys.ts. */
import { type AnyDatabase, createIndex, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createTable(database, "api_keys", {
    id: "text",
    user_id: "text",
    name: "text",
    api_key: "text",
    kind: "text",
    secret: "text?",
    public_key: "text?",
    permissions: "text",
    address_ranges: "text",
    created_at_ms: "bigint",
    expires_at_ms: "bigint?",
    last_used_at_ms: "bigint?",
    last_used_address: "text?",
  });
  await createIndex(database, "api_keys_by_key", "api_keys", ["api_key"], true);
  await createIndex(database, "api_keys_of_user", "api_keys", ["user_id"]);
}

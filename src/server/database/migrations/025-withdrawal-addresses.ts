/** Creates the table of users' withdrawal addresses; see personal/withdrawal-addresses.ts. */
import { type AnyDatabase, createIndex, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createTable(database, "withdrawal_addresses", {
    id: "text",
    user_id: "text",
    label: "text",
    coin: "text",
    network: "text",
    address: "text",
    memo: "text",
    created_at_ms: "bigint",
  });
  await createIndex(database, "withdrawal_addresses_by_user", "withdrawal_addresses", ["user_id"]);
}

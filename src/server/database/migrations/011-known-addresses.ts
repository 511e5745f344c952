/** Network addresses from which users signed in, as digests; see accounts/requests/known-addresses.ts. */
import { type AnyDatabase, createIndex, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createTable(database, "known_addresses", { key: "text", seen_at_ms: "bigint" });
  await createIndex(database, "known_addresses_by_time", "known_addresses", ["seen_at_ms"]);
}

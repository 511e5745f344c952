/** The exchange that uses the database at the moment; see installation/lease.ts. */
import { type AnyDatabase, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createTable(database, "exchange_lease", {
    id: "integer",
    holder: "text",
    place: "text",
    until_ms: "bigint",
  });
}

/** Administrators who are about to be removed; see accounts/users/leaving-administrators.ts. */
import { type AnyDatabase, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createTable(database, "leaving_administrators", {
    id: "text",
    user_id: "text",
    until_ms: "bigint",
  });
}

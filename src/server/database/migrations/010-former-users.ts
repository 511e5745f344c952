/**
 * A keyed digest of a deleted user's address, kept for a day; see accounts/users/former-users.ts.
 */
import type { AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await database.schema.alterTable("deleted_users").addColumn("address_digest", "text").execute();
}

/** Whose address a deleted user had, as a keyed digest, for a day; see accounts/users/former-users.ts. */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  await database.schema.alterTable("deleted_users").addColumn("address_digest", "text").execute();
}

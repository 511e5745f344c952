/** When each passkey signed somebody in last, which the authentication library does not keep. */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  await database.schema.alterTable("passkey").addColumn("lastUsedAtMs", "bigint").execute();
}

/**
 * The time at which each passkey last signed its user in, which the authentication library does not store.
 */
import type { AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await database.schema.alterTable("passkey").addColumn("lastUsedAtMs", "bigint").execute();
}

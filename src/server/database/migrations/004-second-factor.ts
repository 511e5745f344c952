/**
 * The second factor of a sign-in and the passkeys, with the column types that the authentication
 * library expects of each database.
 */
import type { ColumnDataType, Kysely } from "kysely";
import { isSqlite } from "../dialect.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  const [flag, time]: ColumnDataType[] = isSqlite(database)
    ? ["integer", "date"]
    : ["boolean", "timestamptz"];

  await database.schema.alterTable("user").addColumn("twoFactorEnabled", flag).execute();

  await database.schema
    .createTable("twoFactor")
    .addColumn("id", "text", (column) => column.notNull().primaryKey())
    .addColumn("secret", "text", (column) => column.notNull())
    .addColumn("backupCodes", "text", (column) => column.notNull())
    .addColumn("userId", "text", (column) =>
      column.notNull().references("user.id").onDelete("cascade"),
    )
    .addColumn("verified", flag)
    .addColumn("failedVerificationCount", "integer")
    .addColumn("lockedUntil", time)
    .addColumn("lastStep", "bigint")
    .execute();
  await database.schema
    .createIndex("twoFactor_secret_idx")
    .on("twoFactor")
    .column("secret")
    .execute();
  // A user has one: two requests at once must not leave a second secret behind.
  await database.schema
    .createIndex("twoFactor_userId_unique")
    .on("twoFactor")
    .column("userId")
    .unique()
    .execute();

  await database.schema
    .createTable("passkey")
    .addColumn("id", "text", (column) => column.notNull().primaryKey())
    .addColumn("name", "text")
    .addColumn("publicKey", "text", (column) => column.notNull())
    .addColumn("userId", "text", (column) =>
      column.notNull().references("user.id").onDelete("cascade"),
    )
    .addColumn("credentialID", "text", (column) => column.notNull())
    .addColumn("counter", "integer", (column) => column.notNull())
    .addColumn("deviceType", "text", (column) => column.notNull())
    .addColumn("backedUp", flag, (column) => column.notNull())
    .addColumn("transports", "text")
    .addColumn("createdAt", time)
    .addColumn("aaguid", "text")
    .execute();
  await database.schema.createIndex("passkey_userId_idx").on("passkey").column("userId").execute();
  await database.schema
    .createIndex("passkey_credentialID_unique")
    .on("passkey")
    .column("credentialID")
    .unique()
    .execute();

  // Everything that waits for one user is found, and ended, by the user. Other values are long, and
  // an ordered index of PostgreSQL would refuse them.
  const byValue = database.schema
    .createIndex("verification_by_value")
    .on("verification")
    .column("value");
  await (isSqlite(database) ? byValue : byValue.using("hash")).execute();
}

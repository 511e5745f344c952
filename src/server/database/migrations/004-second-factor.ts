/**
 * The second factor of a sign-in and the passkeys, with the column types that the authentication
 * library expects of each database.
 */
import { isSqlite } from "../dialect.ts";
import { type AnyDatabase, createIndex, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  const flag = isSqlite(database) ? "integer" : "boolean";
  await database.schema.alterTable("user").addColumn("twoFactorEnabled", flag).execute();

  await createTable(database, "twoFactor", {
    id: "text",
    secret: "text",
    backupCodes: "text",
    userId: "text",
    verified: "flag?",
    failedVerificationCount: "integer?",
    lockedUntil: "time?",
    lastStep: "bigint?",
  });
  await createIndex(database, "twoFactor_secret_idx", "twoFactor", ["secret"]);
  // A user has one second factor: two concurrent requests must not leave a second secret behind.
  await createIndex(database, "twoFactor_userId_unique", "twoFactor", ["userId"], true);

  await createTable(database, "passkey", {
    id: "text",
    name: "text?",
    publicKey: "text",
    userId: "text",
    credentialID: "text",
    counter: "integer",
    deviceType: "text",
    backedUp: "flag",
    transports: "text?",
    createdAt: "time?",
    aaguid: "text?",
  });
  await createIndex(database, "passkey_userId_idx", "passkey", ["userId"]);
  await createIndex(database, "passkey_credentialID_unique", "passkey", ["credentialID"], true);

  // Pending verifications of a user are found, and ended, by the user's id. Other values are long,
  // and an ordered index of PostgreSQL would refuse them.
  const byValue = database.schema
    .createIndex("verification_by_value")
    .on("verification")
    .column("value");
  await (isSqlite(database) ? byValue : byValue.using("hash")).execute();
}

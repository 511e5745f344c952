/**
 * The accounts; see database/accounts-tables.ts. The first six tables are those of the authentication
 * library, with the column types that it expects of each database.
 */
import type { ColumnDataType, Kysely } from "kysely";
import { isSqlite } from "../dialect.ts";

type Columns = Readonly<Record<string, "text" | "flag" | "time" | "integer" | "bigint">>;

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  const types: Record<Columns[string], ColumnDataType> = isSqlite(database)
    ? { text: "text", flag: "integer", time: "date", integer: "integer", bigint: "bigint" }
    : { text: "text", flag: "boolean", time: "timestamptz", integer: "integer", bigint: "bigint" };

  const create = async (table: string, required: Columns, optional: Columns = {}) => {
    let builder = database.schema
      .createTable(table)
      .addColumn("id", "text", (column) => column.notNull().primaryKey());
    for (const [name, type] of Object.entries(required)) {
      builder = builder.addColumn(name, types[type], (column) =>
        name === "userId"
          ? column.notNull().references("user.id").onDelete("cascade")
          : column.notNull(),
      );
    }
    for (const [name, type] of Object.entries(optional)) {
      builder = builder.addColumn(name, types[type]);
    }
    await builder.execute();
  };
  const index = (name: string, table: string, columns: string[], unique = false) => {
    const builder = database.schema.createIndex(name).on(table).columns(columns);
    return (unique ? builder.unique() : builder).execute();
  };

  await create(
    "user",
    { name: "text", email: "text", emailVerified: "flag", createdAt: "time", updatedAt: "time" },
    {
      image: "text",
      role: "text",
      banned: "flag",
      banReason: "text",
      banExpires: "time",
      lastname: "text",
    },
  );
  await index("user_email_unique", "user", ["email"], true);
  await index("user_role_idx", "user", ["role"]);

  await create(
    "session",
    { expiresAt: "time", token: "text", createdAt: "time", updatedAt: "time", userId: "text" },
    { ipAddress: "text", userAgent: "text", impersonatedBy: "text" },
  );
  await index("session_token_unique", "session", ["token"], true);
  await index("session_userId_idx", "session", ["userId"]);

  await create(
    "account",
    {
      accountId: "text",
      providerId: "text",
      userId: "text",
      createdAt: "time",
      updatedAt: "time",
    },
    {
      accessToken: "text",
      refreshToken: "text",
      idToken: "text",
      accessTokenExpiresAt: "time",
      refreshTokenExpiresAt: "time",
      scope: "text",
      password: "text",
    },
  );
  await index("account_userId_idx", "account", ["userId"]);
  // Two users can never hold the same account of a provider, whatever races.
  await index("account_provider_unique", "account", ["providerId", "accountId"], true);

  await create("verification", {
    identifier: "text",
    value: "text",
    expiresAt: "time",
    createdAt: "time",
    updatedAt: "time",
  });
  await index("verification_identifier_idx", "verification", ["identifier"]);
  await index("verification_expiresAt_idx", "verification", ["expiresAt"]);

  await create(
    "jwks",
    { publicKey: "text", privateKey: "text", createdAt: "time" },
    { expiresAt: "time", alg: "text", crv: "text" },
  );

  await create("rateLimit", { key: "text", count: "integer", lastRequest: "bigint" });
  await index("rateLimit_key_unique", "rateLimit", ["key"], true);
  await index("rateLimit_lastRequest_idx", "rateLimit", ["lastRequest"]);

  await database.schema
    .createTable("account_attempts")
    .addColumn("key", "text", (column) => column.notNull().primaryKey())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("window_started_ms", "bigint", (column) => column.notNull())
    .execute();
  await index("account_attempts_by_window", "account_attempts", ["window_started_ms"]);

  await create("outbox_mails", {
    created_at_ms: "bigint",
    recipient: "text",
    subject: "text",
    html: "text",
    text: "text",
  });
  await index("outbox_mails_by_time", "outbox_mails", ["created_at_ms"]);
}

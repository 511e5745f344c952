/**
 * Users and their sign-in; see database/accounts-tables.ts. The first six tables are those of the
 * authentication library, with the column types that it expects of each database.
 */
import { type AnyDatabase, createIndex, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createTable(database, "user", {
    id: "text",
    name: "text",
    email: "text",
    emailVerified: "flag",
    createdAt: "time",
    updatedAt: "time",
    image: "text?",
    role: "text?",
    banned: "flag?",
    banReason: "text?",
    banExpires: "time?",
    lastname: "text?",
  });
  await createIndex(database, "user_email_unique", "user", ["email"], true);
  await createIndex(database, "user_role_idx", "user", ["role"]);

  await createTable(database, "session", {
    id: "text",
    expiresAt: "time",
    token: "text",
    createdAt: "time",
    updatedAt: "time",
    userId: "text",
    ipAddress: "text?",
    userAgent: "text?",
    impersonatedBy: "text?",
  });
  await createIndex(database, "session_token_unique", "session", ["token"], true);
  await createIndex(database, "session_userId_idx", "session", ["userId"]);

  await createTable(database, "account", {
    id: "text",
    accountId: "text",
    providerId: "text",
    userId: "text",
    createdAt: "time",
    updatedAt: "time",
    accessToken: "text?",
    refreshToken: "text?",
    idToken: "text?",
    accessTokenExpiresAt: "time?",
    refreshTokenExpiresAt: "time?",
    scope: "text?",
    password: "text?",
  });
  await createIndex(database, "account_userId_idx", "account", ["userId"]);
  // Even concurrent requests can never link the same account of a provider to two users.
  await createIndex(
    database,
    "account_provider_unique",
    "account",
    ["providerId", "accountId"],
    true,
  );

  await createTable(database, "verification", {
    id: "text",
    identifier: "text",
    value: "text",
    expiresAt: "time",
    createdAt: "time",
    updatedAt: "time",
  });
  await createIndex(database, "verification_identifier_idx", "verification", ["identifier"]);
  await createIndex(database, "verification_expiresAt_idx", "verification", ["expiresAt"]);

  await createTable(database, "jwks", {
    id: "text",
    publicKey: "text",
    privateKey: "text",
    createdAt: "time",
    expiresAt: "time?",
    alg: "text?",
    crv: "text?",
  });

  await createTable(database, "rateLimit", {
    id: "text",
    key: "text",
    count: "integer",
    lastRequest: "bigint",
  });
  await createIndex(database, "rateLimit_key_unique", "rateLimit", ["key"], true);
  await createIndex(database, "rateLimit_lastRequest_idx", "rateLimit", ["lastRequest"]);

  await createTable(database, "account_attempts", {
    key: "text",
    attempts: "integer",
    window_started_ms: "bigint",
  });
  await createIndex(database, "account_attempts_by_window", "account_attempts", [
    "window_started_ms",
  ]);

  await createTable(database, "outbox_mails", {
    id: "text",
    created_at_ms: "bigint",
    recipient: "text",
    subject: "text",
    html: "text",
    text: "text",
  });
  await createIndex(database, "outbox_mails_by_time", "outbox_mails", ["created_at_ms"]);
}

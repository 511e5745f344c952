/**
 * `openbell create-admin EMAIL [NAME]`: creates an administrator, or makes an existing user with that
 * address an administrator. The password is read from ADMIN_PASSWORD or from standard input, never
 * from an argument, which other users of the machine could read.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as delay } from "node:timers/promises";
import { createAccounts } from "#server/accounts/accounts.ts";
import { loadAuthSecret } from "#server/accounts/auth-secret.ts";
import { NOTICED_AFTER_MS } from "#server/accounts/sessions/live-sessions.ts";
import { type Config, readConfig } from "#server/settings/config.ts";
import { openDatabase } from "#server/database/open-database.ts";
import { sqlitePathOf } from "#server/database/sqlite.ts";
import { createLog } from "#server/log.ts";

/** @throws Error with a sentence for the operator */
export async function createAdmin([email, name = "Administrator"]: string[]): Promise<void> {
  if (email === undefined) {
    throw new Error("Say which address: openbell create-admin you@example.com");
  }
  const config = readConfig(process.env);
  const log = createLog({ level: "error" });
  requireDataDirectory(config);
  const database = await openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    log,
  });
  await database.migrate();
  const accounts = createAccounts({
    config,
    database,
    log,
    secret: await loadAuthSecret(config),
    publicUrl: config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`,
    // The running exchange opens the ledger account when the administrator first needs it.
    onUserCreated: () => undefined,
  });
  try {
    const password = process.env.ADMIN_PASSWORD ?? (await askPassword());
    // An exchange may run beside this process.
    const sessionsNoticed = () => delay(NOTICED_AFTER_MS);
    const { created } = await accounts.createAdmin({ email, password, name }, sessionsNoticed);
    process.stdout.write(`${email} ${created ? "was created as" : "is now"} an administrator.\n`);
  } finally {
    await accounts.close();
    await database.close();
  }
}

/** Only the default directory is created: a mistyped name must not create one. */
function requireDataDirectory(config: Config): void {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, AUTH_SECRET: secret } = config;
  if (process.env.DATA_DIR === undefined || process.env.DATA_DIR === "") return;
  const hasDatabase = databaseUrl !== undefined || existsSync(sqlitePathOf(dataDir));
  // In production a missing secret has an error of its own.
  const needsSecret = secret === undefined && config.ENVIRONMENT !== "production";
  const hasSecret = !needsSecret || existsSync(join(dataDir, "auth-secret"));
  if (hasDatabase && hasSecret) return;
  throw new Error(
    `There is no exchange in the data directory ${dataDir}. Correct DATA_DIR, or start the exchange ` +
      "there first.",
  );
}

async function askPassword(): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const password = await lines.question("Password: ");
  lines.close();
  return password;
}

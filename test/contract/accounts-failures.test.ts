/** Errors that a caller sees only when something else fails: storage, a provider, a lost state. */
import { spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { betterAuth } from "better-auth";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createAuth } from "#server/accounts/auth.ts";
import { AccountsUnavailableError } from "#server/accounts/requests/database-outages.ts";
import { BackendTokenError } from "#server/accounts/sessions/backend-token.ts";
import { createPasswordHashing } from "#server/accounts/passwords/password-hashing.ts";
import { storedTime } from "#server/database/accounts-tables.ts";
import { readConfig } from "#server/settings/config.ts";
import type { Database } from "#server/database/open-database.ts";
import { createSilentLog } from "#server/log.ts";
import { startOpenIdProvider, throughProvider } from "./accounts-openid-provider.ts";
import { startAccounts, type TestBrowser, TEST_SECRET } from "./accounts-server.ts";
import { describeEachDatabase } from "./databases.ts";

const PASSWORD = "correct horse battery";
const ASK = { provider: "acme", callbackURL: "/dashboard", errorCallbackURL: "/login" };

/** From now on the database itself refuses every new row of that table. */
async function refuseRowsOf(
  { write, dialect }: Database,
  table: "user" | "session" | "verification",
): Promise<void> {
  if (dialect === "sqlite") {
    await sql`create trigger refuse_rows before insert on ${sql.table(table)}
      begin select raise(abort, 'the disk is full'); end`.execute(write);
    return;
  }
  await sql`create function refuse_rows() returns trigger language plpgsql
    as $$ begin raise exception 'the disk is full'; end $$`.execute(write);
  await sql`create trigger refuse_rows before insert on ${sql.table(table)}
    for each row execute function refuse_rows()`.execute(write);
}

/** @returns a function that makes room */
async function fillDiskOf({ write, dialect }: Database): Promise<() => Promise<unknown>> {
  if (dialect === "sqlite") {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(write);
    await sql`pragma max_page_count = ${sql.lit(rows[0].page_count)}`.execute(write);
    return () => sql`pragma max_page_count = 1000000`.execute(write);
  }
  await sql`create function refuse_rows() returns trigger language plpgsql
    as $$ begin raise disk_full; end $$`.execute(write);
  await sql`create trigger refuse_rows before insert on "user"
    for each row execute function refuse_rows()`.execute(write);
  return () => sql`drop trigger refuse_rows on "user"`.execute(write);
}

async function federate(database: Database) {
  const provider = await startOpenIdProvider();
  provider.users.set("ada", { email: "ada@example.com", email_verified: true, name: "Ada" });
  provider.subject = "ada";
  const server = await startAccounts(database, { SIGN_IN_PROVIDERS: provider.settings() });
  provider.allow(`${server.url}/api/auth/callback/acme`);
  return server;
}

async function callbackOf(browser: TestBrowser): Promise<string> {
  return throughProvider((await browser.post("/sign-in/social", ASK)).body.url);
}

async function locationOf(browser: TestBrowser, address: string): Promise<string | null> {
  return (await browser.get(address)).headers.get("location");
}

describeEachDatabase("when something fails", (openDatabase) => {
  test("a user that cannot be stored ends a sign-in through a provider with unable_to_create_user", async () => {
    const database = await openDatabase();
    const server = await federate(database);
    const browser = server.browser();
    const callback = await callbackOf(browser);
    await refuseRowsOf(database, "user");
    expect(await locationOf(browser, callback)).toBe("/login?error=unable_to_create_user");
    expect((await browser.get("/get-session")).body).toBeNull();
    expect(await database.read.selectFrom("account").select("id").execute()).toEqual([]);
  });

  test("a session that cannot be stored is told everywhere, and signs no one in", async () => {
    const database = await openDatabase();
    const server = await federate(database);
    const browser = server.browser();
    await server.browser().signUp("eve@example.com");
    const callback = await callbackOf(browser);
    await refuseRowsOf(database, "session");
    expect(await locationOf(browser, callback)).toBe("/login?error=unable_to_create_session");
    const signedIn = await browser.signIn("eve@example.com");
    expect([signedIn.status, signedIn.body]).toEqual([
      401,
      { code: "FAILED_TO_CREATE_SESSION", message: "Failed to create session" },
    ]);
    const signedUp = await browser.signUp("bob@example.com");
    expect([signedUp.status, signedUp.body.code]).toEqual([400, "FAILED_TO_CREATE_SESSION"]);
    expect(browser.cookies.has("better-auth.session_token")).toBe(false);
    for (const answer of [signedIn, signedUp]) expect(answer.text).not.toContain("disk");
  });

  test("a verification that cannot be stored is told without details", async () => {
    const database = await openDatabase();
    const server = await federate(database);
    const browser = server.browser();
    await browser.signUp("eve@example.com");
    await refuseRowsOf(database, "verification");
    for (const path of ["/sign-in/social", "/link-social"]) {
      const answer = await browser.post(path, ASK);
      expect([path, answer.status, answer.body]).toEqual([
        path,
        500,
        { code: "FAILED_TO_CREATE_VERIFICATION", message: "Unable to create verification" },
      ]);
    }
    // Whether the address is taken shows in nothing.
    for (const path of ["/request-password-reset", "/forget-password"]) {
      const known = await browser.post(path, { email: "eve@example.com" });
      const unknown = await browser.post(path, { email: "unknown@example.com" });
      expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    }
  });

  test("a full disk is no refusal: callers are told to try again, and are admitted once there is room", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    await server.browser().signUp("ada@example.com");
    const signUp = (name: string) => server.browser().signUp(`${name}@example.com`);
    const makeRoom = await fillDiskOf(database);
    let answer = await signUp("eve");
    // The last pages may have room for a few rows.
    for (let number = 0; answer.status === 200 && number < 100; number += 1) {
      answer = await signUp(`eve-${number}`);
    }
    expect([answer.status, answer.body.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    await makeRoom();
    expect((await signUp("zoe")).status).toBe(200);
  });

  test("a session that cannot be read or extended answers FAILED_TO_GET_SESSION", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const soon = storedTime(database, Date.now() + 3_600_000);
    await database.write.updateTable("session").set({ expiresAt: soon }).execute();
    // The extension's own write finds no row.
    const { write } = database;
    const original = write.updateTable.bind(write);
    Object.defineProperty(write, "updateTable", {
      configurable: true,
      value: (table: "session") => original(table).where("id", "=", "unknown"),
    });
    const gone = await browser.get("/get-session");
    Object.defineProperty(write, "updateTable", { configurable: true, value: original });
    expect([gone.status, gone.body]).toEqual([
      401,
      { code: "FAILED_TO_GET_SESSION", message: "Failed to get session" },
    ]);
    await browser.signIn("ada@example.com");
    await sql`alter table session rename to session_away`.execute(write);
    const failed = await browser.get("/get-session");
    expect([failed.status, failed.body]).toEqual([
      500,
      { code: "FAILED_TO_GET_SESSION", message: "Failed to get session" },
    ]);
    await database.close();
    const away = await browser.get("/get-session");
    expect([away.status, away.body.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
  });

  test("a page without its database is told so, and not that its reader is signed out", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const headers = { cookie: browser.cookieHeader() };
    expect(await server.accounts.pageSession(headers)).toMatchObject({ impersonation: null });
    await database.close();
    await expect(server.accounts.pageSession(headers)).rejects.toThrow(AccountsUnavailableError);
  });

  test("where sessions cannot be looked up callers are told to try again, and not that they are signed out", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    await sql`alter table session rename to session_away`.execute(database.write);
    for (const path of ["/token", "/list-sessions"]) {
      const answer = await browser.get(path);
      expect([path, answer.status, answer.body.code]).toEqual([path, 503, "SERVICE_UNAVAILABLE"]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    await sql`alter table session_away rename to session`.execute(database.write);
    expect((await browser.get("/token")).status).toBe(200);
    // Who has no session is refused as before.
    expect((await server.browser().get("/token")).status).toBe(401);
  });

  test("a backend token whose key cannot be looked up is not refused", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const token = await browser.backendToken();
    const verify = () => server.accounts.verifyBackendToken(token);
    await sql`alter table jwks rename to jwks_away`.execute(database.write);
    await expect(verify()).rejects.toThrow("jwks");
    await expect(verify()).rejects.not.toBeInstanceOf(BackendTokenError);
    await sql`alter table jwks_away rename to jwks`.execute(database.write);
    expect(await verify()).toMatchObject({ sessionId: expect.any(String) });
  });

  test("a one-time token of a session that has ended answers 'Session not found'", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const { token } = (await browser.get("/one-time-token/generate")).body;
    await browser.post("/sign-out", {});
    const other = server.browser();
    const answer = await other.post("/one-time-token/verify", { token });
    expect([answer.status, answer.body.message]).toEqual([400, "Session not found"]);
    expect((await other.get("/get-session")).body).toBeNull();
  });

  test("an account without an access token answers 'Access token not found'", async () => {
    const database = await openDatabase();
    const server = await federate(database);
    const browser = server.browser();
    await browser.get(await callbackOf(browser));
    await database.write.updateTable("account").set({ accessToken: null }).execute();
    for (const ask of [
      () => browser.post("/account-info", { accountId: "ada" }),
      () => browser.post("/account-info", { providerId: "acme" }),
    ]) {
      const answer = await ask();
      expect([answer.status, answer.body]).toEqual([
        400,
        { code: "ACCESS_TOKEN_NOT_FOUND", message: "Access token not found" },
      ]);
    }
  });

  test("an empty callback address is none, and a state that lost its own ends with no_callback_url", async () => {
    const database = await openDatabase();
    const server = await federate(database);
    const browser = server.browser();
    await browser.signUp("eve@example.com");
    for (const path of ["/sign-in/social", "/link-social"]) {
      const answer = await browser.post(path, { ...ASK, callbackURL: "" });
      expect([path, answer.status, answer.body]).toEqual([
        path,
        400,
        { code: "CALLBACK_URL_REQUIRED", message: "callbackURL is required" },
      ]);
    }
    const callback = await callbackOf(browser);
    const [row] = await database.read.selectFrom("verification").selectAll().execute();
    await database.write
      .updateTable("verification")
      .set({ value: JSON.stringify({ ...JSON.parse(row.value), callbackURL: "" }) })
      .where("id", "=", row.id)
      .execute();
    expect(await locationOf(browser, callback)).toBe("/login?error=no_callback_url");
  });

  test("set-password is for the server, and refuses if there is a password", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const nothing = () => Promise.resolve();
    const { options } = createAuth({
      config: readConfig({}),
      database,
      log: createSilentLog(),
      secret: TEST_SECRET,
      publicUrl: server.url,
      hashing: createPasswordHashing(),
      accountLimit: null,
      lastAdmin: { id: "last-admin" },
      administrators: { ids: async () => [] },
      securityEvents: {
        record: () => undefined,
        recordWith: () => Promise.resolve(),
        settled: () => Promise.resolve(),
      },
      mailer: { send: () => undefined, close: nothing },
      events: {
        userCreated: nothing,
        userUpdated: nothing,
        userDeleting: nothing,
        userDeleted: nothing,
        signInMethodsRemoved: async () => undefined,
        sessionUpdated: () => undefined,
        sessionDeleted: nothing,
      },
    });
    const { api } = betterAuth(options);
    const headers = new Headers({ cookie: browser.cookieHeader() });
    const set = () => api.setPassword({ headers, body: { newPassword: "an entirely new one" } });
    await expect(set()).rejects.toMatchObject({
      statusCode: 400,
      body: { message: expect.stringMatching(/user already has a password/i) },
    });
    await database.write.deleteFrom("account").execute();
    await expect(set()).resolves.toEqual({ status: true });
    expect((await server.browser().signIn("ada@example.com", "an entirely new one")).status).toBe(
      200,
    );
    expect((await server.browser().signIn("ada@example.com", PASSWORD)).status).toBe(401);
  });

  test("identity tokens rest encrypted and are given to their user as they came", async () => {
    const database = await openDatabase();
    const server = await federate(database);
    const browser = server.browser();
    await browser.get(await callbackOf(browser));
    const stored = async () =>
      (await database.read.selectFrom("account").select("idToken").executeTakeFirstOrThrow())
        .idToken;
    const ask = async (path: string) =>
      (await browser.post(path, { providerId: "acme" })).body.idToken as string;
    const given = await ask("/get-access-token");
    expect(given.split(".")).toHaveLength(3);
    const atRest = await stored();
    // A nonce of 24 bytes and a tag of 16, in hex, around the token itself.
    expect(atRest).toMatch(/^[0-9a-f]+$/);
    expect(atRest).toHaveLength((24 + 16 + given.length) * 2);
    // Signing in and refreshing write it again.
    await browser.get(await callbackOf(browser));
    expect(await stored()).toMatch(/^[0-9a-f]+$/);
    expect((await ask("/refresh-token")).split(".")).toHaveLength(3);
    expect(await stored()).toMatch(/^[0-9a-f]+$/);
    expect((await ask("/get-access-token")).split(".")).toHaveLength(3);
    expect((await browser.get("/list-accounts")).text).not.toContain("idToken");
    // One from before it was so, and one of another secret.
    await database.write.updateTable("account").set({ idToken: given }).execute();
    expect(await ask("/get-access-token")).toBe(given);
    await database.write
      .updateTable("account")
      .set({ idToken: "ab".repeat(60) })
      .execute();
    expect(await ask("/get-access-token")).toBeUndefined();
  });
});

test("production without a secret does not start: the process says so and leaves nothing behind", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "openbell-secretless-"));
  try {
    const started = spawn(process.execPath, ["src/server/main.ts"], {
      env: {
        ...process.env,
        NODE_ENV: undefined,
        AUTH_SECRET: "",
        ENVIRONMENT: "production",
        DATA_DIR: dataDir,
        PORT: "0",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    for (const stream of [started.stdout, started.stderr]) {
      stream.on("data", (chunk: Buffer) => (printed += chunk.toString("utf8")));
    }
    const code = await new Promise((ended) => started.once("close", ended));
    expect(code).toBe(1);
    expect(printed).toContain(
      "The setting AUTH_SECRET is missing: production needs a random value",
    );
    expect(printed).not.toContain("is open at");
    expect(printed).not.toMatch(/ {4}at /);
    expect(await readdir(dataDir)).toEqual([]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

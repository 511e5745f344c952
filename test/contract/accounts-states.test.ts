import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createDeletedUsers } from "#server/accounts/users/deleted-users.ts";
import { createFormerUsers } from "#server/accounts/users/former-users.ts";
import { createExpiredSessionSweep } from "#server/accounts/sessions/expired-sessions.ts";
import { storedTime } from "#server/database/accounts-tables.ts";
import { readConfig } from "#server/settings/config.ts";
import type { Database } from "#server/database/open-database.ts";
import { createSilentLog } from "#server/log.ts";
import { startAccounts, TEST_SECRET } from "./accounts-server.ts";
import { describeEachDatabase } from "./databases.ts";

const PASSWORD = "correct horse battery";

describeEachDatabase("states of accounts and sessions", (openDatabase) => {
  test("an account is deleted at once with the password, however old the session", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    const sessionId = await browser.sessionId();
    await server.accounts.verifyBackendToken(await browser.backendToken());
    await ageSessions(database, 48);
    const wrong = await browser.post("/delete-user", { password: "not the password" });
    expect([wrong.status, wrong.body.code]).toEqual([400, "INVALID_PASSWORD"]);
    const deleted = await browser.post("/delete-user", { password: PASSWORD, callbackURL: "/" });
    expect(deleted.body).toEqual({ success: true, message: "User deleted" });
    expect(browser.cookies.size).toBe(0);
    expect(await server.accounts.userById(userId)).toBeNull();
    expect(server.ended).toEqual([sessionId]);
    expect(server.deleted).toEqual([userId]);
    for (const table of ["session", "account"] as const) {
      expect(await database.read.selectFrom(table).select("id").execute()).toEqual([]);
    }
  });

  test("an account is deleted at once in a fresh session, and not in an older one", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    await ageSessions(database, 48);
    const stale = await browser.post("/delete-user", {});
    expect([stale.status, stale.body]).toEqual([
      400,
      {
        code: "SESSION_EXPIRED",
        message: "Session expired. Re-authenticate to perform this action.",
      },
    ]);
    const fresh = server.browser();
    await fresh.signIn("ada@example.com");
    expect((await fresh.post("/delete-user", {})).body.message).toBe("User deleted");
    expect((await browser.get("/get-session")).body).toBeNull();
    expect((await server.browser().post("/delete-user", {})).status).toBe(401);
  });

  test("with a fresh age of 0 every session is fresh", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database, { SESSION_FRESH_AGE_HOURS: "0" });
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    await ageSessions(database, 48);
    expect((await browser.post("/delete-user", {})).body.message).toBe("User deleted");
  });

  test("the mailed deletion token has 32 characters, lives 24 hours and works in the body", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const [browser, eve] = [server.browser(), server.browser()];
    await browser.signUp("ada@example.com");
    await eve.signUp("eve@example.com");
    const askedAtMs = Date.now();
    const asked = await browser.post("/delete-user", { callbackURL: "/goodbye" });
    expect(asked.body).toEqual({ success: true, message: "Verification email sent" });
    const link = new URL(await server.mailLink("ada@example.com", /deleted/i));
    expect(link.pathname).toBe("/api/auth/delete-user/callback");
    const token = link.searchParams.get("token") ?? "";
    expect(token).toMatch(/^\w{32}$/);
    const [stored] = await database.read.selectFrom("verification").selectAll().execute();
    expect(new Date(stored.expiresAt).getTime() - askedAtMs).toBeCloseTo(86_400_000, -4);

    expect((await browser.post("/delete-user", { token: "x".repeat(32) })).status).toBe(404);
    expect((await browser.post("/delete-user", { token })).body).toEqual({
      success: true,
      message: "User deleted",
    });
    expect((await eve.get("/get-session")).body).not.toBeNull();
  });

  test("another user's deletion link deletes no one", async () => {
    const server = await startAccounts(await openDatabase());
    const [browser, eve] = [server.browser(), server.browser()];
    await browser.signUp("ada@example.com");
    await eve.signUp("eve@example.com");
    await browser.post("/delete-user", { callbackURL: "/goodbye" });
    const link = await server.mailLink("ada@example.com", /deleted/i);
    const followed = await eve.get(link);
    expect([followed.status, followed.body.code]).toEqual([404, "INVALID_TOKEN"]);
    const token = new URL(link).searchParams.get("token");
    const sent = await eve.post("/delete-user", { token });
    expect([sent.status, sent.body.code]).toEqual([404, "INVALID_TOKEN"]);
    expect(await server.database.read.selectFrom("user").select("id").execute()).toHaveLength(2);
    // Nor does it use the link up.
    expect((await browser.get(link)).headers.get("location")).toBe("/goodbye");
    expect(await server.database.read.selectFrom("user").select("email").execute()).toEqual([
      { email: "eve@example.com" },
    ]);
  });

  test("a user who opens a deletion link in vain is told on the page that it leads to", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    await browser.post("/delete-user", { callbackURL: "/goodbye?from=mail" });
    const link = await server.mailLink("ada@example.com", /deleted/i);
    const opened = { accept: "text/html,application/xhtml+xml" };
    const stranger = await server.browser().get(link, opened);
    expect(stranger.headers.get("location")).toBe(
      `${server.url}/goodbye?from=mail&error=FAILED_TO_GET_USER_INFO`,
    );
    const path = "/delete-user/callback?token=unknown&callbackURL=";
    const unknown = await browser.get(`${path}%2Fgoodbye`, opened);
    expect([unknown.status, unknown.headers.get("location")]).toEqual([
      302,
      `${server.url}/goodbye?error=INVALID_TOKEN`,
    ]);
    const foreign = await browser.get(`${path}https%3A%2F%2Fevil.example`, opened);
    expect([foreign.status, foreign.headers.get("location")]).toEqual([403, null]);
  });

  test("a user without a password is not asked for one", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    await database.write.deleteFrom("account").execute();
    const answers = [
      await browser.post("/delete-user", { password: PASSWORD }),
      await browser.post("/change-password", {
        currentPassword: PASSWORD,
        newPassword: "another one",
      }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([400, "CREDENTIAL_ACCOUNT_NOT_FOUND"]);
    }
  });

  test("a deleted user's session has ended when the exchange deals with what they left", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const [browser, other] = [server.browser(), server.browser()];
    await browser.signUp("ada@example.com");
    await other.signIn("ada@example.com");
    const token = await other.backendToken();
    const { sessionId } = await server.accounts.verifyBackendToken(token);
    // The deletion does not come across it, as across one that begins in the middle of it.
    await database.write.deleteFrom("session").where("id", "=", sessionId).execute();
    expect(server.accounts.isSessionLive(sessionId)).toBe(true);
    const seen: unknown[] = [];
    server.whenUserDeleted = async () => {
      seen.push(server.accounts.isSessionLive(sessionId));
      seen.push(await server.accounts.verifyBackendToken(token).catch(() => "refused"));
      seen.push(server.accounts.isSessionLive(sessionId));
    };
    expect((await browser.post("/delete-user", {})).status).toBe(200);
    expect(seen).toEqual([false, "refused", false]);
  });

  test("the exchange hears of a deleted user until it has dealt with him, also after a crash", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    server.whenUserDeleted = () => Promise.reject(new Error("the engine has stopped"));
    const [browser, other] = [server.browser(), server.browser()];
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    await other.signUp("eve@example.com");
    expect((await browser.post("/delete-user", {})).status).toBe(200);
    expect(server.deleted).toEqual([userId]);
    const open = () =>
      database.read
        .selectFrom("deleted_users")
        .select("id")
        .where("settled_at_ms", "is", null)
        .execute();
    expect(await open()).toEqual([{ id: userId }]);

    const heard: string[] = [];
    const later = createDeletedUsers({
      database,
      log: createSilentLog(),
      formerUsers: createFormerUsers(database, TEST_SECRET),
      onUserDeleted: ({ id }) => void heard.push(id),
    });
    // Of a user whose deletion failed after it was noted.
    await later.note((await other.get("/get-session")).body.user);
    await later.finishCleanups();
    await later.finishCleanups();
    later.close();
    expect(heard).toEqual([userId]);
    expect(await open()).toHaveLength(1);
  });

  test("of a deleted user's address a keyed digest is kept for a day, over a restart and on other nodes", async () => {
    const DAY_MS = 86_400_000;
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    const userId = (await browser.signUp("Ada.Love@example.com")).body.user.id;
    const [createdAtMs, afterwardsMs] = [Date.now(), Date.now() + 3_600_000];
    const ada = { email: "ada.love@example.com", createdAtMs: afterwardsMs };
    expect(server.accounts.formerUsersOf(ada)).toEqual([]);
    const otherNode = await startAccounts(database);
    const bob = otherNode.browser();
    await bob.signUp("bob@example.com");
    // It has read who was deleted before.
    await otherNode.accounts.verifyBackendToken(await bob.backendToken());
    await delay(2);
    expect((await browser.post("/delete-user", {})).status).toBe(200);
    for (const _ of [1, 2]) await otherNode.accounts.changedElsewhere(userId);
    expect(otherNode.accounts.formerUsersOf(ada)).toEqual([userId]);

    const readAll = () => database.read.selectFrom("deleted_users").selectAll().execute();
    const [row] = await readAll();
    expect(JSON.stringify(row)).not.toMatch(/love|example/i);
    expect(row.address_digest).toHaveLength(43);
    const later = createFormerUsers(database, TEST_SECRET);
    await Promise.all([later.load(), later.load()]);
    const former = (email: string) => {
      const ids = later.before({ email, createdAtMs: afterwardsMs });
      expect(server.accounts.formerUsersOf({ email, createdAtMs: afterwardsMs })).toEqual(ids);
      // A user who had an account in the meantime is another person, regardless of the address.
      expect(later.before({ email, createdAtMs })).toEqual([]);
      return ids;
    };
    for (const same of ["ADA.LOVE@example.com", "adalove@EXAMPLE.com", "ada.love+2@example.com"])
      expect(former(same)).toEqual([userId]);
    for (const other of ["ada.love@example.org", "ada@example.com", "+ada.love@example.com"])
      expect(former(other)).toEqual([]);
    // No number of later deletions makes a user forgotten who had something of the day.
    const rich = createFormerUsers(database, TEST_SECRET, (id) => id === userId);
    await rich.load();
    const digest = rich.digestOf(ada.email);
    for (let more = 1; more <= 40; more++) {
      rich.add(digest, { id: `later ${more}`, deletedAtMs: row.deleted_at_ms });
    }
    const kept = rich.before(ada);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([16, userId, "later 40"]);

    const otherSecret = createFormerUsers(database, `${TEST_SECRET}!`);
    await otherSecret.load();
    expect(otherSecret.before(ada)).toEqual([]);

    await later.forget(row.deleted_at_ms + DAY_MS - 1);
    expect(await readAll()).toEqual([row]);
    await later.forget(row.deleted_at_ms + DAY_MS);
    expect(await readAll()).toEqual([{ ...row, address_digest: null }]);
    expect(later.before(ada)).toEqual([]);
  });

  test("an admin removes a user, whose sessions and orders end", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const [root, user] = [server.browser(), server.browser()];
    await root.signUp("root@example.com");
    const userId = (await user.signUp("ada@example.com")).body.user.id;
    const { sessionId } = await server.accounts.verifyBackendToken(await user.backendToken());
    expect((await user.post("/admin/remove-user", { userId })).status).toBe(403);
    expect((await root.client().admin.removeUser({ userId })).error).toBeNull();
    expect(server.ended).toEqual([sessionId]);
    expect(server.deleted).toEqual([userId]);
  });

  test("expired sessions are told of and then deleted, and those that were not settled again", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    const userId: string = (await browser.signUp("ada@example.com")).body.user.id;
    const [row] = await database.read.selectFrom("session").selectAll().execute();
    const over = storedTime(database, Date.now() - 1000);
    const expired = Array.from({ length: 620 }, (_, each) => ({
      ...row,
      id: `expired-${each}`,
      token: `expired-${each}`,
      expiresAt: over,
    }));
    for (let start = 0; start < expired.length; start += 62) {
      const rows = expired.slice(start, start + 62);
      await database.write.insertInto("session").values(rows).execute();
    }
    const told: string[] = [];
    const sweeper = createExpiredSessionSweep({
      database,
      log: createSilentLog(),
      onExpired: ({ id, userId: whose }) => {
        expect(whose).toBe(userId);
        told.push(id);
        const fails = id === "expired-7" && told.filter((each) => each === id).length === 1;
        return fails ? Promise.reject(new Error("the engine has stopped")) : Promise.resolve();
      },
    });
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 0);
    await sweeper.sweep();
    clearInterval(turning);
    // Others are served between the batches, however many sessions end at one time.
    expect(turns).toBeGreaterThan(620 / 20 / 2);
    await sweeper.sweep();
    await sweeper.sweep();
    sweeper.close();
    expect(new Set(told).size).toBe(620);
    const left = await database.read.selectFrom("session").select("id").execute();
    expect(left).toEqual([{ id: row.id }]);
  });

  test("a user has a hundred sessions at most, so that ending all others ends all others", async () => {
    const server = await startAccounts(await openDatabase());
    const { database } = server;
    const first = server.browser();
    const userId = (await first.signUp("ada@example.com")).body.user.id;
    const [row] = await database.read.selectFrom("session").selectAll().execute();
    const older = Array.from({ length: 130 }, (_, each) => ({
      ...row,
      id: `older-${each}`,
      token: `older-${each}`,
      updatedAt: storedTime(database, Date.now() - 60_000),
    }));
    for (let start = 0; start < older.length; start += 50) {
      await database.write
        .insertInto("session")
        .values(older.slice(start, start + 50))
        .execute();
    }
    const sessions = () =>
      database.read.selectFrom("session").select("id").where("userId", "=", userId).execute();
    const last = server.browser();
    await last.signIn("ada@example.com");
    expect(await sessions()).toHaveLength(100);
    expect((await first.get("/get-session")).body?.user.id).toBe(userId);
    expect((await last.post("/revoke-other-sessions", {})).body).toEqual({ status: true });
    expect(await sessions()).toHaveLength(1);
    expect((await first.get("/get-session")).body).toBeNull();
    expect((await last.get("/get-session")).body?.user.id).toBe(userId);
  });

  for (const [how, end] of [
    ["is signed out", async ({ other }) => void (await other.post("/revoke-sessions", {}))],
    [
      "is banned",
      async ({ second, rootId }) => void (await second.post("/admin/ban-user", { userId: rootId })),
    ],
    [
      "is no admin any more",
      async ({ second, rootId }) =>
        void (await second.post("/admin/set-role", { userId: rootId, role: "user" })),
    ],
    [
      "is deleted",
      async ({ second, rootId }) =>
        void (await second.post("/admin/remove-user", { userId: rootId })),
    ],
  ] satisfies [string, (given: ImpersonationEnd) => Promise<void>][]) {
    test(`looking through a user's eyes ends when the admin ${how}`, async () => {
      const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
      const [root, other, second, user] = Array.from({ length: 4 }, () => server.browser());
      const rootId = (await root.signUp("root@example.com")).body.user.id;
      await other.signIn("root@example.com");
      await server.accounts.createAdmin({
        email: "second@example.com",
        password: PASSWORD,
        name: "Second",
      });
      await second.signIn("second@example.com");
      const userId = (await user.signUp("ada@example.com")).body.user.id;
      await root.post("/admin/impersonate-user", { userId });
      const token = await root.backendToken();
      const { sessionId, readOnly } = await server.accounts.verifyBackendToken(token);
      expect(readOnly).toBe(true);

      await end({ other, second, rootId });
      expect(server.ended).toContain(sessionId);
      await expect(server.accounts.verifyBackendToken(token)).rejects.toThrow(/has ended/);
      expect((await root.get("/get-session")).body).toBeNull();
      expect((await user.get("/get-session")).body.user.id).toBe(userId);
    });
  }

  test("a session that is not remembered, or read without refresh, is not extended", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const [remembered, forgotten] = [server.browser(), server.browser()];
    await remembered.signUp("ada@example.com");
    await forgotten.post("/sign-in/email", {
      email: "ada@example.com",
      password: PASSWORD,
      rememberMe: false,
    });
    const soon = new Date(Date.now() + 3_600_000);
    await database.write
      .updateTable("session")
      .set({ expiresAt: stored(database, soon) })
      .execute();
    const expiresAt = async (browser: typeof remembered, query = "") =>
      Date.parse((await browser.get(`/get-session${query}`)).body.session.expiresAt);
    expect(await expiresAt(forgotten)).toBe(soon.getTime());
    expect(await expiresAt(remembered, "?disableRefresh=true")).toBe(soon.getTime());
    expect(await expiresAt(remembered, "?disableCookieCache=true")).toBeGreaterThan(soon.getTime());
  });

  test("a visit to a page extends a remembered session once that is due, with a new cookie", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const [remembered, forgotten] = [server.browser(), server.browser()];
    await remembered.signUp("ada@example.com");
    await forgotten.post("/sign-in/email", {
      email: "ada@example.com",
      password: PASSWORD,
      rememberMe: false,
    });
    const visit = async (browser: typeof remembered): Promise<readonly string[]> => {
      let set: readonly string[] = [];
      const headers = { cookie: browser.cookieHeader() };
      await server.accounts.pageSession(headers, (cookies) => {
        set = cookies;
      });
      return set;
    };
    expect(await visit(remembered)).toEqual([]);
    const soon = new Date(Date.now() + 3_600_000);
    await database.write
      .updateTable("session")
      .set({ expiresAt: stored(database, soon) })
      .execute();
    const extended = async () => {
      const rows = await database.read.selectFrom("session").select("expiresAt").execute();
      return rows.filter(({ expiresAt }) => new Date(expiresAt).getTime() > soon.getTime()).length;
    };
    expect(await visit(forgotten)).toEqual([]);
    expect(await extended()).toBe(0);
    expect(await visit(remembered)).toEqual([expect.stringMatching(/session_token=.*Max-Age=/)]);
    expect(await extended()).toBe(1);
  });

  test("a session that cannot be extended because it has ended answers 401 and clears its cookies", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    await database.write
      .updateTable("session")
      .set({ expiresAt: stored(database, new Date(Date.now() + 3_600_000)) })
      .execute();
    // The extension's own write finds no row.
    const { write } = database;
    const original = write.updateTable.bind(write);
    Object.defineProperty(write, "updateTable", {
      configurable: true,
      value: (table: "session") => original(table).where("id", "=", "unknown"),
    });
    const answer = await browser.get("/get-session");
    Object.defineProperty(write, "updateTable", { configurable: true, value: original });
    expect(answer.status).toBe(401);
    expect(browser.cookies.size).toBe(0);
  });

  test("links in mails live one hour, and an expired reset token is refused", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    await server.browser().signUp("ada@example.com");
    const verification = new URL(await server.mailLink("ada@example.com", /confirm your email/i));
    expect(verification.pathname).toBe("/api/auth/verify-email");
    expect(verification.searchParams.get("callbackURL")).toBe("/");
    const [, claims] = (verification.searchParams.get("token") ?? "").split(".");
    const { iat, exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
    expect(exp - iat).toBe(3600);

    const askedAtMs = Date.now();
    await server.browser().post("/request-password-reset", { email: "ada@example.com" });
    const token = new URL(await server.mailLink("ada@example.com", /reset/i)).pathname
      .split("/")
      .at(-1);
    const [row] = await database.read.selectFrom("verification").selectAll().execute();
    expect(new Date(row.expiresAt).getTime() - askedAtMs).toBeCloseTo(3_600_000, -4);
    await database.write
      .updateTable("verification")
      .set({ expiresAt: stored(database, new Date(Date.now() - 1000)) })
      .execute();
    const refused = await server
      .browser()
      .post(`/reset-password?token=${token}`, { newPassword: "an entirely new password" });
    expect([refused.status, refused.body.code]).toEqual([400, "INVALID_TOKEN"]);
  });

  test("a reset takes its token from the address too, and new passwords have their bounds", async () => {
    const server = await startAccounts(await openDatabase());
    await server.browser().signUp("ada@example.com");
    await server.browser().post("/request-password-reset", { email: "ada@example.com" });
    const token = new URL(await server.mailLink("ada@example.com", /reset/i)).pathname
      .split("/")
      .at(-1);
    for (const [newPassword, code] of [
      ["1234567", "PASSWORD_TOO_SHORT"],
      ["x".repeat(129), "PASSWORD_TOO_LONG"],
    ]) {
      const answer = await server.browser().post("/reset-password", { newPassword, token });
      expect([answer.status, answer.body.code]).toEqual([400, code]);
    }
    const reset = await server
      .browser()
      .post(`/reset-password?token=${token}`, { newPassword: "an entirely new password" });
    expect([reset.status, reset.body]).toEqual([200, { status: true }]);
  });

  test("a taken address is not given, and the answer does not say so", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    await server.browser().signUp("eve@example.com");
    const taken = await browser.post("/change-email", { newEmail: "EVE@example.com" });
    const free = server.browser();
    await free.signUp("bob@example.com");
    const changed = await free.post("/change-email", { newEmail: "bobby@example.com" });
    expect(taken.status).toBe(200);
    expect(taken.body.status).toBe(changed.body.status);
    expect((await browser.get("/get-session")).body.user.email).toBe("ada@example.com");
    const visitor = await server.browser().post("/change-email", { newEmail: "x@example.com" });
    expect(visitor.status).toBe(401);
  });

  test("no cookie keeps a session's content, so none is too long and none outlives it", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    await browser.get("/get-session");
    await browser.post("/update-user", { name: "A".repeat(64) });
    await browser.get("/get-session");
    expect([...browser.cookies.keys()]).toEqual(["better-auth.session_token"]);
    expect(browser.cookies.get("better-auth.session_token")?.length).toBeLessThan(200);
  });

  test("the session cookie is signed and names what no table shows in its place", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    const signedUp = await browser.signUp("ada@example.com");
    const cookie = decodeURIComponent(browser.cookies.get("better-auth.session_token") ?? "");
    const [token, signature] = cookie.split(".");
    expect(token).toBe(signedUp.body.token);
    expect(signature).toHaveLength(44);
    const forged = `better-auth.session_token=${token}.${"A".repeat(43)}%3D`;
    expect((await browser.get("/get-session", { cookie: forged })).body).toBeNull();
    // The token of the database is no credential by itself.
    const bearer = await server.browser().get("/get-session", { authorization: `Bearer ${token}` });
    expect(bearer.body).toBeNull();
  });
});

interface ImpersonationEnd {
  readonly other: ReturnType<Awaited<ReturnType<typeof startAccounts>>["browser"]>;
  readonly second: ImpersonationEnd["other"];
  readonly rootId: string;
}

test("production refuses a public address without TLS unless it is told to accept it", () => {
  const given = { ENVIRONMENT: "production", PUBLIC_URL: "http://exchange.example" };
  expect(() => readConfig(given)).toThrow(/PUBLIC_URL is wrong: production needs an https address/);
  expect(readConfig({ ...given, ALLOW_PLAIN_HTTP: "on" }).PUBLIC_URL).toBe(given.PUBLIC_URL);
  expect(readConfig({ ...given, ENVIRONMENT: "development" }).PUBLIC_URL).toBe(given.PUBLIC_URL);
  expect(readConfig({ ...given, PUBLIC_URL: "https://exchange.example" })).toBeDefined();
  expect(() => readConfig({ PUBLIC_URL: "javascript:alert(1)" })).toThrow(/PUBLIC_URL is wrong/);
});

test("no session lives longer than a cookie may", () => {
  expect(readConfig({ SESSION_EXPIRY_DAYS: "400" }).SESSION_EXPIRY_DAYS).toBe(400);
  expect(() => readConfig({ SESSION_EXPIRY_DAYS: "401" })).toThrow(/SESSION_EXPIRY_DAYS is wrong/);
});

function stored(database: Database, time: Date): string | Date {
  return database.dialect === "sqlite" ? time.toISOString() : time;
}

/** Makes every session as old as that. */
async function ageSessions(database: Database, hours: number): Promise<void> {
  const createdAt = new Date(Date.now() - hours * 3_600_000);
  await database.write
    .updateTable("session")
    .set({ createdAt: stored(database, createdAt) })
    .execute();
}

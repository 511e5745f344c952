import { expect, test } from "vitest";
import type { Database } from "#server/database/open-database.ts";
import { describeEachDatabase } from "./databases.ts";
import { startAccounts } from "./accounts-server.ts";

describeEachDatabase("accounts", (openDatabase) => {
  test("the official client signs up, reads its session, gets tokens and signs out", async () => {
    const server = await startAccounts(await openDatabase());
    const client = server.browser().client();
    const signedUp = await client.signUp.email({
      email: "Ada@Example.com",
      password: "correct horse battery",
      name: "Ada",
      lastname: "Lovelace",
    });
    expect(signedUp.error).toBeNull();
    expect(signedUp.data?.user).toMatchObject({ email: "ada@example.com", emailVerified: false });

    const session = await client.getSession();
    expect(session.data?.user).toMatchObject({ name: "Ada", lastname: "Lovelace", role: "user" });

    const token = await client.token();
    const identity = await server.accounts.verifyBackendToken(token.data?.token ?? "");
    expect(identity.subject).toBe(session.data?.user.id);
    expect(identity.sessionId).toBe(session.data?.session.id);
    expect(server.accounts.isSessionLive(identity.sessionId)).toBe(true);
    expect(server.accounts.profileOf(identity.subject)).toEqual({
      id: identity.subject,
      role: "user",
      name: "Ada",
      lastname: "Lovelace",
      email: "ada@example.com",
      emailVerified: false,
      image: null,
      createdAtMs: session.data?.user.createdAt.getTime(),
    });

    expect((await client.signOut()).data).toEqual({ success: true });
    expect((await client.getSession()).data).toBeNull();
    expect((await client.token()).error?.status).toBe(401);
  });

  test("a session that is signed out ends at once, and its unexpired token is refused", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const token = await browser.backendToken();
    const { sessionId } = await server.accounts.verifyBackendToken(token);
    expect(server.ended).toEqual([]);
    expect((await browser.post("/sign-out", {})).body).toEqual({ success: true });
    expect(server.ended).toEqual([sessionId]);
    expect(server.accounts.isSessionLive(sessionId)).toBe(false);
    await expect(server.accounts.verifyBackendToken(token)).rejects.toThrow(/session.*has ended/);
  });

  test("a wrong password and an unknown user get the same answer", async () => {
    const server = await startAccounts(await openDatabase());
    await server.browser().signUp("ada@example.com");
    const wrong = await server.browser().signIn("ada@example.com", "not the password");
    const unknown = await server.browser().signIn("unknown@example.com", "not the password");
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({
      code: "INVALID_EMAIL_OR_PASSWORD",
      message: "Invalid email or password",
    });
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
  });

  test("a session extends when it is old enough, and not before", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database, { SESSION_EXPIRY_DAYS: "2" });
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const first = (await browser.get("/get-session")).body.session;
    expect(Date.parse(first.expiresAt) - Date.parse(first.createdAt)).toBeCloseTo(
      2 * 86_400_000,
      -4,
    );
    expect((await browser.get("/get-session")).body.session.expiresAt).toBe(first.expiresAt);

    const sooner = new Date(Date.parse(first.expiresAt) - 30 * 3_600_000);
    await expireAt(database, first.id, sooner);
    const extended = (await browser.get("/get-session")).body.session;
    expect(Date.parse(extended.expiresAt)).toBeGreaterThan(sooner.getTime() + 86_400_000);
  });

  test("an expired session answers null, clears its cookie and is gone", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const sessionId = await browser.sessionId();
    await expireAt(database, sessionId, new Date(Date.now() - 1000));
    const answer = await browser.get("/get-session");
    expect(answer.body).toBeNull();
    expect(browser.cookies.size).toBe(0);
    expect(await database.read.selectFrom("session").select("id").execute()).toEqual([]);
  });

  test("without remember me the cookie ends with the browser", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const forgotten = await server.browser().post("/sign-in/email", {
      email: "ada@example.com",
      password: "correct horse battery",
      rememberMe: false,
    });
    const cookieOf = (headers: Headers) =>
      headers.getSetCookie().find((each) => each.startsWith("better-auth.session_token="));
    expect(cookieOf(forgotten.headers)).not.toMatch(/max-age/i);
    const remembered = await server.browser().signIn("ada@example.com");
    expect(cookieOf(remembered.headers)).toMatch(/Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax/);
  });

  test("sessions are listed and revoked: one, all others, all", async () => {
    const server = await startAccounts(await openDatabase());
    const [first, second, third] = [server.browser(), server.browser(), server.browser()];
    await first.signUp("ada@example.com");
    await second.signIn("ada@example.com");
    await third.signIn("ada@example.com");
    const listed = (await first.get("/list-sessions")).body as { id: string; token: string }[];
    expect(listed).toHaveLength(3);

    const secondId = await second.sessionId();
    const { token } = listed.find((each) => each.id === secondId) as { token: string };
    const stranger = server.browser();
    await stranger.signUp("eve@example.com");
    await stranger.post("/revoke-session", { token });
    expect((await second.get("/get-session")).body).not.toBeNull();

    expect((await first.post("/revoke-session", { token })).body).toEqual({ status: true });
    expect((await second.get("/get-session")).body).toBeNull();
    expect((await first.post("/revoke-other-sessions", {})).body).toEqual({ status: true });
    expect((await third.get("/get-session")).body).toBeNull();
    expect((await first.get("/get-session")).body).not.toBeNull();
    expect((await first.post("/revoke-sessions", {})).body).toEqual({ status: true });
    expect((await first.get("/get-session")).body).toBeNull();
    expect(server.ended).toHaveLength(3);
    expect((await stranger.get("/get-session")).body).not.toBeNull();
  });

  test("calls that need a session refuse a visitor", async () => {
    const server = await startAccounts(await openDatabase());
    const visitor = server.browser();
    for (const path of ["/token", "/list-sessions", "/list-accounts", "/one-time-token/generate"]) {
      expect([path, (await visitor.get(path)).status]).toEqual([path, 401]);
    }
    for (const path of ["/revoke-sessions", "/revoke-other-sessions"]) {
      expect([path, (await visitor.post(path, {})).status]).toEqual([path, 401]);
    }
    expect((await visitor.get("/get-session")).body).toBeNull();
    expect((await visitor.get("/ok")).body).toEqual({ ok: true });
  });

  test("the user of ADMIN_EMAIL is admin, only while there is no other, and no one else", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "Root@Example.com" });
    const roleOf = async (email: string) => {
      const browser = server.browser();
      await browser.signUp(email);
      return (await browser.get("/get-session")).body.user.role;
    };
    expect(await roleOf("ada@example.com")).toBe("user");
    expect(await roleOf("root@example.com")).toBe("admin");

    const { created } = await server.accounts.createAdmin({
      email: "second@example.com",
      password: "correct horse battery",
      name: "Second",
    });
    expect(created).toBe(true);
    const admin = server.browser();
    await admin.signIn("second@example.com");
    const listed = (await admin.get("/admin/list-users?limit=10")).body.users as {
      email: string;
      id: string;
    }[];
    const root = listed.find((user) => user.email === "root@example.com") as { id: string };
    expect((await admin.post("/admin/remove-user", { userId: root.id })).status).toBe(200);
    expect(await roleOf("root@example.com")).toBe("user");
  });

  test("an admin from the command line can sign in, and taking over an address signs it out", async () => {
    const server = await startAccounts(await openDatabase());
    const before = server.browser();
    await before.signUp("root@example.com");
    const admin = { email: "Root@example.com", password: "another long password", name: "Root" };
    expect(await server.accounts.createAdmin(admin)).toMatchObject({ created: false });
    expect((await before.get("/get-session")).body).toBeNull();
    expect((await server.browser().signIn("root@example.com")).status).toBe(401);
    const browser = server.browser();
    expect((await browser.signIn("root@example.com", admin.password)).status).toBe(200);
    const { user } = (await browser.get("/get-session")).body;
    expect(user).toMatchObject({ role: "admin", emailVerified: true });
    await expect(server.accounts.createAdmin({ ...admin, password: "short" })).rejects.toThrow(
      /8 to 128 characters/,
    );
    await expect(server.accounts.createAdmin({ ...admin, email: "root" })).rejects.toThrow(
      /no email address/,
    );
  });

  test("no one gives themselves a role, a balance or a verified address", async () => {
    const server = await startAccounts(await openDatabase());
    for (const field of [{ role: "admin" }, { balance: 1_000_000 }, { balance: 0 }]) {
      const answer = await server.browser().signUp("eve@example.com", field);
      expect([field, answer.status, answer.body?.code]).toEqual([field, 400, "FIELD_NOT_ALLOWED"]);
    }
    const browser = server.browser();
    await browser.signUp("eve@example.com", { emailVerified: true, banned: true, id: "chosen" });
    for (const field of [{ role: "admin" }, { balance: 5 }, { name: "Eve", balance: 5 }]) {
      const answer = await browser.post("/update-user", field);
      expect([field, answer.status, answer.body?.code]).toEqual([field, 400, "FIELD_NOT_ALLOWED"]);
    }
    const { user } = (await browser.get("/get-session")).body;
    expect(user).toMatchObject({ role: "user", emailVerified: false, banned: false, name: "Ada" });
    expect(user.id).not.toBe("chosen");
    expect(user).not.toHaveProperty("balance");
  });

  test("only an admin lists, bans and changes users, and a ban ends sessions at once", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const [root, user] = [server.browser(), server.browser()];
    await root.signUp("root@example.com");
    await user.signUp("ada@example.com");
    const userId = (await user.get("/get-session")).body.user.id;
    expect((await user.get("/admin/list-users")).status).toBe(403);
    expect((await user.post("/admin/set-role", { userId, role: "admin" })).status).toBe(403);
    expect((await user.post("/admin/ban-user", { userId })).status).toBe(403);

    const { sessionId } = await server.accounts.verifyBackendToken(await user.backendToken());
    const banned = await root.client().admin.banUser({ userId });
    expect(banned.error).toBeNull();
    expect(server.ended.filter((id) => id === sessionId)).toHaveLength(1);
    expect(server.accounts.isSessionLive(sessionId)).toBe(false);
    expect((await user.get("/get-session")).body).toBeNull();
    expect((await server.browser().signIn("ada@example.com")).status).toBe(403);
    await root.client().admin.unbanUser({ userId });
    expect((await server.browser().signIn("ada@example.com")).status).toBe(200);
  });

  test("an admin has exactly the listed permissions and a user none", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const [root, user] = [server.browser(), server.browser()];
    await root.signUp("root@example.com");
    await user.signUp("ada@example.com");
    const may = async (browser: typeof root, resource: string, action: string) => {
      const answer = await browser.post("/admin/has-permission", {
        permissions: { [resource]: [action] },
      });
      return answer.body?.success === true;
    };
    const listed = {
      user: [
        "create",
        "list",
        "set-role",
        "ban",
        "impersonate",
        "delete",
        "set-password",
        "get",
        "update",
      ],
      session: ["list", "revoke", "delete"],
    };
    for (const [resource, actions] of Object.entries(listed)) {
      for (const action of actions) {
        expect([
          action,
          await may(root, resource, action),
          await may(user, resource, action),
        ]).toEqual([action, true, false]);
      }
    }
    for (const action of ["impersonate-admins", "set-email", "set-phone"]) {
      expect([action, await may(root, "user", action)]).toEqual([action, false]);
    }
  });

  test("a password is reset through the mailed link once, which ends every session", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const asked = await server
      .browser()
      .post("/request-password-reset", { email: "ada@example.com", redirectTo: "/reset-password" });
    const unknown = await server.browser().post("/request-password-reset", {
      email: "unknown@example.com",
      redirectTo: "/reset-password",
    });
    expect(asked.body).toEqual({
      status: true,
      message: "If this email exists in our system, check your email for the reset link",
    });
    expect([unknown.status, unknown.text]).toEqual([asked.status, asked.text]);

    const link = await server.mailLink("ada@example.com", /reset/i);
    const followed = await server.browser().get(link);
    expect(followed.status).toBe(302);
    const target = new URL(followed.headers.get("location") ?? "", server.url);
    expect(target.pathname).toBe("/reset-password");
    const token = target.searchParams.get("token") ?? "";
    expect(token).toHaveLength(24);
    const stored = await server.database.read.selectFrom("verification").selectAll().execute();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(token);

    const reset = { token, newPassword: "an entirely new password" };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => server.browser().post("/reset-password", reset)),
    );
    expect(answers.filter((each) => each.status === 200)).toHaveLength(1);
    const refused = await server.browser().post("/reset-password", reset);
    expect([refused.status, refused.body.code]).toEqual([400, "INVALID_TOKEN"]);
    expect((await browser.get("/get-session")).body).toBeNull();
    expect((await server.browser().signIn("ada@example.com")).status).toBe(401);
    expect((await server.browser().signIn("ada@example.com", reset.newPassword)).status).toBe(200);
  });

  test("an address is verified through the mailed link, which signs no one in", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const { subject } = await server.accounts.verifyBackendToken(await browser.backendToken());
    const link = await server.mailLink("ada@example.com", /confirm your email/i);
    const other = server.browser();
    expect((await other.get(link)).status).toBe(302);
    expect((await other.get("/get-session")).body).toBeNull();
    expect((await browser.get("/get-session")).body.user.emailVerified).toBe(true);
    expect(server.accounts.profileOf(subject)?.emailVerified).toBe(true);
    expect(server.changed).toEqual([subject]);
    const forged = await other.get("/verify-email?token=forged&callbackURL=%2Fdashboard");
    expect(forged.headers.get("location")).toMatch(/^\/dashboard\?error=/);
  });

  test("if a verified address is required, sign-in waits for it and hides who exists", async () => {
    const server = await startAccounts(await openDatabase(), { REQUIRE_EMAIL_VERIFICATION: "on" });
    const first = await server.browser().signUp("ada@example.com");
    expect(first.body.token).toBeNull();
    const again = await server.browser().signUp("ada@example.com");
    expect(again.status).toBe(first.status);
    const alike = { id: "", createdAt: "", updatedAt: "" };
    expect({ ...again.body.user, ...alike }).toEqual({ ...first.body.user, ...alike });
    const early = await server.browser().signIn("ada@example.com");
    expect([early.status, early.body.code]).toEqual([403, "EMAIL_NOT_VERIFIED"]);
    await server.browser().get(await server.mailLink("ada@example.com", /confirm your email/i));
    expect((await server.browser().signIn("ada@example.com")).status).toBe(200);
  });

  test("a one-time token carries a session to another browser exactly once", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const { token } = (await browser.get("/one-time-token/generate")).body;
    const stored = await server.database.read.selectFrom("verification").selectAll().execute();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(token);

    const others = Array.from({ length: 10 }, () => server.browser());
    const answers = await Promise.all(
      others.map((other) => other.post("/one-time-token/verify", { token })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    const winner = others[answers.findIndex((answer) => answer.status === 200)];
    expect((await winner.get("/get-session")).body.user.email).toBe("ada@example.com");
  });

  test("an email address changes at once while unverified and is then verified again", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const same = await browser.post("/change-email", { newEmail: "ADA@example.com" });
    expect([same.status, same.body.message]).toEqual([400, "Email is the same"]);
    expect((await browser.post("/change-email", { newEmail: "Ada@New.com" })).status).toBe(200);
    expect((await browser.get("/get-session")).body.user).toMatchObject({
      email: "ada@new.com",
      emailVerified: false,
    });
    await browser.get(await server.mailLink("ada@new.com", /confirm your email/i));
    expect((await browser.get("/get-session")).body.user.emailVerified).toBe(true);

    await browser.post("/change-email", { newEmail: "ada@newest.com" });
    expect((await browser.get("/get-session")).body.user.email).toBe("ada@new.com");
    await browser.get(await server.mailLink("ada@new.com", /confirm the change/i));
    await browser.get(await server.mailLink("ada@newest.com", /confirm your email/i));
    expect((await browser.get("/get-session")).body.user).toMatchObject({
      email: "ada@newest.com",
      emailVerified: true,
    });
  });

  test("an account is deleted through the mailed link on a signed-in device", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const { sessionId, subject } = await server.accounts.verifyBackendToken(
      await browser.backendToken(),
    );
    const wrong = await browser.post("/delete-user", { password: "not the password" });
    expect([wrong.status, wrong.body.code]).toEqual([400, "INVALID_PASSWORD"]);
    expect((await browser.post("/delete-user", { callbackURL: "/" })).status).toBe(200);
    const link = await server.mailLink("ada@example.com", /deleted/i);
    expect((await server.browser().get(link)).status).toBe(404);
    expect((await browser.get(link)).status).toBe(302);
    expect(await server.accounts.userById(subject)).toBeNull();
    expect(server.ended).toContain(sessionId);
    expect((await server.browser().signIn("ada@example.com")).status).toBe(401);
  });

  test("every new user is announced once, and again later where that failed", async () => {
    const server = await startAccounts(await openDatabase());
    server.whenUserCreated = () => Promise.reject(new Error("the engine has stopped"));
    const browser = server.browser();
    expect((await browser.signUp("ada@example.com")).status).toBe(200);
    expect(server.created).toHaveLength(1);
    server.whenUserCreated = () => undefined;
    const token = await browser.backendToken();
    const { subject } = await server.accounts.verifyBackendToken(token);
    await server.accounts.verifyBackendToken(token);
    expect(server.created).toEqual([subject, subject]);
  });

  test("a page gets the user and a backend token of its cookies, and never the session's", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    const signedUp = await browser.signUp("ada@example.com");
    const headers = { cookie: browser.cookieHeader() };
    const page = await server.accounts.pageSession(headers);
    expect(page?.userId).toBe(signedUp.body.user.id);
    expect(page?.token).not.toContain(signedUp.body.token);
    const identity = await server.accounts.verifyBackendToken(page?.token ?? "");
    expect(identity.subject).toBe(page?.userId);
    expect(identity.sessionId).toBe(await browser.sessionId());
    expect(await server.accounts.pageSession({})).toBeNull();
    expect(
      await server.accounts.pageSession({ cookie: headers.cookie.replace(/.$/, "") }),
    ).toBeNull();
  });
});

/** Moves a session's expiry, as time would. */
async function expireAt(database: Database, sessionId: string, expiresAt: Date): Promise<void> {
  await database.write
    .updateTable("session")
    .set({ expiresAt: database.dialect === "sqlite" ? expiresAt.toISOString() : expiresAt })
    .where("id", "=", sessionId)
    .execute();
}

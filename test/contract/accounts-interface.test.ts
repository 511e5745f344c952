import { SignJWT } from "jose";
import { expect, test } from "vitest";
import type { Database } from "#server/database/open-database.ts";
import { startAccounts, TEST_SECRET } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

describeShareOfDatabases("the promised interface of accounts", (openDatabase) => {
  test("a bad body or query answers VALIDATION_ERROR and says which field", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    const signUp = await browser.post("/sign-up/email", {
      email: "unknown",
      password: "x",
      name: "A",
    });
    expect(signUp.status).toBe(400);
    expect(signUp.body).toMatchObject({
      code: "VALIDATION_ERROR",
      message: "Invalid body/query parameters",
      details: expect.stringContaining("email"),
    });
    const verification = await browser.post("/send-verification-email", { email: "unknown" });
    expect([verification.status, verification.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    const query = await browser.get("/verify-email");
    expect([query.status, query.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    for (const callbackURL of [["/"], 5, { a: 1 }]) {
      const body = { email: "ada@example.com", password: "x", callbackURL };
      const answer = await browser.post("/sign-in/email", body);
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { code: "VALIDATION_ERROR", message: "Invalid body/query parameters" },
      ]);
    }
    const broken = await browser.fetch(`${server.url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{bad",
    });
    expect([broken.status, await broken.json()]).toMatchObject([400, { code: "VALIDATION_ERROR" }]);
  });

  test("a program signs in with Node's own fetch, and a page that hides its origin does not", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const body = JSON.stringify({ email: "ada@example.com", password: "correct horse battery" });
    const send = async (headers: Record<string, string>) =>
      fetch(`${server.url}/api/auth/sign-in/email`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
      });
    expect((await send({})).status).toBe(200);
    const hidden: Record<string, string>[] = [
      { cookie: browser.cookieHeader() },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-origin" },
      { "sec-fetch-dest": "document" },
      { origin: "null" },
      { origin: "https://evil.example" },
      { referer: "https://evil.example/page" },
    ];
    for (const headers of hidden) {
      expect([headers, (await send(headers)).status]).toEqual([headers, 403]);
    }
  });

  test("an unknown provider is told by its name", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    for (const path of ["/get-access-token", "/refresh-token"]) {
      const answer = await browser.post(path, { providerId: "nowhere" });
      expect([answer.status, answer.body]).toEqual([
        400,
        { code: "PROVIDER_NOT_SUPPORTED", message: "Provider nowhere is not supported" },
      ]);
    }
  });

  test("sign-in with something that is no email answers INVALID_EMAIL", async () => {
    const server = await startAccounts(await openDatabase());
    const answer = await server
      .browser()
      .post("/sign-in/email", { email: "unknown", password: "x" });
    expect([answer.status, answer.body]).toEqual([
      400,
      { code: "INVALID_EMAIL", message: "Invalid email" },
    ]);
  });

  test("a second sign-up answers 422 USER_ALREADY_EXISTS", async () => {
    const server = await startAccounts(await openDatabase());
    await server.browser().signUp("ada@example.com");
    const answer = await server.browser().signUp("ADA@example.com");
    expect([answer.status, answer.body]).toEqual([
      422,
      { code: "USER_ALREADY_EXISTS", message: "User already exists. Use another email." },
    ]);
  });

  test("sign-in answers redirect, token, url and user", async () => {
    const server = await startAccounts(await openDatabase());
    await server.browser().signUp("ada@example.com");
    const plain = await server.browser().signIn("ada@example.com");
    expect(plain.body).toMatchObject({ redirect: false, user: { email: "ada@example.com" } });
    expect(plain.body.token).toHaveLength(32);
    const redirected = await server.browser().post("/sign-in/email", {
      email: "ada@example.com",
      password: "correct horse battery",
      callbackURL: "/dashboard",
    });
    expect(redirected.body).toMatchObject({ redirect: true, url: "/dashboard" });
  });

  test("sign-out needs no body", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const response = await browser.fetch(`${server.url}/api/auth/sign-out`, { method: "POST" });
    expect(await response.json()).toEqual({ success: true });
    expect((await browser.get("/get-session")).body).toBeNull();
  });

  test("a password reset is asked for under its old name too", async () => {
    const server = await startAccounts(await openDatabase());
    await server.browser().signUp("ada@example.com");
    const ask = { email: "ada@example.com", redirectTo: "/reset-password" };
    const old = await server.browser().post("/forget-password", ask);
    const current = await server.browser().post("/request-password-reset", ask);
    expect(old.status).toBe(200);
    expect(old.text).toBe(current.text);
    const unknown = await server.browser().post("/forget-password", { email: "x@example.com" });
    expect(unknown.text).toBe(current.text);
    expect(await server.mailLink("ada@example.com", /reset/i)).toMatch(
      /\/reset-password\/\w{24}\?/,
    );
    const foreign = await server
      .browser()
      .post("/forget-password", { ...ask, redirectTo: "//evil.example" });
    expect(foreign.status).toBe(403);
  });

  test("a reset without a token, or with a bad one, answers INVALID_TOKEN", async () => {
    const server = await startAccounts(await openDatabase());
    const newPassword = "an entirely new password";
    for (const body of [{ newPassword }, { newPassword, token: "x" }]) {
      const answer = await server.browser().post("/reset-password", body);
      expect([answer.status, answer.body.code]).toEqual([400, "INVALID_TOKEN"]);
    }
    const followed = await server
      .browser()
      .get("/reset-password/bad?callbackURL=%2Freset-password");
    expect(followed.headers.get("location")).toMatch(/\/reset-password\?error=INVALID_TOKEN$/);
  });

  test("verification links fail with the promised codes, in the address and in the answer", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    const eve = server.browser();
    await eve.signUp("eve@example.com");
    const cases: [string, string][] = [
      ["token_expired", await verificationToken({ email: "ada@example.com" }, -60)],
      ["invalid_token", "forged"],
      ["invalid_token", await verificationToken({})],
      ["invalid_token", await verificationToken({ email: "unknown" })],
      ["invalid_token", await verificationToken({ email: 5 })],
      ["user_not_found", await verificationToken({ email: "unknown@example.com" })],
      [
        "unauthorized",
        await verificationToken({
          email: "ada@example.com",
          userId,
          updateTo: "stolen@example.com",
          requestType: "change-email-verification",
        }),
      ],
    ];
    for (const [code, token] of cases) {
      const redirected = await eve.get(
        `/verify-email?token=${token}&callbackURL=%2Fsettings%3Ftab%3D1`,
      );
      expect([code, redirected.status, redirected.headers.get("location")]).toEqual([
        code,
        302,
        `/settings?tab=1&error=${code}`,
      ]);
      const answered = await eve.get(`/verify-email?token=${token}`);
      expect([answered.status, answered.body.code]).toEqual([401, code]);
    }
    const good = await verificationToken({ email: "ada@example.com" });
    const verified = await server.browser().get(`/verify-email?token=${good}`);
    expect(verified.body).toMatchObject({ status: true });
  });

  test("a verification mail goes to one's own unverified address only", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const other = await browser.post("/send-verification-email", { email: "eve@example.com" });
    expect([other.status, other.body.message]).toEqual([
      400,
      "You can only send a verification email to your own email",
    ]);
    const own = await browser.post("/send-verification-email", { email: "ada@example.com" });
    expect(own.body).toEqual({ status: true });
    await browser.get(await server.mailLink("ada@example.com", /confirm/i));
    const again = await browser.post("/send-verification-email", { email: "ada@example.com" });
    expect([again.status, again.body.message]).toEqual([
      400,
      "You can only send a verification email to an unverified email",
    ]);
    for (const email of ["ada@example.com", "unknown@example.com"]) {
      const visitor = await server.browser().post("/send-verification-email", { email });
      expect([visitor.status, visitor.body]).toEqual([200, { status: true }]);
    }
  });

  test("a password is changed with the current one, and others are signed out on request", async () => {
    const server = await startAccounts(await openDatabase());
    const [browser, other] = [server.browser(), server.browser()];
    await browser.signUp("ada@example.com");
    await other.signIn("ada@example.com");
    const change = {
      currentPassword: "correct horse battery",
      newPassword: "an entirely new password",
    };
    const wrong = await browser.post("/change-password", {
      ...change,
      currentPassword: "wrong wrong",
    });
    expect([wrong.status, wrong.body.code]).toEqual([400, "INVALID_PASSWORD"]);
    const short = await browser.post("/change-password", { ...change, newPassword: "short" });
    expect([short.status, short.body.code]).toEqual([400, "PASSWORD_TOO_SHORT"]);
    const visitor = await server.browser().post("/change-password", change);
    expect([visitor.status, visitor.body.code]).toEqual([401, "UNAUTHORIZED"]);
    const changed = await browser.post("/change-password", {
      ...change,
      revokeOtherSessions: true,
    });
    expect(changed.body).toMatchObject({ user: { email: "ada@example.com" } });
    expect(changed.body.token).toHaveLength(32);
    expect((await other.get("/get-session")).body).toBeNull();
    expect((await browser.get("/get-session")).body).not.toBeNull();
    expect((await server.browser().post("/set-password", { newPassword: "x" })).status).toBe(404);
  });

  test("accounts are listed without tokens and unlinked by provider, by its id, or by row", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const [browser, eve] = [server.browser(), server.browser()];
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    const eveId = (await eve.signUp("eve@example.com")).body.user.id;
    const last = await browser.post("/unlink-account", { providerId: "credential" });
    expect([last.status, last.body]).toEqual([
      400,
      { code: "FAILED_TO_UNLINK_LAST_ACCOUNT", message: "You can't unlink your last account" },
    ]);
    for (const provider of ["github", "google", "gitlab"]) {
      await linkAccount(database, { id: `row-${provider}`, userId, providerId: provider });
    }
    await linkAccount(database, { id: "row-eve", userId: eveId, providerId: "github" });

    const listed = await browser.get("/list-accounts");
    expect(listed.body).toHaveLength(4);
    expect(listed.text).not.toMatch(/secret-access|secret-refresh|"password"/);

    for (const foreign of [
      { accountId: "row-eve" },
      { providerId: "github", accountId: `github-${eveId}` },
      { providerId: "discord" },
    ]) {
      const answer = await browser.post("/unlink-account", foreign);
      expect([foreign, answer.status, answer.body]).toEqual([
        foreign,
        400,
        { code: "ACCOUNT_NOT_FOUND", message: "Account not found" },
      ]);
    }
    const bodies = [
      { providerId: "github" },
      { providerId: "google", accountId: `google-${userId}` },
      { accountId: "row-gitlab" },
    ];
    for (const body of bodies) {
      expect((await browser.post("/unlink-account", body)).body).toEqual({ status: true });
    }
    expect((await browser.get("/list-accounts")).body).toHaveLength(1);
    expect((await eve.get("/list-accounts")).body).toHaveLength(2);
    const visitor = await server.browser().post("/unlink-account", { providerId: "github" });
    expect([visitor.status, visitor.body.code]).toEqual([401, "UNAUTHORIZED"]);
    expect((await browser.post("/unlink-account", {})).body.code).toBe("VALIDATION_ERROR");
  });

  test("unlinking needs a fresh session", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database, { SESSION_FRESH_AGE_HOURS: "1" });
    const browser = server.browser();
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    await linkAccount(database, { id: "row-github", userId, providerId: "github" });
    const createdAt = new Date(Date.now() - 2 * 3_600_000);
    await database.write
      .updateTable("session")
      .set({ createdAt: database.dialect === "sqlite" ? createdAt.toISOString() : createdAt })
      .execute();
    const stale = await browser.post("/unlink-account", { providerId: "github" });
    expect([stale.status, stale.body.message]).toEqual([403, "Session is not fresh"]);
  });

  test("token and account calls take the provider's names and belong to the session's user", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const [browser, eve] = [server.browser(), server.browser()];
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    await eve.signUp("eve@example.com");
    await linkAccount(database, { id: "row-github", userId, providerId: "github" });
    const accountId = `github-${userId}`;
    for (const path of ["/get-access-token", "/refresh-token"]) {
      for (const body of [
        { providerId: "github" },
        { providerId: "github", accountId, userId },
        { accountId: "row-github" },
      ]) {
        const own = await browser.post(path, body);
        expect([path, own.status, own.body.message]).toEqual([
          path,
          400,
          "Provider github is not supported",
        ]);
        const stranger = await server.browser().post(path, { ...body, userId });
        expect([path, stranger.status]).toEqual([path, 401]);
        const others = await eve.post(path, { ...body, userId });
        const refused = "providerId" in body ? "PROVIDER_NOT_SUPPORTED" : "ACCOUNT_NOT_FOUND";
        expect([path, others.status, others.body.code]).toEqual([path, 400, refused]);
      }
    }
    expect((await browser.post("/account-info", { accountId })).body.code).toBe(
      "PROVIDER_NOT_CONFIGURED",
    );
    expect((await browser.get("/account-info?accountId=row-github")).body.code).toBe(
      "PROVIDER_NOT_CONFIGURED",
    );
    expect((await server.browser().post("/account-info", { accountId })).status).toBe(401);
    expect((await eve.post("/account-info", { accountId })).body.code).toBe("ACCOUNT_NOT_FOUND");
  });

  test("a callback that cannot be right ends on the error page with the promised code", async () => {
    const server = await startAccounts(await openDatabase());
    const cases: [string, string][] = [
      ["/callback/github", "state_not_found"],
      ["/callback/github?code=x", "state_not_found"],
      ["/callback/github?code=x&state=unknown", "please_restart_the_process"],
      ["/callback/github?code=x&code=y&state=z", "invalid_callback_request"],
    ];
    for (const [path, code] of cases) {
      const answer = await server.browser().get(path);
      expect([path, answer.status, answer.headers.get("location")]).toEqual([
        path,
        302,
        `${server.url}/api/auth/error?error=${code}`,
      ]);
    }
    const social = await server
      .browser()
      .post("/sign-in/social", { provider: "github", callbackURL: "/" });
    expect([social.status, social.body.code]).toEqual([404, "PROVIDER_NOT_FOUND"]);
  });
});

/** Signed like those in mails. @param lifetimeSeconds negative for one that has expired */
function verificationToken(
  claims: Record<string, unknown>,
  lifetimeSeconds = 3600,
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + lifetimeSeconds)
    .sign(new TextEncoder().encode(TEST_SECRET));
}

async function linkAccount(
  database: Database,
  { id, userId, providerId }: { id: string; userId: string; providerId: string },
): Promise<void> {
  const now = database.dialect === "sqlite" ? new Date().toISOString() : new Date();
  await database.write
    .insertInto("account")
    .values({
      id,
      userId,
      providerId,
      accountId: `${providerId}-${userId}`,
      accessToken: "secret-access",
      refreshToken: "secret-refresh",
      idToken: null,
      accessTokenExpiresAt: null,
      refreshTokenExpiresAt: null,
      scope: "read,write",
      password: null,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
}

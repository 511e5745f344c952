/** Every setting of accounts changes what it says that it changes; others are in the tests of what they set. */
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { startOpenIdProvider, throughProvider } from "./accounts-openid-provider.ts";
import { startAccounts, type TestBrowser, type TestServer } from "./accounts-server.ts";
import { describeOnSqlite } from "./databases.ts";

const PASSWORD = "correct horse battery";
const ADA = "ada@example.com";
const CONSENT = { provider: "acme", callbackURL: "/in", errorCallbackURL: "/out" };

type Answered = { readonly status: number; readonly body: { code?: string; message?: string } };
const refusal = ({ status, body }: Answered) => [status, body.code ?? body.message];

describeOnSqlite("settings of accounts", (openDatabase) => {
  test("EMAIL_AND_PASSWORD, SIGN_UP and PASSWORD_RESET switch their calls off", async () => {
    const database = await openDatabase();
    const open = await startAccounts(database);
    await open.browser().signUp(ADA);
    const closed = (
      await startAccounts(database, { SIGN_UP: "off", PASSWORD_RESET: "off" })
    ).browser();
    expect(refusal(await closed.signUp("eve@example.com"))).toEqual([
      400,
      "EMAIL_PASSWORD_SIGN_UP_DISABLED",
    ]);
    expect((await closed.signIn(ADA)).status).toBe(200);
    const reset = { email: ADA, redirectTo: "/reset-password" };
    for (const path of ["/request-password-reset", "/forget-password"]) {
      const asked = await closed.post(path, reset);
      expect([asked.status, asked.body.message]).toEqual([400, "Reset password isn't enabled"]);
      expect((await open.browser().post(path, reset)).status).toBe(200);
    }
    const SIGN_IN_PROVIDERS = JSON.stringify({ github: { clientId: "a", clientSecret: "b" } });
    const without = (
      await startAccounts(database, { EMAIL_AND_PASSWORD: "off", SIGN_IN_PROVIDERS })
    ).browser();
    const refused = await without.signIn(ADA);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      "Email and password is not enabled",
    ]);
    expect((await without.signUp("eve@example.com")).status).toBe(400);
    expect((await without.post("/request-password-reset", reset)).status).toBe(400);
  });

  test("EMAIL_VERIFICATION, CHANGE_EMAIL and DELETE_USER switch their calls off", async () => {
    const server = await startAccounts(await openDatabase(), {
      EMAIL_VERIFICATION: "off",
      CHANGE_EMAIL: "off",
      DELETE_USER: "off",
    });
    const ada = server.browser();
    await ada.signUp(ADA);
    const mail = await ada.post("/send-verification-email", { email: ADA });
    expect([mail.status, mail.body.message]).toEqual([400, "Verification email isn't enabled"]);
    const change = await ada.post("/change-email", { newEmail: "new@example.com" });
    expect([change.status, change.body.message]).toEqual([400, "Change email is disabled"]);
    expect((await ada.post("/delete-user", { password: PASSWORD })).status).toBe(404);
    expect(await server.database.read.selectFrom("outbox_mails").select("id").execute()).toEqual(
      [],
    );
    expect((await ada.get("/get-session")).body.user.email).toBe(ADA);
  });

  test("PASSWORD_LENGTH_MIN and PASSWORD_LENGTH_MAX bound new passwords wherever they are chosen", async () => {
    const server = await startAccounts(await openDatabase(), {
      PASSWORD_LENGTH_MIN: "12",
      PASSWORD_LENGTH_MAX: "20",
    });
    const ada = server.browser();
    const choose = (password: string) => ada.signUp(ADA, { password });
    expect(refusal(await choose("short horse"))).toEqual([400, "PASSWORD_TOO_SHORT"]);
    expect(refusal(await choose("a very long horse battery"))).toEqual([400, "PASSWORD_TOO_LONG"]);
    expect((await choose("shorter horse")).status).toBe(200);
    const change = { currentPassword: "shorter horse", newPassword: "brief horse" };
    expect(refusal(await ada.post("/change-password", change))).toEqual([
      400,
      "PASSWORD_TOO_SHORT",
    ]);
    const admin = { email: "root@example.com", name: "Root" };
    const { accounts } = server;
    await expect(accounts.createAdmin({ ...admin, password: "brief horse" })).rejects.toThrow(
      "12 to 20 characters",
    );
    const made = await accounts.createAdmin({ ...admin, password: "briefer horse" });
    expect(made.created).toBe(true);
  });

  test("PASSWORD_RESET_ENDS_SESSIONS=off leaves people signed in, and the mail does not say otherwise", async () => {
    const server = await startAccounts(await openDatabase(), {
      PASSWORD_RESET_ENDS_SESSIONS: "off",
    });
    const ada = server.browser();
    await ada.signUp(ADA);
    await resetPassword(server, "another horse battery");
    expect((await ada.get("/get-session")).body.user.email).toBe(ADA);
    expect((await server.browser().signIn(ADA, "another horse battery")).status).toBe(200);
    const mails = await server.database.read.selectFrom("outbox_mails").selectAll().execute();
    expect(mails.filter(({ text }) => text.includes("Choose a new password"))).toHaveLength(1);
    expect(mails.filter(({ text }) => text.includes("will be signed out"))).toEqual([]);
  });

  test("links and tokens are good for as long as their settings say, and mails say so", async () => {
    const server = await startAccounts(await openDatabase(), {
      VERIFICATION_LINK_MINUTES: "10",
      CHANGE_EMAIL_LINK_MINUTES: "20",
      PASSWORD_RESET_LINK_MINUTES: "30",
      DELETION_LINK_MINUTES: "120",
      ONE_TIME_TOKEN_MINUTES: "40",
      BACKEND_TOKEN_SECONDS: "50",
      SESSION_EXPIRY_DAYS: "2",
    });
    const { read, write } = server.database;
    const ada = server.browser();
    const signedUpAtMs = Date.now();
    await ada.signUp(ADA);
    const session = await read.selectFrom("session").selectAll().executeTakeFirstOrThrow();
    expect(minutesUntil(session.expiresAt, signedUpAtMs)).toBe(2 * 24 * 60);

    const verification = tokenOf(await server.mailLink(ADA, /Confirm your email/));
    expect(lifetimeOf(verification)).toBe(10 * 60);
    expect(lifetimeOf(await ada.backendToken())).toBe(50);

    const oneTimeAtMs = Date.now();
    await ada.get("/one-time-token/generate");
    await ada.post("/delete-user", { callbackURL: "/" });
    await ada.post("/request-password-reset", { email: ADA, redirectTo: "/reset-password" });
    await server.mailLink(ADA, /Reset/);
    const kept = await read.selectFrom("verification").selectAll().execute();
    expect(
      kept.map(({ expiresAt }) => minutesUntil(expiresAt, oneTimeAtMs)).toSorted(ascending),
    ).toEqual([30, 40, 120]);

    await write.updateTable("user").set({ emailVerified: 1 }).execute();
    await ada.post("/change-email", { newEmail: "new@example.com" });
    const change = tokenOf(await server.mailLink(ADA, /Confirm the change/));
    expect(lifetimeOf(change)).toBe(20 * 60);
    // The link to the new address verifies one.
    await ada.get(await server.mailLink(ADA, /Confirm the change/));
    const completion = tokenOf(await server.mailLink("new@example.com", /Confirm your email/));
    expect(lifetimeOf(completion)).toBe(10 * 60);

    const mails = await read.selectFrom("outbox_mails").selectAll().execute();
    const spans = mails.flatMap(({ text }) => /valid for ([^.]+)\./.exec(text)?.[1] ?? []);
    expect(spans.toSorted()).toEqual(["10 minutes", "10 minutes", "2 hours", "30 minutes"]);
  });

  test("SESSION_EXTENSION=off lets sessions end however they are used; the update age is a setting", async () => {
    const database = await openDatabase();
    const extending = await startAccounts(database, { SESSION_UPDATE_AGE_HOURS: "1" });
    const fixed = await startAccounts(database, {
      SESSION_UPDATE_AGE_HOURS: "1",
      SESSION_EXTENSION: "off",
    });
    const ada = extending.browser();
    await ada.signUp(ADA);
    const expiresAt = new Date(Date.now() + 6 * 86_400_000).toISOString();
    await database.write.updateTable("session").set({ expiresAt }).execute();
    const stale = fixed.browser();
    for (const [name, value] of ada.cookies) stale.cookies.set(name, value);
    const expiry = async (browser: TestBrowser) =>
      new Date((await browser.get("/get-session")).body.session.expiresAt).getTime();
    expect(await expiry(stale)).toBe(Date.parse(expiresAt));
    expect(await expiry(ada)).toBeGreaterThan(Date.parse(expiresAt));
  });

  test("CSRF_CHECK=off takes calls with cookies from pages of other origins", async () => {
    const database = await openDatabase();
    const guarded = await startAccounts(database);
    const ada = guarded.browser();
    await ada.signUp(ADA);
    const foreign = { origin: "https://evil.example" };
    expect((await ada.post("/sign-out", {}, foreign)).status).toBe(403);
    const open = (await startAccounts(database, { CSRF_CHECK: "off" })).browser();
    await open.signIn(ADA);
    expect((await open.post("/sign-out", {}, foreign)).status).toBe(200);
  });

  test("AUTH_BASE_PATH moves the whole interface, and links lead there", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_BASE_PATH: "/api/people/v1" });
    const { url } = server;
    const browser = server.browser();
    const call = (path: string, body?: unknown) =>
      browser.fetch(`${url}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    const person = { email: ADA, password: PASSWORD, name: "Ada" };
    expect((await call("/api/auth/sign-up/email", person)).status).toBe(404);
    expect((await call("/api/people/v1/sign-up/email", person)).status).toBe(200);
    expect(await (await call("/api/people/v1/ok")).json()).toEqual({ ok: true });
    expect(await (await call("/api/people/v1/error?error=x")).text()).toContain("<html");
    const link = await server.mailLink(ADA, /Confirm your email/);
    expect(link).toMatch(`${url}/api/people/v1/verify-email?token=`);
    const opened = await browser.fetch(link);
    expect([opened.status, opened.headers.get("location")]).toEqual([302, "/"]);
    const failed = await call("/api/people/v1/callback/none?state=x");
    expect(failed.headers.get("location")).toMatch(`${url}/api/people/v1/error?error=`);
  });

  test("ACCOUNT_LINKING, LINK_DIFFERENT_EMAILS, TRUSTED_PROVIDERS and UNLINK_LAST_ACCOUNT set the rules of linking", async () => {
    const database = await openDatabase();
    const provider = await startOpenIdProvider();
    provider.users.set("ada", { email: ADA, email_verified: true, name: "Ada" });
    provider.users.set("other", { email: "other@example.com", email_verified: true, name: "Ada" });
    provider.users.set("unproven", {
      email: "eve@example.com",
      email_verified: false,
      name: "Eve",
    });
    const start = async (environment: Record<string, string>) => {
      const server = await startAccounts(database, {
        SIGN_IN_PROVIDERS: provider.settings(),
        ...environment,
      });
      provider.allow(`${server.url}/api/auth/callback/acme`);
      return server;
    };
    const through = async (browser: TestBrowser, path: string, subject: string) => {
      provider.subject = subject;
      const asked = await browser.post(path, CONSENT);
      const answer = await browser.get(await throughProvider(asked.body.url));
      return (answer.headers.get("location") ?? "").replace(/^.*(\/in|error=)/, "$1");
    };
    const link = (browser: TestBrowser, subject: string) =>
      through(browser, "/link-social", subject);

    const plain = await start({});
    const ada = plain.browser();
    await ada.signUp(ADA);
    expect(await link(ada, "other")).toBe("error=email_doesn%27t_match");

    const without = await start({ ACCOUNT_LINKING: "off" });
    const first = without.browser();
    await first.signIn(ADA);
    expect(await link(first, "ada")).toBe("error=unable_to_link_account");
    expect(await through(without.browser(), "/sign-in/social", "ada")).toBe(
      "error=account_not_linked",
    );

    const different = await start({ LINK_DIFFERENT_EMAILS: "on", UNLINK_LAST_ACCOUNT: "on" });
    const second = different.browser();
    await second.signIn(ADA);
    expect(await link(second, "other")).toBe("/in");
    // Another address at the provider proves none here.
    expect((await second.get("/get-session")).body.user.emailVerified).toBe(false);
    for (const providerId of ["acme", "credential"]) {
      expect((await second.post("/unlink-account", { providerId })).status).toBe(200);
    }
    expect((await second.get("/list-accounts")).body).toEqual([]);

    const eve = plain.browser();
    await eve.signUp("eve@example.com");
    expect(await link(eve, "unproven")).toBe("error=unable_to_link_account");
    const trusting = await start({ TRUSTED_PROVIDERS: "acme" });
    const third = trusting.browser();
    await third.signIn("eve@example.com");
    expect(await link(third, "unproven")).toBe("/in");
    expect((await third.get("/get-session")).body.user.emailVerified).toBe(false);
  });

  test("SIGN_UP=off admits known users through providers only", async () => {
    const database = await openDatabase();
    const provider = await startOpenIdProvider();
    provider.users.set("ada", { email: ADA, email_verified: true, name: "Ada" });
    provider.subject = "ada";
    const SIGN_IN_PROVIDERS = provider.settings();
    const signIn = async (server: TestServer) => {
      provider.allow(`${server.url}/api/auth/callback/acme`);
      const browser = server.browser();
      const asked = await browser.post("/sign-in/social", { ...CONSENT, requestSignUp: true });
      const answer = await browser.get(await throughProvider(asked.body.url));
      return answer.headers.get("location") ?? "";
    };
    const closed = await startAccounts(database, { SIGN_IN_PROVIDERS, SIGN_UP: "off" });
    expect(await signIn(closed)).toMatch(/error=signup_disabled$/);
    expect(await signIn(await startAccounts(database, { SIGN_IN_PROVIDERS }))).toBe("/in");
    expect(await signIn(closed)).toBe("/in");
  });
});

async function resetPassword(server: TestServer, newPassword: string): Promise<void> {
  const browser = server.browser();
  await browser.post("/request-password-reset", { email: ADA, redirectTo: "/reset-password" });
  const answer = await browser.get(await server.mailLink(ADA, /Reset/));
  const token = new URL(answer.headers.get("location") ?? "", server.url).searchParams.get("token");
  expect((await browser.post("/reset-password", { newPassword, token })).status).toBe(200);
}

const ascending = (one: number, other: number) => one - other;
const tokenOf = (link: string) => new URL(link).searchParams.get("token") ?? "";

function lifetimeOf(token: string): number {
  const { exp = 0, iat = 0 } = decodeJwt(token);
  return exp - iat;
}

function minutesUntil(time: unknown, fromMs: number): number {
  return Math.round((new Date(time as string).getTime() - fromMs) / 60_000);
}

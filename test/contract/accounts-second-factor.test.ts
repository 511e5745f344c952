import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { scan, type AuthenticatorApp } from "#test/support/authenticator-app.ts";
import { startOpenIdProvider, throughProvider } from "./accounts-openid-provider.ts";
import { startAccounts, type TestBrowser, type TestServer } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

const PASSWORD = "correct horse battery";
const SESSION_COOKIE = "better-auth.session_token";
const STEP_COOKIE = "better-auth.two_factor";
const TRUST_COOKIE = "better-auth.trust_device";

/** While `gate` is set, a password that was compared is not yet known to be right. */
const comparing = vi.hoisted(() => ({
  gate: null as Promise<void> | null,
  reached: (): void => undefined,
}));
vi.mock("#server/accounts/passwords/password-threads.ts", async (importOriginal) => {
  const original =
    await importOriginal<typeof import("#server/accounts/passwords/password-threads.ts")>();
  return {
    ...original,
    async verifyInThread(input: { hash: string; password: string }) {
      const isRight = await original.verifyInThread(input);
      comparing.reached();
      await comparing.gate;
      return isRight;
    },
  };
});

/** A code works once, so tests let time pass instead of waiting for the next one. */
function pass(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Protected {
  readonly userId: string;
  readonly app: AuthenticatorApp;
  readonly backupCodes: string[];
  /** Signed in. */
  readonly browser: TestBrowser;
  /** The next code that was not used yet. */
  readonly nextCode: () => string;
}

/** Signs up and switches the second factor on. */
async function protect(server: TestServer, email = "ada@example.com"): Promise<Protected> {
  const browser = server.browser();
  const userId = (await browser.signUp(email)).body.user.id;
  const enabled = await browser.post("/two-factor/enable", { password: PASSWORD });
  expect(enabled.status).toBe(200);
  const app = scan(enabled.body.totpURI);
  const confirmed = await browser.post("/two-factor/verify-totp", { code: app.code() });
  expect(confirmed.status).toBe(200);
  const nextCode = () => {
    pass(30);
    return app.code();
  };
  return { userId, app, backupCodes: enabled.body.backupCodes, browser, nextCode };
}

async function userOf(browser: TestBrowser): Promise<string | null> {
  return (await browser.get("/get-session")).body?.user.id ?? null;
}

/** A browser that has given the password and is asked for the code. */
async function halfway(server: TestServer, email = "ada@example.com"): Promise<TestBrowser> {
  const browser = server.browser();
  const answer = await browser.signIn(email);
  expect(answer.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ["totp"] });
  return browser;
}

/** Through the mailed link. */
async function resetPassword(
  server: TestServer,
  visitor: TestBrowser,
  newPassword: string,
  email = "ada@example.com",
) {
  await server.database.write.deleteFrom("outbox_mails").execute();
  await visitor.post("/request-password-reset", { email });
  const link = new URL(await server.mailLink(email, /reset/i));
  return visitor.post("/reset-password", { token: link.pathname.split("/").at(-1), newPassword });
}

async function titlesOf(server: TestServer, userId: string): Promise<string[]> {
  const { items } = await server.accounts.securityEvents({ userId, limit: 100 });
  return items.map(({ title }) => title).toReversed();
}

async function sessionsOf({ database }: TestServer, userId: string): Promise<number> {
  const rows = await database.read
    .selectFrom("session")
    .select("id")
    .where("userId", "=", userId)
    .execute();
  return rows.length;
}

describeShareOfDatabases("the second step of signing in", (openDatabase) => {
  test("it is on after the first right code, and then asked for after the password", async () => {
    const server = await startAccounts(await openDatabase());
    const [browser, elsewhere] = [server.browser(), server.browser()];
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    await elsewhere.signIn("ada@example.com");
    const enabled = await browser.post("/two-factor/enable", { password: PASSWORD });
    expect(enabled.body).toMatchObject({ method: "totp" });
    expect(new Set(enabled.body.backupCodes).size).toBe(10);
    const app = scan(enabled.body.totpURI);
    expect(app.issuer).toBe("Openbell");
    // Not on yet: the app may not have taken it in.
    expect((await server.browser().signIn("ada@example.com")).body.user.id).toBe(userId);
    expect((await browser.get("/get-session")).body.user.twoFactorEnabled).toBe(false);

    const wrong = await browser.post("/two-factor/verify-totp", { code: "000000" });
    expect([wrong.status, wrong.body.code]).toEqual([401, "INVALID_CODE"]);
    const before = browser.cookies.get(SESSION_COOKIE);
    const confirmed = await browser.post("/two-factor/verify-totp", { code: app.code() });
    expect(confirmed.status).toBe(200);
    expect(browser.cookies.get(SESSION_COOKIE)).not.toBe(before);
    expect((await browser.get("/get-session")).body.user.twoFactorEnabled).toBe(true);
    // Sessions that were opened without a code end.
    expect([await userOf(elsewhere), await sessionsOf(server, userId)]).toEqual([null, 1]);
    await server.mailLink("ada@example.com", /Two-factor sign-in is on/);

    const held = await halfway(server);
    expect([...held.cookies.keys()]).toEqual([STEP_COOKIE]);
    expect(await sessionsOf(server, userId)).toBe(1);
    pass(30);
    const signedIn = await held.post("/two-factor/verify-totp", { code: app.code() });
    expect([signedIn.status, signedIn.body.user.id]).toEqual([200, userId]);
    expect(await userOf(held)).toBe(userId);
    expect(held.cookies.has(STEP_COOKIE)).toBe(false);
    expect(await titlesOf(server, userId)).toEqual([
      "Signed up",
      "Signed in",
      "Signed in: with the password",
      "Signed in: with the password",
      "Two-factor sign-in switched on",
      "Signed in: with a code from the authenticator app",
    ]);
  });

  test("secrets rest encrypted, and are not shown again once it is on", async () => {
    const server = await startAccounts(await openDatabase());
    const { browser, backupCodes } = await protect(server);
    const row = await server.database.read
      .selectFrom("twoFactor")
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(row.backupCodes).not.toContain(backupCodes[0]);
    const shown = await browser.post("/two-factor/get-totp-uri", { password: PASSWORD });
    expect([shown.status, shown.body.code]).toEqual([400, "TOTP_ALREADY_ENABLED"]);
    const again = await browser.post("/two-factor/enable", { password: PASSWORD });
    expect([again.status, again.body.code]).toEqual([400, "TOTP_ALREADY_ENABLED"]);
    for (const text of [
      (await browser.get("/get-session")).text,
      (await browser.get("/list-accounts")).text,
    ]) {
      expect(text).not.toContain(row.secret);
      expect(text).not.toContain("backupCodes");
    }
  });

  test("a code works once, however many use it at the same moment", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await protect(server);
    const replayed = await halfway(server);
    const again = await replayed.post("/two-factor/verify-totp", { code: ada.app.code() });
    expect([again.status, again.body.code]).toEqual([401, "INVALID_CODE"]);

    // Through two servers of one database.
    const other = await startAccounts(server.database);
    const browsers = await Promise.all(
      Array.from({ length: 10 }, async (_, at) => halfway(at % 2 === 0 ? server : other)),
    );
    const code = ada.nextCode();
    const answers = await Promise.all(
      browsers.map((browser) => browser.post("/two-factor/verify-totp", { code })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(server, ada.userId)).toBe(2);
    // A code of an earlier step than the newest one that was used is used up too.
    const late = await halfway(server);
    const earlier = await late.post("/two-factor/verify-totp", { code: ada.app.code(-1) });
    expect(earlier.body.code).toBe("INVALID_CODE");
    expect(await titlesOf(server, ada.userId)).toContain(
      "Someone who knew the password gave a wrong code: one that was used before",
    );
  });

  test("one half-done sign-in becomes one session, however many finish it at once", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await protect(server);
    const browser = await halfway(server);
    const code = ada.nextCode();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => browser.post("/two-factor/verify-totp", { code })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(server, ada.userId)).toBe(2);
  });

  test("a backup code works once, however many use it at the same moment", async () => {
    const server = await startAccounts(await openDatabase());
    const { userId, backupCodes, browser: owner, nextCode } = await protect(server);
    // Through two servers of one database.
    const other = await startAccounts(server.database);
    const browsers = await Promise.all(
      Array.from({ length: 10 }, async (_, at) => halfway(at % 2 === 0 ? server : other)),
    );
    const [code] = backupCodes;
    const answers = await Promise.all(
      browsers.map((browser) => browser.post("/two-factor/verify-backup-code", { code })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(server, userId)).toBe(2);
    const later = await (await halfway(server)).post("/two-factor/verify-backup-code", { code });
    expect([later.status, later.body.code]).toEqual([401, "INVALID_BACKUP_CODE"]);
    const next = { code: backupCodes[1] };
    const wasted = await (
      await halfway(server)
    ).post("/two-factor/verify-backup-code", { ...next, disableSession: true });
    expect([wasted.status, wasted.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(
      (await (await halfway(server)).post("/two-factor/verify-backup-code", next)).status,
    ).toBe(200);
    await server.mailLink("ada@example.com", /backup code of your Openbell account was used/);

    const renewed = await owner.post("/two-factor/generate-backup-codes", { password: PASSWORD });
    expect(renewed.body.backupCodes).toHaveLength(10);
    const old = await (
      await halfway(server)
    ).post("/two-factor/verify-backup-code", { code: backupCodes[2] });
    expect(old.body.code).toBe("INVALID_BACKUP_CODE");
    expect(
      (await (await halfway(server)).post("/two-factor/verify-totp", { code: nextCode() })).status,
    ).toBe(200);
    const titles = await titlesOf(server, userId);
    expect(titles).toContain("Signed in: with a backup code");
    expect(titles).toContain("A backup code was used: 9 left");
    expect(titles).toContain("A backup code was used: 8 left");
    expect(titles).toContain("New backup codes made");
    expect(titles).toContain("Someone who knew the password gave a wrong code");
  });

  test("codes by mail are not offered", async () => {
    const server = await startAccounts(await openDatabase());
    await protect(server);
    const browser = await halfway(server);
    expect((await browser.post("/two-factor/send-otp", {})).status).toBe(404);
    expect((await browser.post("/two-factor/verify-otp", { code: "000000" })).status).toBe(404);
    const person = server.browser();
    await person.signUp("eve@example.com");
    const enabled = await person.post("/two-factor/enable", { password: PASSWORD, method: "otp" });
    expect([enabled.status, enabled.body.code]).toEqual([400, "OTP_NOT_CONFIGURED"]);
  });

  test("sign-in through a provider is held back, and the browser sent to give the code", async () => {
    const provider = await startOpenIdProvider();
    provider.users.set("ada", { email: "ada@example.com", email_verified: true, name: "Ada" });
    provider.subject = "ada";
    const server = await startAccounts(await openDatabase(), {
      SIGN_IN_PROVIDERS: provider.settings(),
    });
    provider.allow(`${server.url}/api/auth/callback/acme`);
    const ada = await protect(server);
    const linked = await ada.browser.post("/link-social", { provider: "acme", callbackURL: "/" });
    await ada.browser.get(await throughProvider(linked.body.url));
    const begin = async (browser: TestBrowser, callbackURL: string) => {
      const asked = await browser.post("/sign-in/social", { provider: "acme", callbackURL });
      return browser.get(await throughProvider(asked.body.url));
    };

    const browser = server.browser();
    const answer = await begin(browser, "/trade?market=BTC-USD#book");
    expect([answer.status, answer.headers.get("location")]).toEqual([
      302,
      `/two-factor?redirect=${encodeURIComponent("/trade?market=BTC-USD#book")}`,
    ]);
    expect([...browser.cookies.keys()].filter((name) => name.includes("session"))).toEqual([]);
    expect([await userOf(browser), await sessionsOf(server, ada.userId)]).toEqual([null, 1]);
    const code = ada.nextCode();
    expect((await browser.post("/two-factor/verify-totp", { code })).status).toBe(200);
    expect(await userOf(browser)).toBe(ada.userId);

    const absolute = await begin(server.browser(), `${server.url}/portfolio`);
    expect(absolute.headers.get("location")).toBe("/two-factor?redirect=%2Fportfolio");
    for (const path of [
      "/..//evil.example",
      "/a/..//evil.example",
      `${server.url}//evil.example`,
    ]) {
      const foreign = { provider: "acme", callbackURL: path };
      const refused = await server.browser().post("/sign-in/social", foreign);
      expect([path, refused.status]).toEqual([path, 403]);
    }
    const trusting = server.browser();
    await begin(trusting, "/dashboard");
    const trustDevice = true;
    await trusting.post("/two-factor/verify-totp", { code: ada.nextCode(), trustDevice });
    await trusting.post("/sign-out", {});
    expect((await begin(trusting, "/dashboard")).headers.get("location")).toBe("/dashboard");
    expect(await userOf(trusting)).toBe(ada.userId);
    const titles = await titlesOf(server, ada.userId);
    expect(titles.filter((title) => title.startsWith("Signed in: through"))).toEqual([]);
    expect(titles.at(-1)).toBe("Signed in: on a device that was trusted before");
  });

  test("no other way in leads past it", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    const { token } = (await browser.get("/one-time-token/generate")).body;
    const enabled = await browser.post("/two-factor/enable", { password: PASSWORD });
    const app = scan(enabled.body.totpURI);
    await browser.post("/two-factor/verify-totp", { code: app.code() });

    // A one-time token carries a session that there is; this one ended with the change.
    const carried = server.browser();
    expect((await carried.post("/one-time-token/verify", { token })).status).toBe(400);
    const visitor = server.browser();
    const verification = await server.mailLink("ada@example.com", /confirm your email/i);
    await browser.get(verification);
    await visitor.post("/request-password-reset", { email: "ada@example.com" });
    const link = new URL(await server.mailLink("ada@example.com", /reset/i));
    const reset = await visitor.post("/reset-password", {
      token: link.pathname.split("/").at(-1),
      newPassword: "an entirely new password",
    });
    expect(reset.status).toBe(200);
    expect([await userOf(visitor), await sessionsOf(server, userId)]).toEqual([null, 0]);
    const signIn = await visitor.signIn("ada@example.com", "an entirely new password");
    expect(signIn.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ["totp"] });

    pass(30);
    await visitor.post("/two-factor/verify-totp", { code: app.code() });
    const passed = (await visitor.get("/one-time-token/generate")).body.token;
    expect((await carried.post("/one-time-token/verify", { token: passed })).status).toBe(200);
    expect(await userOf(carried)).toBe(userId);
  });

  test("a sign-in that is under way while it is switched on is held back", async () => {
    const server = await startAccounts(await openDatabase());
    const [browser, other] = [server.browser(), server.browser()];
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    const enabled = await browser.post("/two-factor/enable", { password: PASSWORD });
    let open: () => void = () => undefined;
    comparing.gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      comparing.reached = resolve;
    });
    const signIn = other.signIn("ada@example.com");
    await reached;
    const code = scan(enabled.body.totpURI).code();
    const confirmed = await browser.post("/two-factor/verify-totp", { code });
    comparing.gate = null;
    open();
    expect(confirmed.status).toBe(200);
    expect((await signIn).body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ["totp"] });
    expect([await userOf(other), await sessionsOf(server, userId)]).toEqual([null, 1]);
  });

  test("an identity token is held back too", async () => {
    const { privateKey, publicKey } = await generateKeyPair("RS256");
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "RS256" }] };
    const trueFetch = globalThis.fetch;
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      const isKeySet = url.startsWith("https://www.googleapis.com/oauth2/v3/certs");
      return isKeySet ? Response.json(keys) : trueFetch(input, init);
    });
    try {
      const server = await startAccounts(await openDatabase(), {
        SIGN_IN_PROVIDERS: JSON.stringify({
          google: { clientId: "exchange", clientSecret: "secret" },
        }),
      });
      const ada = await protect(server);
      await ada.browser.get(await server.mailLink("ada@example.com", /confirm your email/i));
      const token = await new SignJWT({ email: "ada@example.com", email_verified: true, sub: "1" })
        .setProtectedHeader({ alg: "RS256", kid: "one" })
        .setIssuer("https://accounts.google.com")
        .setAudience("exchange")
        .setIssuedAt()
        .setExpirationTime("10m")
        .sign(privateKey);
      const browser = server.browser();
      const body = { provider: "google", callbackURL: "/", idToken: { token } };
      const answer = await browser.post("/sign-in/social", body);
      expect(answer.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ["totp"] });
      expect([await userOf(browser), await sessionsOf(server, ada.userId)]).toEqual([null, 1]);
      await browser.post("/two-factor/verify-totp", { code: ada.nextCode() });
      expect(await userOf(browser)).toBe(ada.userId);
    } finally {
      spy.mockRestore();
    }
  });

  test("the held-back answer carries nothing that signs in", async () => {
    const server = await startAccounts(await openDatabase());
    const { userId } = await protect(server);
    const response = await fetch(`${server.url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: server.url },
      body: JSON.stringify({ email: "ada@example.com", password: PASSWORD, callbackURL: "/trade" }),
    });
    const set = response.headers.getSetCookie().filter((cookie) => !/Max-Age=0/.test(cookie));
    expect(set.map((cookie) => cookie.split("=", 1)[0])).toEqual([STEP_COOKIE]);
    expect(set[0]).toMatch(/HttpOnly/);
    expect(await response.text()).not.toContain(userId);
    const titles = await titlesOf(server, userId);
    expect(titles.filter((title) => title === "Signed in: with the password")).toEqual([]);
  });

  test("the code of one account finishes no sign-in of another", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await protect(server, "ada@example.com");
    const eve = await protect(server, "eve@example.com");
    const browser = await halfway(server, "ada@example.com");
    const evesCode = await browser.post("/two-factor/verify-totp", { code: eve.nextCode() });
    const evesBackup = { code: eve.backupCodes[0] };
    const backup = await browser.post("/two-factor/verify-backup-code", evesBackup);
    expect([evesCode.status, backup.status]).toEqual([401, 401]);
    // Eve's own half-done sign-in, with the name of Ada's.
    const mixed = await halfway(server, "eve@example.com");
    const [adasName] = (browser.cookies.get(STEP_COOKIE) ?? "").split(".");
    const [, evesSignature] = (mixed.cookies.get(STEP_COOKIE) ?? "").split(".");
    mixed.cookies.set(STEP_COOKIE, `${adasName}.${evesSignature}`);
    const forged = await mixed.post("/two-factor/verify-totp", { code: eve.nextCode() });
    expect([forged.status, forged.body.code]).toEqual([401, "INVALID_TWO_FACTOR_COOKIE"]);
    const none = await server.browser().post("/two-factor/verify-totp", { code: ada.nextCode() });
    expect([none.status, none.body.code]).toEqual([401, "INVALID_TWO_FACTOR_COOKIE"]);
  });

  test("half-done sign-ins last ten minutes, and end with a new password or address", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await protect(server);
    const refused = async (browser: TestBrowser) => {
      const answer = await browser.post("/two-factor/verify-totp", { code: ada.nextCode() });
      expect([answer.status, answer.body.code]).toEqual([401, "INVALID_TWO_FACTOR_COOKIE"]);
      expect(await userOf(browser)).toBeNull();
    };
    const slow = await halfway(server);
    pass(601);
    await refused(slow);

    const other = await halfway(server);
    await ada.browser.post("/change-password", {
      currentPassword: PASSWORD,
      newPassword: "an entirely new password",
    });
    await refused(other);

    const third = server.browser();
    await third.signIn("ada@example.com", "an entirely new password");
    await ada.browser.post("/change-email", { newEmail: "ada@new.example" });
    await refused(third);

    const fourth = server.browser();
    await fourth.signIn("ada@new.example", "an entirely new password");
    await server.database.write
      .updateTable("user")
      .set({ banned: sqlTrue(server) })
      .execute();
    const banned = await fourth.post("/two-factor/verify-totp", { code: ada.nextCode() });
    expect([banned.status, banned.body.code]).toEqual([403, "BANNED_USER"]);
  });

  test("a device that is trusted is not asked, for thirty days and for its own user", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await protect(server, "ada@example.com");
    const eve = await protect(server, "eve@example.com");
    const browser = await halfway(server);
    const trusted = { code: ada.nextCode(), trustDevice: true };
    expect((await browser.post("/two-factor/verify-totp", trusted)).status).toBe(200);
    const cookie = browser.cookies.get(TRUST_COOKIE) ?? "";
    await browser.post("/sign-out", {});
    expect((await browser.signIn("ada@example.com")).body.user.id).toBe(ada.userId);
    expect(browser.cookies.get(TRUST_COOKIE)).not.toBe(cookie);

    const asked = async (email: string, value: string) => {
      const attempt = server.browser();
      attempt.cookies.set(TRUST_COOKIE, value);
      return (await attempt.signIn(email)).body.twoFactorRedirect ?? false;
    };
    // One that was used before, another user's, and forged ones.
    const current = browser.cookies.get(TRUST_COOKIE) ?? "";
    const [value, signature] = current.split(".");
    expect(await asked("ada@example.com", cookie)).toBe(true);
    expect(await asked("eve@example.com", current)).toBe(true);
    expect(await asked("ada@example.com", value)).toBe(true);
    expect(await asked("ada@example.com", `${value}x.${signature}`)).toBe(true);
    const evesDevice = await halfway(server, "eve@example.com");
    await evesDevice.post("/two-factor/verify-totp", { code: eve.nextCode(), trustDevice: true });
    expect(await asked("ada@example.com", evesDevice.cookies.get(TRUST_COOKIE) ?? "")).toBe(true);

    pass(30 * 24 * 3600 + 1);
    expect((await browser.signIn("ada@example.com")).body.twoFactorRedirect).toBe(true);
  });

  test("a new password, or switching it off and on, ends the trust in devices", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await protect(server);
    const trust = async (password: string) => {
      const browser = server.browser();
      await browser.signIn("ada@example.com", password);
      const code = ada.nextCode();
      await browser.post("/two-factor/verify-totp", { code, trustDevice: true });
      return browser;
    };
    const first = await trust(PASSWORD);
    const newPassword = "an entirely new password";
    await ada.browser.post("/change-password", { currentPassword: PASSWORD, newPassword });
    expect((await first.signIn("ada@example.com", newPassword)).body.twoFactorRedirect).toBe(true);

    const second = await trust(newPassword);
    const off = await ada.browser.post("/two-factor/disable", { password: newPassword });
    expect(off.status).toBe(200);
    const on = await ada.browser.post("/two-factor/enable", { password: newPassword });
    const code = scan(on.body.totpURI).code(1);
    expect((await ada.browser.post("/two-factor/verify-totp", { code })).status).toBe(200);
    expect((await second.signIn("ada@example.com", newPassword)).body.twoFactorRedirect).toBe(true);
  });

  test("signing devices out ends the trust in them", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const root = server.browser();
    await root.signUp("root@example.com");
    const ada = await protect(server);
    for (const signOut of [
      async (token: string) => ada.browser.post("/revoke-session", { token }),
      async () => ada.browser.post("/revoke-other-sessions", {}),
      async () => root.post("/admin/revoke-user-sessions", { userId: ada.userId }),
    ]) {
      const device = await halfway(server);
      const code = { code: ada.nextCode(), trustDevice: true };
      const { token } = (await device.post("/two-factor/verify-totp", code)).body;
      expect((await signOut(token)).status).toBe(200);
      expect(await userOf(device)).toBeNull();
      expect((await device.signIn("ada@example.com")).body.twoFactorRedirect).toBe(true);
    }
  });

  test("not being remembered survives the second step, on a trusted device too", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await protect(server);
    for (const trustDevice of [false, true]) {
      const browser = server.browser();
      const body = { email: "ada@example.com", password: PASSWORD, rememberMe: false };
      await browser.post("/sign-in/email", body);
      const answer = await browser.post("/two-factor/verify-totp", {
        code: ada.nextCode(),
        trustDevice,
      });
      const cookie = answer.headers.getSetCookie().find((each) => each.startsWith(SESSION_COOKIE));
      expect(cookie).not.toMatch(/Max-Age|Expires/i);
      const { session } = (await browser.get("/get-session")).body;
      expect(Date.parse(session.expiresAt) - Date.now()).toBeLessThanOrEqual(24 * 3600 * 1000);
      await server.database.write
        .updateTable("session")
        .set({ updatedAt: new Date(0).toISOString() })
        .where("id", "=", session.id)
        .execute();
      const read = await browser.get("/get-session");
      expect(read.body.session.expiresAt).toBe(session.expiresAt);
    }
  });

  test("switching it on or off needs the password, and off a fresh session", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    for (const body of [{}, { password: "not the password" }]) {
      const refused = await browser.post("/two-factor/enable", body);
      expect([refused.status, refused.body.code]).toEqual([400, "INVALID_PASSWORD"]);
    }
    const visitor = await server.browser().post("/two-factor/enable", { password: PASSWORD });
    expect(visitor.status).toBe(401);
    const enabled = await browser.post("/two-factor/enable", { password: PASSWORD });
    const app = scan(enabled.body.totpURI);
    await browser.post("/two-factor/verify-totp", { code: app.code() });

    const wrong = await browser.post("/two-factor/disable", { password: "not the password" });
    expect([wrong.status, wrong.body.code]).toEqual([400, "INVALID_PASSWORD"]);
    pass(24 * 3600 + 1);
    for (const path of ["/two-factor/disable", "/two-factor/generate-backup-codes"]) {
      const stale = await browser.post(path, { password: PASSWORD });
      expect([path, stale.status, stale.body.code]).toEqual([path, 403, "SESSION_NOT_FRESH"]);
    }
    // The password makes a new session, but none that is fresh.
    const newPassword = "an entirely new password";
    const change = { currentPassword: PASSWORD, newPassword, revokeOtherSessions: true };
    expect((await browser.post("/change-password", change)).status).toBe(200);
    const still = await browser.post("/two-factor/disable", { password: newPassword });
    expect([still.status, still.body.code]).toEqual([403, "SESSION_NOT_FRESH"]);

    await browser.signIn("ada@example.com", newPassword);
    await browser.post("/two-factor/verify-totp", { code: app.code() });
    const off = await browser.post("/two-factor/disable", { password: newPassword });
    expect([off.status, off.body]).toEqual([200, { status: true }]);
    await server.mailLink("ada@example.com", /Two-factor sign-in is off/);
    const again = await browser.post("/two-factor/disable", { password: newPassword });
    expect([again.status, again.body.code]).toEqual([400, "TWO_FACTOR_NOT_ENABLED"]);
    const { user } = (await browser.get("/get-session")).body;
    expect(user.twoFactorEnabled).toBe(false);
    expect((await server.browser().signIn("ada@example.com", newPassword)).body.user.id).toBe(
      user.id,
    );
    const titles = await titlesOf(server, user.id);
    expect(titles).toContain("Two-factor sign-in switched off");
    // Nothing but sign-ins is recorded as one.
    expect(titles.filter((title) => title === "Signed in")).toHaveLength(1);
  });

  test("a user without a password needs a fresh session in its place", async () => {
    const provider = await startOpenIdProvider();
    provider.users.set("ada", { email: "ada@example.com", email_verified: true, name: "Ada" });
    provider.subject = "ada";
    const server = await startAccounts(await openDatabase(), {
      SIGN_IN_PROVIDERS: provider.settings(),
    });
    provider.allow(`${server.url}/api/auth/callback/acme`);
    const browser = server.browser();
    const begin = async () => {
      const asked = await browser.post("/sign-in/social", { provider: "acme", callbackURL: "/" });
      return browser.get(await throughProvider(asked.body.url));
    };
    await begin();
    pass(24 * 3600 + 1);
    for (const path of ["/two-factor/enable", "/two-factor/get-totp-uri"]) {
      const stale = await browser.post(path, {});
      expect([path, stale.status, stale.body.code]).toEqual([path, 403, "SESSION_NOT_FRESH"]);
    }
    await begin();
    const app = scan((await browser.post("/two-factor/enable", {})).body.totpURI);
    await browser.post("/two-factor/verify-totp", { code: app.code() });
    expect((await begin()).headers.get("location")).toBe("/two-factor?redirect=%2F");
    pass(30);
    await browser.post("/two-factor/verify-totp", { code: app.code() });
    expect((await browser.post("/two-factor/disable", {})).status).toBe(200);
    expect((await begin()).headers.get("location")).toBe("/");
  });

  test("codes are not guessed: not by many sign-ins, from many addresses, or with a session", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    let address = 0;
    const elsewhere = () => {
      address += 1;
      server.clientAddress = `198.51.100.${address}`;
    };
    elsewhere();
    const ada = await protect(server);
    const statuses: number[] = [];
    for (let sign = 0; sign < 4; sign += 1) {
      elsewhere();
      const browser = await halfway(server);
      for (let guess = 0; guess < 4; guess += 1) {
        elsewhere();
        const answer = await browser.post("/two-factor/verify-totp", { code: "000000" });
        statuses.push(answer.status);
      }
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.slice(10).every((status) => status === 429)).toBe(true);
    const right = await (
      await halfway(server)
    ).post("/two-factor/verify-totp", {
      code: ada.nextCode(),
    });
    expect([right.status, right.headers.has("x-retry-after")]).toEqual([429, true]);
    // Its owner hears of it, once.
    await server.mailLink("ada@example.com", /may know your Openbell password/);
    const told = await server.database.read
      .selectFrom("outbox_mails")
      .where("subject", "like", "%may know%")
      .select("id")
      .execute();
    expect(told).toHaveLength(1);
    // A signed-in user has no code to give, so nothing to guess.
    const signedIn = await ada.browser.post("/two-factor/verify-totp", { code: "000000" });
    const backup = { code: ada.backupCodes[0] };
    const burnt = await ada.browser.post("/two-factor/verify-backup-code", backup);
    expect([signedIn.body.code, burnt.body.code]).toEqual([
      "SECOND_FACTOR_NOT_ASKED",
      "SECOND_FACTOR_NOT_ASKED",
    ]);
    // A new password makes the guesses worthless: its owner is not locked out.
    await ada.browser.post("/change-password", {
      currentPassword: PASSWORD,
      newPassword: "an entirely new password",
    });
    const browser = server.browser();
    elsewhere();
    await browser.signIn("ada@example.com", "an entirely new password");
    expect((await browser.post("/two-factor/verify-backup-code", backup)).status).toBe(200);
  });

  test("a mailbox gives no more guesses: a reset of the password leaves wrong codes counted", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    const ada = await protect(server);
    await ada.browser.get(await server.mailLink("ada@example.com", /confirm your email/i));
    const visitor = server.browser();
    let password = PASSWORD;
    let checked = 0;
    for (let round = 0; round < 4; round += 1) {
      server.clientAddress = `198.51.100.${round}`;
      const browser = server.browser();
      await browser.signIn("ada@example.com", password);
      for (let guess = 0; guess < 5; guess += 1) {
        const { status } = await browser.post("/two-factor/verify-totp", { code: "000000" });
        if (status === 401) checked += 1;
      }
      const reset = await resetPassword(server, visitor, `an entirely new password ${round}`);
      expect(reset.status).toBe(200);
      password = `an entirely new password ${round}`;
      // The half-done sign-in ends with the old password.
      const late = await browser.post("/two-factor/verify-totp", { code: "000000" });
      expect([400, 401]).toContain(late.status);
      expect(late.body.code).not.toBe("INVALID_CODE");
    }
    expect(checked).toBe(10);
    pass(16 * 60);
    const later = server.browser();
    await later.signIn("ada@example.com", password);
    const code = ada.nextCode();
    expect((await later.post("/two-factor/verify-totp", { code })).status).toBe(200);
  });

  test("no one can guess for days", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    const ada = await protect(server);
    const statuses: number[] = [];
    let browser = server.browser();
    for (let guess = 0; guess < 40; guess += 1) {
      server.clientAddress = `198.51.100.${guess}`;
      if (guess % 5 === 0) {
        // Long enough for every limit but that of the day.
        pass(16 * 60);
        browser = await halfway(server);
      }
      const answer = await browser.post("/two-factor/verify-totp", { code: "000000" });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([
      ...Array.from({ length: 35 }, () => 401),
      ...Array.from({ length: 5 }, () => 429),
    ]);
    pass(24 * 3600);
    const next = await halfway(server);
    expect((await next.post("/two-factor/verify-totp", { code: ada.app.code() })).status).toBe(200);
  });

  test("many guesses from one address are refused", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    const visitor = server.browser();
    const asked: number[] = [];
    for (let guess = 0; guess < 22; guess += 1) {
      asked.push((await visitor.post("/two-factor/verify-totp", { code: "000000" })).status);
    }
    expect(asked).toEqual([...Array.from({ length: 20 }, () => 401), 429, 429]);
  });

  test("a guess that fails is on record, and after five the password is needed again", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await protect(server);
    const browser = await halfway(server);
    for (let guess = 0; guess < 5; guess += 1) {
      await browser.post("/two-factor/verify-totp", { code: "000000" });
    }
    const sixth = await browser.post("/two-factor/verify-totp", { code: ada.nextCode() });
    expect([sixth.status, sixth.body.code]).toEqual([400, "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE"]);
    const { items } = await server.accounts.securityEvents({ userId: ada.userId, limit: 5 });
    expect(items.map(({ kind, status }) => `${kind} ${status}`)).toEqual(
      Array.from({ length: 5 }, () => "secondFactorFailed refused"),
    );
  });

  test("an admin who looks through a user's eyes changes nothing of it, and needs no code of his", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const root = server.browser();
    await root.signUp("root@example.com");
    const ada = await protect(server);
    expect((await root.post("/admin/impersonate-user", { userId: ada.userId })).status).toBe(200);
    expect(await userOf(root)).toBe(ada.userId);
    for (const [path, body] of [
      ["/two-factor/disable", { password: PASSWORD }],
      ["/two-factor/enable", { password: PASSWORD }],
      ["/two-factor/generate-backup-codes", { password: PASSWORD }],
      ["/two-factor/get-totp-uri", { password: PASSWORD }],
      ["/two-factor/verify-totp", { code: ada.nextCode() }],
      ["/two-factor/verify-backup-code", { code: ada.backupCodes[0] }],
      ["/admin/remove-second-factor", { userId: ada.userId }],
    ] as const) {
      const answer = await root.post(path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, "IMPERSONATED_SESSION"]);
    }
  });

  test("an admin helps a user who has lost everything, on record", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const root = server.browser();
    const rootId = (await root.signUp("root@example.com")).body.user.id;
    const ada = await protect(server);
    const waiting = await halfway(server);
    const body = { userId: ada.userId };
    const byUser = await ada.browser.post("/admin/remove-second-factor", body);
    expect([byUser.status, byUser.body.code]).toEqual([
      403,
      "YOU_ARE_NOT_ALLOWED_TO_REMOVE_SECOND_FACTORS",
    ]);
    expect((await server.browser().post("/admin/remove-second-factor", body)).status).toBe(401);
    const offRecord = { ...body, data: { twoFactorEnabled: false } };
    const updated = await root.post("/admin/update-user", offRecord);
    expect([updated.status, updated.body.code]).toEqual([400, "FIELD_NOT_ALLOWED"]);
    const refused = await root.post("/admin/remove-second-factor", { userId: "unknown" });
    expect([refused.status, refused.body.code]).toEqual([404, "USER_NOT_FOUND"]);
    const newPassword = "chosen by an admin";
    await root.post("/admin/set-user-password", { ...body, newPassword });
    // A password alone is not enough, no matter who set it.
    const still = server.browser();
    expect((await still.signIn("ada@example.com", newPassword)).body.twoFactorRedirect).toBe(true);

    const removed = await root.post("/admin/remove-second-factor", body);
    expect([removed.status, removed.body]).toEqual([200, { status: true }]);
    expect(await userOf(ada.browser)).toBeNull();
    expect((await waiting.post("/two-factor/verify-totp", { code: ada.nextCode() })).status).toBe(
      401,
    );
    expect((await server.browser().signIn("ada@example.com", newPassword)).body.user.id).toBe(
      ada.userId,
    );
    expect(await server.database.read.selectFrom("twoFactor").selectAll().execute()).toEqual([]);
    const again = await root.post("/admin/remove-second-factor", body);
    expect([again.status, again.body.code]).toEqual([400, "TWO_FACTOR_NOT_ENABLED"]);
    const { items } = await server.accounts.securityEvents({ userId: ada.userId, limit: 20 });
    expect(items.find(({ kind }) => kind === "secondFactorRemoved")).toMatchObject({
      actorId: rootId,
      title: "Two-factor sign-in removed by an administrator",
    });
    await server.mailLink("ada@example.com", /Two-factor sign-in is off/);
  });

  test("the command line helps the last administrator", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await protect(server);
    const admin = { email: "ada@example.com", name: "Ada", password: "chosen by an admin" };
    expect(await server.accounts.createAdmin(admin)).toMatchObject({ created: false });
    expect(await userOf(ada.browser)).toBeNull();
    const browser = server.browser();
    expect((await browser.signIn(admin.email, admin.password)).body.user.id).toBe(ada.userId);
    expect(await titlesOf(server, ada.userId)).toContain(
      "Two-factor sign-in removed by an administrator: on the command line",
    );
  });

  test("a reset leaves it on, unless the address was unproven", async () => {
    const server = await startAccounts(await openDatabase());
    for (const [email, isProven] of [
      ["ada@example.com", true],
      ["eve@example.com", false],
    ] as const) {
      const person = await protect(server, email);
      if (isProven) {
        await person.browser.get(await server.mailLink(email, /confirm your email/i));
      }
      await person.browser.post("/request-password-reset", { email });
      const link = new URL(await server.mailLink(email, /reset/i));
      const newPassword = "an entirely new password";
      const token = link.pathname.split("/").at(-1);
      await server.browser().post("/reset-password", { token, newPassword });
      const answer = await server.browser().signIn(email, newPassword);
      expect(answer.body.twoFactorRedirect ?? false).toBe(isProven);
      expect((await titlesOf(server, person.userId)).join()).toMatch(
        isProven ? /Password reset/ : /Two-factor sign-in switched off: by the reset/,
      );
    }
  });

  test("who signed up with another's address is out after its owner's first reset", async () => {
    const server = await startAccounts(await openDatabase());
    const email = "ada@example.com";
    const stranger = await protect(server, email);
    // Its owner opens the link, not signed in to an account they never made.
    const owner = server.browser();
    const verified = await owner.get(await server.mailLink(email, /confirm your email/i));
    expect(verified.status).toBe(302);
    // So the other person may also have changed the second step since.
    const password = "an entirely new password";
    expect((await resetPassword(server, owner, password)).status).toBe(200);
    expect(await userOf(stranger.browser)).toBeNull();
    expect((await owner.signIn(email, password)).body.user.id).toBe(stranger.userId);
    expect(await titlesOf(server, stranger.userId)).toContain(
      "Two-factor sign-in switched off: by the reset",
    );

    // The owner's own second step survives the next reset.
    const enabled = await owner.post("/two-factor/enable", { password });
    const code = scan(enabled.body.totpURI).code();
    expect((await owner.post("/two-factor/verify-totp", { code })).status).toBe(200);
    expect((await resetPassword(server, server.browser(), `${password} 2`)).status).toBe(200);
    const again = await server.browser().signIn(email, `${password} 2`);
    expect(again.body.twoFactorRedirect).toBe(true);
  });

  test("a browser that opens the link and then signs in with the password is the owner's", async () => {
    const server = await startAccounts(await openDatabase());
    const email = "ada@example.com";
    const ada = await protect(server, email);
    const phone = server.browser();
    await phone.get(await server.mailLink(email, /confirm your email/i));
    expect((await phone.signIn(email)).body.twoFactorRedirect).toBe(true);
    const password = "an entirely new password";
    expect((await resetPassword(server, phone, password)).status).toBe(200);
    const signedIn = await server.browser().signIn(email, password);
    expect(signedIn.body.twoFactorRedirect).toBe(true);
    expect(await titlesOf(server, ada.userId)).not.toContain(
      "Two-factor sign-in switched off: by the reset",
    );
  });

  test("an account with it is deleted as any other, with all that belongs to it", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await protect(server);
    const waiting = await halfway(server);
    expect((await ada.browser.post("/delete-user", { password: PASSWORD })).status).toBe(200);
    expect(await server.database.read.selectFrom("twoFactor").selectAll().execute()).toEqual([]);
    const late = await waiting.post("/two-factor/verify-totp", { code: ada.nextCode() });
    expect([late.status, late.body.code]).toEqual([401, "INVALID_TWO_FACTOR_COOKIE"]);
  });

  test("bad bodies get an answer", async () => {
    const server = await startAccounts(await openDatabase());
    await protect(server);
    const browser = await halfway(server);
    for (const code of ["", "x".repeat(10_000), "12345\u0000", 123_456, null, {}, ["000000"]]) {
      for (const path of ["/two-factor/verify-totp", "/two-factor/verify-backup-code"]) {
        const { status } = await browser.post(path, { code });
        expect([path, code, status < 500 && status >= 400]).toEqual([path, code, true]);
      }
    }
  });
});

function sqlTrue({ database }: TestServer): number | boolean {
  return database.dialect === "sqlite" ? 1 : true;
}

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { scan } from "#test/support/authenticator-app.ts";
import { revocableCertificate } from "#test/support/revocable-certificate.ts";
import { SoftwareAuthenticator, type Lies } from "#test/support/software-authenticator.ts";
import { startAccounts, type TestBrowser, type TestServer } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

const PASSWORD = "correct horse battery";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function register(
  browser: TestBrowser,
  device: SoftwareAuthenticator,
  lies: Lies = {},
  name = "Laptop",
) {
  const options = await browser.get("/passkey/generate-register-options");
  expect(options.status).toBe(200);
  const response = device.create(options.body, lies);
  return browser.post("/passkey/verify-registration", { response, name });
}

async function signIn(browser: TestBrowser, device: SoftwareAuthenticator, lies: Lies = {}) {
  const options = await browser.get("/passkey/generate-authenticate-options");
  expect(options.status).toBe(200);
  const response = device.get(options.body, lies);
  return browser.post("/passkey/verify-authentication", { response });
}

async function userOf(browser: TestBrowser): Promise<string | null> {
  return (await browser.get("/get-session")).body?.user.id ?? null;
}

/** A signed-in user with a passkey. */
async function start(server: TestServer, email = "ada@example.com") {
  const browser = server.browser();
  const userId = (await browser.signUp(email)).body.user.id;
  const device = new SoftwareAuthenticator(server.url);
  const registered = await register(browser, device);
  expect(registered.status).toBe(200);
  return { browser, device, userId, passkeyId: registered.body.id };
}

describeShareOfDatabases("passkeys", (openDatabase) => {
  test("one is added by a signed-in user, and signs in without a password", async () => {
    const server = await startAccounts(await openDatabase());
    const { browser, device, userId } = await start(server);
    const [key] = (await browser.get("/passkey/list-user-passkeys")).body;
    expect(key).toMatchObject({ name: "Laptop", userId, deviceType: "singleDevice" });
    expect(key.lastUsedAtMs).toBeNull();
    await server.mailLink("ada@example.com", /passkey was added/);

    const visitor = server.browser();
    const signedIn = await signIn(visitor, device);
    expect([signedIn.status, signedIn.body.user.id]).toEqual([200, userId]);
    expect(await userOf(visitor)).toBe(userId);
    const [used] = (await visitor.get("/passkey/list-user-passkeys")).body;
    expect(used).toEqual({ ...key, counter: used.counter, lastUsedAtMs: Date.now() });
    const { items } = await server.accounts.securityEvents({ userId, limit: 2 });
    expect(items.map(({ title }) => title)).toEqual([
      "Signed in: with a passkey",
      "Passkey added: Laptop",
    ]);
  });

  test("pages are told to have the user verified, and passkeys are kept by the device", async () => {
    const server = await startAccounts(await openDatabase());
    const { browser } = await start(server);
    const { body: added } = await browser.get("/passkey/generate-register-options");
    expect(added.authenticatorSelection).toMatchObject({
      userVerification: "required",
      residentKey: "required",
    });
    expect([added.rp.id, added.attestation]).toEqual(["localhost", "none"]);
    expect(added.excludeCredentials).toHaveLength(1);
    const { body: asked } = await server.browser().get("/passkey/generate-authenticate-options");
    expect(asked).toMatchObject({ userVerification: "required", rpId: "localhost" });
    expect(asked).not.toHaveProperty("allowCredentials");
  });

  test("a device that did not verify its user adds nothing and signs no one in", async () => {
    const server = await startAccounts(await openDatabase());
    const { browser, device, userId } = await start(server);
    const careless = new SoftwareAuthenticator(server.url);
    const added = await register(browser, careless, { userVerified: false });
    expect([added.status, added.body.code]).toEqual([401, "PASSKEY_USER_NOT_VERIFIED"]);
    const visitor = server.browser();
    const signedIn = await signIn(visitor, device, { userVerified: false });
    expect([signedIn.status, signedIn.body.code]).toEqual([401, "PASSKEY_USER_NOT_VERIFIED"]);
    expect(await userOf(visitor)).toBeNull();
    const { items } = await server.accounts.securityEvents({ userId, limit: 1 });
    expect(items[0]).toMatchObject({ title: "A passkey was refused: Laptop", status: "refused" });
  });

  test("it is two factors: who has a second step switched on gives no code besides", async () => {
    const server = await startAccounts(await openDatabase());
    const { browser, device, userId } = await start(server);
    const enabled = await browser.post("/two-factor/enable", { password: PASSWORD });
    const code = scan(enabled.body.totpURI).code();
    expect((await browser.post("/two-factor/verify-totp", { code })).status).toBe(200);
    expect((await server.browser().signIn("ada@example.com")).body.twoFactorRedirect).toBe(true);
    const visitor = server.browser();
    expect((await signIn(visitor, device)).status).toBe(200);
    expect(await userOf(visitor)).toBe(userId);
    // But only with its user verified.
    const careless = server.browser();
    expect((await signIn(careless, device, { userVerified: false })).status).toBe(401);
    expect(await userOf(careless)).toBeNull();
  });

  test.each<[string, Lies]>([
    ["another site's page", { origin: "https://evil.example" }],
    ["another site's passkeys", { rpId: "evil.example" }],
    ["another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
    ["another ceremony", { type: "webauthn.other" }],
  ])("an answer to %s is refused", async (_name, lies) => {
    const server = await startAccounts(await openDatabase());
    const { browser, device, userId } = await start(server);
    const added = await register(browser, new SoftwareAuthenticator(server.url), lies);
    expect([added.status, added.body.code]).toEqual([400, "FAILED_TO_VERIFY_REGISTRATION"]);
    const visitor = server.browser();
    const signedIn = await signIn(visitor, device, lies);
    expect([signedIn.status, signedIn.body.code]).toEqual([400, "AUTHENTICATION_FAILED"]);
    expect(await userOf(visitor)).toBeNull();
    expect((await browser.get("/passkey/list-user-passkeys")).body).toHaveLength(1);
    const { items } = await server.accounts.securityEvents({ userId, limit: 1 });
    expect(items[0].kind).toBe("passkeyRefused");
  });

  test("an answer is good once, in the browser that was asked, for five minutes", async () => {
    const server = await startAccounts(await openDatabase());
    const { browser, device } = await start(server);
    const visitor = server.browser();
    const options = (await visitor.get("/passkey/generate-authenticate-options")).body;
    const answer = { response: device.get(options) };
    const [asked] = visitor.cookies;
    const all = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const each = server.browser();
        each.cookies.set(...asked);
        return each.post("/passkey/verify-authentication", answer);
      }),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    const elsewhere = await server.browser().post("/passkey/verify-authentication", answer);
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, "CHALLENGE_NOT_FOUND"]);

    // What was asked for adding one does not sign in, and the other way round.
    const adding = (await browser.get("/passkey/generate-register-options")).body;
    const mixed = await browser.post("/passkey/verify-authentication", {
      response: device.get({ challenge: adding.challenge, rpId: "localhost" }),
    });
    expect([mixed.status, mixed.body.code]).toEqual([400, "CHALLENGE_NOT_FOUND"]);

    const late = (await browser.get("/passkey/generate-register-options")).body;
    vi.setSystemTime(Date.now() + 301_000);
    const response = new SoftwareAuthenticator(server.url).create(late);
    const tooLate = await browser.post("/passkey/verify-registration", { response });
    expect([tooLate.status, tooLate.body.code]).toEqual([400, "CHALLENGE_NOT_FOUND"]);
  });

  test("a signature by another key, or over other words, signs no one in", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await start(server, "ada@example.com");
    const eve = await start(server, "eve@example.com");
    const visitor = server.browser();
    const ask = async () => (await visitor.get("/passkey/generate-authenticate-options")).body;
    // Eve's signature under the name of Ada's passkey.
    const evesAnswer = eve.device.get(await ask());
    const adasName = ada.device.keys[0].id.toString("base64url");
    const impostor = { ...evesAnswer, id: adasName, rawId: adasName };
    const refused = await visitor.post("/passkey/verify-authentication", { response: impostor });
    expect([refused.status, refused.body.code]).toEqual([401, "AUTHENTICATION_FAILED"]);

    const adasAnswer = ada.device.get(await ask(), { userVerified: false });
    const data = Buffer.from(adasAnswer.response.authenticatorData, "base64url");
    data[32] |= 0x04; // Claims afterwards that the user was verified.
    adasAnswer.response.authenticatorData = data.toString("base64url");
    const claimed = await visitor.post("/passkey/verify-authentication", { response: adasAnswer });
    expect([claimed.status, claimed.body.code]).toEqual([401, "AUTHENTICATION_FAILED"]);

    const stranger = new SoftwareAuthenticator(server.url);
    stranger.create({ challenge: "", rp: { id: "localhost" } });
    const unknown = await signIn(visitor, stranger);
    expect([unknown.status, unknown.body.code]).toEqual([401, "PASSKEY_NOT_FOUND"]);
    expect(await userOf(visitor)).toBeNull();
  });

  test("a copied device is found out by its count, also at the same moment", async () => {
    const server = await startAccounts(await openDatabase());
    const { device, userId } = await start(server);
    const copy = device.copy();
    expect((await signIn(server.browser(), device)).status).toBe(200);
    const cloned = await signIn(server.browser(), copy);
    expect([cloned.status, cloned.body.code]).toEqual([400, "AUTHENTICATION_FAILED"]);
    copy.counter = device.counter;
    const both = await Promise.all([
      signIn(server.browser(), device),
      signIn(server.browser(), copy),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const { items } = await server.accounts.securityEvents({ userId, limit: 9 });
    expect(items.filter(({ kind }) => kind === "passkeyRefused")).toHaveLength(2);

    const uncounted = server.browser();
    const other = new SoftwareAuthenticator(server.url);
    other.counter = null;
    await uncounted.signIn("ada@example.com");
    await register(uncounted, other, {}, "Key without a count");
    expect((await signIn(server.browser(), other)).status).toBe(200);
    expect((await signIn(server.browser(), other)).status).toBe(200);
  });

  test("adding and removing needs a fresh session, which a visitor has not", async () => {
    const server = await startAccounts(await openDatabase());
    const { browser, device, passkeyId } = await start(server);
    const visitor = server.browser();
    expect((await visitor.get("/passkey/generate-register-options")).status).toBe(401);
    expect((await visitor.get("/passkey/list-user-passkeys")).status).toBe(401);
    const body = { response: device.create({ challenge: "", rp: { id: "localhost" } }) };
    expect((await visitor.post("/passkey/verify-registration", body)).status).toBe(401);
    expect((await visitor.post("/passkey/delete-passkey", { id: passkeyId })).status).toBe(401);

    const options = (await browser.get("/passkey/generate-register-options")).body;
    vi.setSystemTime(Date.now() + (24 * 3600 + 1) * 1000);
    const response = new SoftwareAuthenticator(server.url).create(options);
    for (const answer of [
      await browser.get("/passkey/generate-register-options"),
      await browser.post("/passkey/verify-registration", { response }),
      await browser.post("/passkey/delete-passkey", { id: passkeyId }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, "SESSION_NOT_FRESH"]);
    }
    expect((await browser.get("/passkey/list-user-passkeys")).body).toHaveLength(1);
  });

  test("one is renamed and removed by its owner, and no other user sees or touches it", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await start(server, "ada@example.com");
    const eve = await start(server, "eve@example.com");
    const id = ada.passkeyId;
    const touched = await eve.browser.post("/passkey/update-passkey", { id, name: "Mine" });
    const removed = await eve.browser.post("/passkey/delete-passkey", { id });
    expect([touched.status, removed.status]).toEqual([401, 401]);
    const seen = (await eve.browser.get("/passkey/list-user-passkeys")).body;
    expect(seen.map(({ userId }: { userId: string }) => userId)).toEqual([eve.userId]);
    const asked = (await eve.browser.get("/passkey/generate-authenticate-options")).body;
    expect(asked.allowCredentials).toHaveLength(1);

    const renamed = await ada.browser.post("/passkey/update-passkey", { id, name: "Old laptop" });
    expect(renamed.body.passkey.name).toBe("Old laptop");
    const long = await ada.browser.post("/passkey/update-passkey", { id, name: "n".repeat(101) });
    expect([long.status, long.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    const gone = await ada.browser.post("/passkey/delete-passkey", { id });
    expect([gone.status, gone.body]).toEqual([200, { status: true }]);
    expect((await ada.browser.get("/passkey/list-user-passkeys")).body).toEqual([]);
    expect((await signIn(server.browser(), ada.device)).body.code).toBe("PASSKEY_NOT_FOUND");
    const { items } = await server.accounts.securityEvents({ userId: ada.userId, limit: 2 });
    expect(items.map(({ title }) => title)).toEqual([
      "Passkey removed: Old laptop",
      "Passkey renamed: Old laptop",
    ]);
  });

  test("one passkey belongs to one user", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await start(server, "ada@example.com");
    const eve = server.browser();
    await eve.signUp("eve@example.com");
    const options = (await eve.get("/passkey/generate-register-options")).body;
    const device = new SoftwareAuthenticator(server.url);
    const response = device.create(options);
    // The same name again, as if Eve's device had made it.
    const attested = Buffer.from(response.response.attestationObject, "base64url");
    const own = device.keys[0].id;
    const at = attested.indexOf(own);
    ada.device.keys[0].id.copy(attested, at);
    const name = ada.device.keys[0].id.toString("base64url");
    const stolen = {
      ...response,
      id: name,
      rawId: name,
      response: { ...response.response, attestationObject: attested.toString("base64url") },
    };
    const refused = await eve.post("/passkey/verify-registration", { response: stolen });
    expect([refused.status, refused.body.code]).toEqual([400, "FAILED_TO_VERIFY_REGISTRATION"]);
    expect((await signIn(server.browser(), ada.device)).body.user.id).toBe(ada.userId);
  });

  test("another user's challenge adds nothing to one's account", async () => {
    const server = await startAccounts(await openDatabase());
    const ada = await start(server, "ada@example.com");
    const eve = await start(server, "eve@example.com");
    const options = (await ada.browser.get("/passkey/generate-register-options")).body;
    const challenge = "better-auth.better-auth-passkey";
    eve.browser.cookies.set(challenge, ada.browser.cookies.get(challenge) ?? "");
    const response = eve.device.create(options);
    const refused = await eve.browser.post("/passkey/verify-registration", { response });
    expect(refused.status).toBe(401);
  });

  test("the banned, the deleted and, if that is required, the unverified do not sign in", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const root = server.browser();
    await root.signUp("root@example.com");
    const { browser, device, userId } = await start(server);
    await root.post("/admin/ban-user", { userId });
    const banned = await signIn(server.browser(), device);
    expect([banned.status, banned.body.code]).toEqual([403, "BANNED_USER"]);
    await root.post("/admin/unban-user", { userId });
    const strict = await startAccounts(server.database, { REQUIRE_EMAIL_VERIFICATION: "on" });
    const there = device.copy();
    const unverified = await signIn(strict.browser(), Object.assign(there, { origin: strict.url }));
    expect([unverified.status, unverified.body.code]).toEqual([403, "EMAIL_NOT_VERIFIED"]);
    await browser.signIn("ada@example.com");
    expect((await browser.post("/delete-user", { password: PASSWORD })).status).toBe(200);
    expect((await signIn(server.browser(), device)).body.code).toBe("PASSKEY_NOT_FOUND");
  });

  test("an admin who looks through a user's eyes adds and removes none", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const root = server.browser();
    await root.signUp("root@example.com");
    const { userId, passkeyId } = await start(server);
    await root.post("/admin/impersonate-user", { userId });
    const options = (await root.get("/passkey/generate-register-options")).body;
    const response = new SoftwareAuthenticator(server.url).create(options);
    for (const [path, body] of [
      ["/passkey/verify-registration", { response }],
      ["/passkey/update-passkey", { id: passkeyId, name: "Mine" }],
      ["/passkey/delete-passkey", { id: passkeyId }],
    ] as const) {
      const answer = await root.post(path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, "IMPERSONATED_SESSION"]);
    }
  });

  test("there are twenty at most", async () => {
    const server = await startAccounts(await openDatabase());
    const { browser, device } = await start(server);
    for (let each = 1; each < 19; each += 1) await register(browser, device);
    const other = server.browser();
    await other.signIn("ada@example.com");
    const asked = await other.get("/passkey/generate-register-options");
    await register(browser, device);
    const late = { response: device.create(asked.body), name: "Late" };
    for (const refused of [
      await other.post("/passkey/verify-registration", late),
      await browser.get("/passkey/generate-register-options"),
    ]) {
      expect([refused.status, refused.body.code]).toEqual([400, "TOO_MANY_PASSKEYS"]);
    }
  });

  test("none is kept beyond twenty when several are added at once", async () => {
    const server = await startAccounts(await openDatabase());
    const { browser, device, userId } = await start(server);
    for (let each = 1; each < 19; each += 1) await register(browser, device);
    const windows = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const window = server.browser();
        await window.signIn("ada@example.com");
        const asked = await window.get("/passkey/generate-register-options");
        return { window, body: { response: device.create(asked.body), name: "Race" } };
      }),
    );
    const answers = await Promise.all(
      windows.map(({ window, body }) => window.post("/passkey/verify-registration", body)),
    );
    for (const { status, body } of answers) {
      expect(status === 200 || body.code === "TOO_MANY_PASSKEYS").toBe(true);
    }
    const kept = (await browser.get("/passkey/list-user-passkeys")).body.length;
    expect(kept).toBe(19 + answers.filter(({ status }) => status === 200).length);
    expect(kept).toBeLessThanOrEqual(20);
    const { items } = await server.accounts.securityEvents({
      userId,
      kinds: ["passkeyAdded"],
      limit: 50,
    });
    expect(items).toHaveLength(kept);
  });

  test("a certificate with a new passkey makes this server ask no address that it names", async () => {
    const server = await startAccounts(await openDatabase());
    const { browser, device } = await start(server);
    const asked: string[] = [];
    const note = (message: unknown) => {
      asked.push((message as { readonly request: { readonly path: string } }).request.path);
    };
    subscribe("undici:request:create", note);
    onTestFinished(() => void unsubscribe("undici:request:create", note));
    const certificate = revocableCertificate(`${server.url}/internal`);
    expect((await register(browser, device, { certificate })).status).toBe(400);
    expect(asked).toContain("/api/auth/passkey/verify-registration");
    expect(asked).not.toContain("/internal");
  });

  test("adding one makes no session besides the one that there is", async () => {
    const server = await startAccounts(await openDatabase());
    const { browser, userId } = await start(server);
    const options = (await browser.get("/passkey/generate-register-options")).body;
    const response = new SoftwareAuthenticator(server.url).create(options);
    const body = { response, createSession: true };
    const refused = await browser.post("/passkey/verify-registration", body);
    expect([refused.status, refused.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(await userOf(browser)).toBe(userId);
  });

  test("bad bodies get an answer", async () => {
    const server = await startAccounts(await openDatabase());
    const { browser, device } = await start(server);
    const visitor = server.browser();
    const good = device.get((await visitor.get("/passkey/generate-authenticate-options")).body);
    const bodies: unknown[] = [
      {},
      { response: null },
      { response: [] },
      { response: { id: {} } },
      { response: { ...good, id: { operator: "ne", value: "" } } },
      { response: { ...good, rawId: 1 } },
      { response: { ...good, response: null } },
      { response: { ...good, response: { clientDataJSON: "%%%" } } },
      { response: { ...good, response: { ...good.response, signature: 7 } } },
      { response: { ...good, response: { ...good.response, authenticatorData: "AA" } } },
      { response: { ...good, response: { clientDataJSON: "e30", transports: "usb" } } },
    ];
    for (const body of bodies) {
      for (const [person, path] of [
        [visitor, "/passkey/verify-authentication"],
        [browser, "/passkey/verify-registration"],
      ] as const) {
        await person.get("/passkey/generate-authenticate-options");
        await person.get("/passkey/generate-register-options");
        const { status } = await person.post(path, body);
        expect([path, body, status >= 400 && status < 500]).toEqual([path, body, true]);
      }
    }
  });

  test("asking and trying is limited for each address", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    const visitor = server.browser();
    const statuses: number[] = [];
    for (let each = 0; each < 32; each += 1) {
      statuses.push((await visitor.get("/passkey/generate-authenticate-options")).status);
    }
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200));
    expect(statuses.slice(30)).toEqual([429, 429]);
  });
});

/**
 * What an outsider, a user or an administrator in a user's name tries, against every call that there
 * is: the lists of calls come from the library itself, so that a new one is attacked as well.
 */
import { betterAuth } from "better-auth";
import { expect, test, vi } from "vitest";
import { createAuth } from "#server/accounts/auth.ts";
import { createPasswordHashing } from "#server/accounts/passwords/password-hashing.ts";
import { readConfig } from "#server/settings/config.ts";
import type { Database } from "#server/database/open-database.ts";
import { createSilentLog } from "#server/log.ts";
import { exchangeStarter } from "./accounts-exchange.ts";
import { startAccounts, TestBrowser, TEST_SECRET } from "./accounts-server.ts";
import { isFull } from "../support/run-counts.ts";
import { describeShareOfDatabases } from "./databases.ts";

// Whole servers and hundreds of requests: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

const PASSWORD = "correct horse battery";

interface Call {
  /** Such as "/callback/:id". */
  readonly path: string;
  readonly methods: readonly string[];
}

/** Every call that is answered over HTTP. */
function callsOf(database: Database): Call[] {
  const nothing = () => Promise.resolve();
  const { options } = createAuth({
    config: readConfig({}),
    database,
    log: createSilentLog(),
    secret: TEST_SECRET,
    publicUrl: "http://127.0.0.1:3000",
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
  const endpoints = Object.values(betterAuth(options).api) as {
    path?: string;
    options?: { method?: string | string[]; metadata?: { SERVER_ONLY?: boolean } };
  }[];
  return endpoints.flatMap(({ path, options: { method, metadata } = {} }) =>
    path === undefined || method === undefined || metadata?.SERVER_ONLY === true
      ? []
      : [{ path, methods: [method].flat() }],
  );
}

function postsOf(database: Database): string[] {
  const paths = callsOf(database)
    .filter(({ methods }) => methods.includes("POST"))
    .map(({ path }) => path.replace(":id", "github").replace(/:\w+/, "x"));
  expect(paths).toEqual(expect.arrayContaining(["/sign-in/email", "/admin/ban-user", "/sign-out"]));
  expect(paths.length).toBeGreaterThan(40);
  return [...new Set(paths)];
}

/** Addresses that a browser, or a server that decodes once too often, takes for another site's. */
function foreignAddresses(url: string): string[] {
  const { host } = new URL(url);
  const spelled = [
    "https://evil.example",
    "http://evil.example/",
    "https:evil.example",
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "\\\\evil.example",
    "/\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    `${url}@evil.example`,
    `http://${host}@evil.example/`,
    `http://${host}:x@evil.example/`,
    `${url}.evil.example`,
    `http://user@${host}.evil.example`,
    `/@evil.example`.replace("/", "//"),
    // Resolved they are the path //evil.example.
    "/.//evil.example",
    "/..//evil.example",
    "/a/..//evil.example",
    `${url}/.//evil.example`,
  ];
  const encodedOnce = [
    "/%2fevil.example",
    "/%2F%2Fevil.example",
    "/%5cevil.example",
    "/%09/evil.example",
    "/%0a/evil.example",
    "/%2e//evil.example",
  ];
  const encodedTwice = encodedOnce.map((address) => address.replaceAll("%", "%25"));
  return [...spelled, ...encodedOnce, ...encodedTwice];
}

describeShareOfDatabases("attacks", (openDatabase) => {
  const startExchange = exchangeStarter(openDatabase);

  test("a forged X-Forwarded-For escapes no limit, without a proxy of ours and behind one", async () => {
    const exchange = await startExchange({ AUTH_RATE_LIMIT: "on" });
    const statusOf = async (url: string, forwarded: string) => {
      const headers = {
        "x-forwarded-for": forwarded,
        "x-real-ip": forwarded,
        "x-openbell-client-address": forwarded,
        forwarded: `for=${forwarded}`,
      };
      return (await new TestBrowser(url).post("/sign-in/email", {}, headers)).status;
    };
    const direct: number[] = [];
    for (let each = 0; each < 22; each += 1) {
      direct.push(await statusOf(exchange.url, `203.0.113.${each}`));
    }
    expect(direct.map((status) => status === 429)).toEqual(
      Array.from({ length: 22 }, (_, each) => each >= 20),
    );

    const proxied = await startExchange({ AUTH_RATE_LIMIT: "on", TRUSTED_PROXIES: "1" });
    const behind: number[] = [];
    for (let each = 0; each < 22; each += 1) {
      // What the client sent, and after it what our proxy saw.
      behind.push(await statusOf(proxied.url, `203.0.113.${each}, 198.51.100.7`));
    }
    expect(behind.map((status) => status === 429)).toEqual(
      Array.from({ length: 22 }, (_, each) => each >= 20),
    );
    expect(await statusOf(proxied.url, "198.51.100.7, 198.51.100.8")).toBe(400);
  });

  test("no field of any call leads to another site, however it is spelled", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const email = "ada@example.com";
    const letThrough: string[] = [];
    for (const [at, address] of foreignAddresses(server.url).entries()) {
      const query = `callbackURL=${encodeURIComponent(address)}`;
      const newUser = { email: "eve@example.com", password: PASSWORD, name: "Eve" };
      const social = { provider: "github", callbackURL: "/" };
      const attempts: [string, object | null][] = [
        ["/sign-in/email", { email, password: PASSWORD, callbackURL: address }],
        ["/sign-up/email", { ...newUser, callbackURL: address }],
        ["/request-password-reset", { email, redirectTo: address }],
        ["/forget-password", { email, redirectTo: address }],
        ["/send-verification-email", { email, callbackURL: address }],
        ["/change-email", { newEmail: "b@example.com", callbackURL: address }],
        ["/delete-user", { callbackURL: address }],
        ["/sign-in/social", { ...social, callbackURL: address }],
        ["/sign-in/social", { ...social, newUserCallbackURL: address }],
        ["/sign-in/social", { ...social, errorCallbackURL: address }],
        ["/link-social", { ...social, callbackURL: address }],
        ["/link-social", { ...social, errorCallbackURL: address }],
        [`/reset-password/token?${query}`, null],
        [`/verify-email?token=x&${query}`, null],
        [`/delete-user/callback?token=x&${query}`, null],
      ];
      // In a share of the tests each field meets a third of the addresses.
      const tried = attempts.filter((_, field) => isFull || field % 3 === at % 3);
      for (const [path, body] of tried) {
        const answer = body === null ? await browser.get(path) : await browser.post(path, body);
        const refused = answer.status === 403 || answer.status === 400;
        if (!refused || answer.headers.get("location") !== null) {
          letThrough.push(`${path} ${JSON.stringify(address)} ${answer.status}`);
        }
      }
    }
    expect(letThrough).toEqual([]);
    expect(await server.database.read.selectFrom("user").select("email").execute()).toEqual([
      { email },
    ]);
  });

  test("an address of this site stays possible, also with a query that names another", async () => {
    const server = await startAccounts(await openDatabase());
    await server.browser().signUp("ada@example.com");
    for (const callbackURL of [
      "/",
      "/dashboard",
      "/trade/BTC-USD?from=https%3A%2F%2Felsewhere.example&x=%2F%2F",
      "/settings?tab=security#sessions",
      `${server.url}/dashboard`,
    ]) {
      const answer = await server
        .browser()
        .post("/sign-in/email", { email: "ada@example.com", password: PASSWORD, callbackURL });
      expect([callbackURL, answer.status, answer.body.url]).toEqual([
        callbackURL,
        200,
        callbackURL,
      ]);
    }
  });

  test("no call that changes something is taken from a foreign page, from none, or as plain text", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const cookie = browser.cookieHeader();
    for (const path of postsOf(database)) {
      // Some providers post their answer from their own page; it must bring a state of this browser.
      if (path === "/callback/github") continue;
      for (const origin of ["https://evil.example", "null", "", `${server.url}.evil.example`]) {
        const answer = await browser.post(path, {}, { cookie, origin });
        expect([path, origin, answer.status]).toEqual([path, origin, 403]);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      for (const type of ["text/plain", "text/plain;application/json", "multipart/form-data"]) {
        const answer = await browser.fetch(`${server.url}/api/auth${path}`, {
          method: "POST",
          headers: { cookie, "content-type": type, origin: server.url },
          body: JSON.stringify({ email: "ada@example.com", password: PASSWORD }),
        });
        // It is read with GET; the library says so before it looks at the body.
        const refused = path === "/get-session" ? 405 : 415;
        expect([path, type, answer.status]).toEqual([path, type, refused]);
      }
      const form = await browser.fetch(`${server.url}/api/auth${path}`, {
        method: "POST",
        headers: {
          cookie,
          "content-type": "application/x-www-form-urlencoded",
          origin: "https://evil.example",
        },
        body: "email=ada%40example.com",
      });
      expect([path, [403, 415].includes(form.status)]).toEqual([path, true]);
    }
    const posted = await browser.fetch(`${server.url}/api/auth/callback/github`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://evil.example" },
      body: JSON.stringify({ code: "x", state: "x" }),
    });
    expect([302, 403]).toContain(posted.status);
    expect(posted.headers.getSetCookie().join()).not.toContain("session_token=");
    expect((await browser.get("/get-session")).body.user.email).toBe("ada@example.com");
    // Without cookies, too, no one is signed in from a foreign page.
    for (const path of ["/sign-in/email", "/sign-up/email"]) {
      const answer = await server
        .browser()
        .post(
          path,
          { email: "ada@example.com", password: PASSWORD, name: "Ada" },
          { origin: "https://evil.example" },
        );
      expect([path, answer.status]).toEqual([path, 403]);
    }
  });

  test("an impersonated session can call nothing that changes something", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database, { ADMIN_EMAIL: "root@example.com" });
    const [root, user] = [server.browser(), server.browser()];
    await root.signUp("root@example.com");
    const userId: string = (await user.signUp("ada@example.com")).body.user.id;
    await root.post("/admin/impersonate-user", { userId });
    const before = await everythingOf(database);
    for (const path of postsOf(database)) {
      if (["/admin/stop-impersonating", "/sign-out", "/callback/github"].includes(path)) continue;
      const answer = await root.post(path, {
        email: "new@example.com",
        newEmail: "new@example.com",
        name: "Eve",
        password: PASSWORD,
        currentPassword: PASSWORD,
        newPassword: "another password",
        userId,
        token: "x",
        providerId: "credential",
        provider: "github",
        code: "000000",
      });
      expect([path, answer.status, answer.body?.code]).toEqual([path, 403, "IMPERSONATED_SESSION"]);
    }
    for (const path of ["/one-time-token/generate", "/delete-user/callback?token=x"]) {
      expect([path, (await root.get(path)).status]).toEqual([path, 403]);
    }
    expect(await everythingOf(database)).toEqual(before);
    expect((await root.post("/admin/stop-impersonating", {})).status).toBe(200);
  });

  test("no body of any call sets a role, a balance, a verified address or an id", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const [browser, eve] = [server.browser(), server.browser()];
    await browser.signUp("ada@example.com");
    const eveId: string = (await eve.signUp("eve@example.com")).body.user.id;
    const injected = [
      { role: "admin" },
      { balance: 1_000_000 },
      { emailVerified: true },
      {
        id: "chosen",
        userId: eveId,
        banned: false,
        banExpires: null,
        createdAt: "2000-01-01T00:00:00.000Z",
        updatedAt: "2000-01-01T00:00:00.000Z",
        twoFactorEnabled: true,
        impersonatedBy: eveId,
        expiresAt: "2100-01-01T00:00:00.000Z",
      },
    ];
    const facts = async () =>
      (await database.read.selectFrom("user").selectAll().orderBy("email").execute()).map(
        ({ updatedAt: _updated, ...row }) => row,
      );
    const before = await facts();
    // What ends the session or the user of this test is tried last.
    const last = new Set(["/sign-out", "/revoke-session", "/revoke-sessions", "/delete-user"]);
    const paths = postsOf(database).filter((path) => !last.has(path));
    for (const path of paths) {
      for (const fields of injected) {
        await browser.post(path, { ...fields, data: fields, name: "Ada" });
        await browser.post(path, { ...fields });
      }
    }
    expect(await facts()).toEqual(before);
    for (const fields of injected) {
      const visitor = server.browser();
      const address = `${Object.keys(fields)[0].toLowerCase()}@example.com`;
      const answer = await visitor.signUp(address, fields);
      if (answer.status !== 200) continue;
      const { user } = (await visitor.get("/get-session")).body;
      expect(user).toMatchObject({ role: "user", emailVerified: false, banned: false });
      expect([user.id === "chosen", user.id === eveId]).toEqual([false, false]);
      expect(new Date(user.createdAt).getFullYear()).toBeGreaterThan(2020);
    }
  });

  test("a session that an attacker chose is not the one that a user signs in with", async () => {
    const server = await startAccounts(await openDatabase());
    const [attacker, victim] = [server.browser(), server.browser()];
    await attacker.signUp("eve@example.com");
    await server.browser().signUp("ada@example.com");
    const name = "better-auth.session_token";
    const chosen = attacker.cookies.get(name) ?? "";
    victim.cookies.set(name, chosen);
    expect((await victim.signIn("ada@example.com")).status).toBe(200);
    expect(victim.cookies.get(name)).not.toBe(chosen);
    expect((await attacker.get("/get-session")).body.user.email).toBe("eve@example.com");
    // Neither one that is invented, nor a known token under an invented signature.
    const [token] = decodeURIComponent(victim.cookies.get(name) ?? "").split(".");
    for (const value of [
      token,
      `${token}.`,
      `${token}.${"A".repeat(43)}=`,
      encodeURIComponent(`invented.${Buffer.alloc(32).toString("base64")}`),
    ]) {
      attacker.cookies.set(name, value);
      expect((await attacker.get("/get-session")).body).toBeNull();
      expect((await attacker.get("/token")).status).toBe(401);
    }
    // Every sign-in, and a change of password that signs others out, makes a session of its own.
    const again = victim.cookies.get(name);
    await victim.signIn("ada@example.com");
    expect(victim.cookies.get(name)).not.toBe(again);
    const changed = victim.cookies.get(name);
    await victim.post("/change-password", {
      currentPassword: PASSWORD,
      newPassword: "an entirely new password",
      revokeOtherSessions: true,
    });
    expect(victim.cookies.get(name)).not.toBe(changed);
    attacker.cookies.set(name, changed ?? "");
    expect((await attacker.get("/get-session")).body).toBeNull();
  });

  test("mailed tokens work once, also when ten use them at the same moment", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    const userId: string = (await browser.signUp("ada@example.com")).body.user.id;
    const tenTimes = async (attempt: (each: number) => Promise<{ status: number }>) =>
      (await Promise.all(Array.from({ length: 10 }, (_, each) => attempt(each)))).filter(
        ({ status }) => status === 200,
      ).length;

    await browser.post("/request-password-reset", { email: "ada@example.com" });
    const reset = new URL(await server.mailLink("ada@example.com", /reset/i));
    const token = reset.pathname.split("/").at(-1);
    const newPasswordOf = (each: number) => `the password of attempt ${each}`;
    expect(
      await tenTimes((each) =>
        server.browser().post("/reset-password", { token, newPassword: newPasswordOf(each) }),
      ),
    ).toBe(1);
    const good = await Promise.all(
      Array.from({ length: 10 }, (_, each) =>
        server.browser().signIn("ada@example.com", newPasswordOf(each)),
      ),
    );
    expect(good.filter(({ status }) => status === 200)).toHaveLength(1);
    const password = newPasswordOf(good.findIndex(({ status }) => status === 200));

    await browser.signIn("ada@example.com", password);
    const { token: carried } = (await browser.get("/one-time-token/generate")).body;
    expect(
      await tenTimes(() => server.browser().post("/one-time-token/verify", { token: carried })),
    ).toBe(1);

    // OpenedResources again, a link that confirms an address confirms nothing new and signs no one in.
    const confirm = await server.mailLink("ada@example.com", /confirm your email/i);
    const opened = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const visitor = server.browser();
        await visitor.get(confirm);
        return (await visitor.get("/get-session")).body;
      }),
    );
    expect(opened).toEqual(Array.from({ length: 10 }, () => null));

    await browser.post("/delete-user", { callbackURL: "/goodbye" });
    const deletion = new URL(await server.mailLink("ada@example.com", /deleted/i));
    const answers = await Promise.all(Array.from({ length: 10 }, () => browser.get(deletion.href)));
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
    expect(server.deleted).toEqual([userId]);
  });

  test("sessions and accounts of others are out of reach, whatever id is sent", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const [ada, eve] = [server.browser(), server.browser()];
    const userId: string = (await ada.signUp("ada@example.com")).body.user.id;
    await eve.signUp("eve@example.com");
    const sessions = await database.read.selectFrom("session").selectAll().execute();
    const accounts = await database.read.selectFrom("account").selectAll().execute();
    const session = sessions.find((row) => row.userId === userId);
    const account = accounts.find((row) => row.userId === userId);
    const before = await everythingOf(database);
    const attempts: [string, object][] = [
      ["/revoke-session", { token: session?.token }],
      ["/revoke-session", { token: session?.id }],
      ["/unlink-account", { accountId: account?.id }],
      ["/unlink-account", { providerId: "credential", accountId: userId }],
      ["/get-access-token", { accountId: account?.id, userId }],
      ["/refresh-token", { accountId: account?.id, userId }],
      ["/account-info", { accountId: account?.id, userId }],
      ["/one-time-token/verify", { token: session?.token }],
      ["/delete-user", { token: session?.token }],
      ["/admin/list-user-sessions", { userId }],
      ["/admin/revoke-user-session", { sessionToken: session?.token }],
      ["/admin/impersonate-user", { userId }],
    ];
    for (const [path, body] of attempts) {
      const answer = await eve.post(path, body);
      // Told nothing: an id that is not one's own is one that does not exist.
      const invented = await eve.post(path, replaced(body, "x".repeat(32)));
      expect([path, answer.text]).toEqual([path, invented.text]);
      expect(answer.text).not.toContain("ada@example.com");
    }
    expect(await everythingOf(database)).toEqual(before);
    expect((await ada.get("/get-session")).body.user.id).toBe(userId);
  });
});

function replaced(body: object, value: string): object {
  return Object.fromEntries(Object.keys(body).map((name) => [name, value]));
}

/** All that belongs to users, but for the counting of attempts. */
async function everythingOf({ read }: Database): Promise<string> {
  const tables = ["user", "account", "verification"] as const;
  const rows = await Promise.all(
    tables.map((table) => read.selectFrom(table).selectAll().orderBy("id").execute()),
  );
  const sessions = await read
    .selectFrom("session")
    .select(["id", "userId", "impersonatedBy"])
    .orderBy("id")
    .execute();
  return JSON.stringify([...rows, sessions], null, 1);
}

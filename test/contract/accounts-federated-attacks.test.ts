/** What an outsider tries on the way through another provider. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type JWTPayload,
} from "jose";
import { afterEach, expect, test } from "vitest";
import type { Database } from "#server/database/open-database.ts";
import {
  startOpenIdProvider,
  throughProvider,
  type OpenIdProvider,
} from "./accounts-openid-provider.ts";
import { startAccounts, type TestBrowser, type TestServer } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

const ASK = { callbackURL: "/dashboard", errorCallbackURL: "/login" };

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

interface Federation {
  readonly server: TestServer;
  readonly acme: OpenIdProvider;
  readonly other: OpenIdProvider;
}

/** An exchange with two providers, at both of which Ada signs in with a proven address. */
async function federate(database: Database): Promise<Federation> {
  const [acme, other] = [await startOpenIdProvider(), await startOpenIdProvider()];
  const settings = (provider: OpenIdProvider) => JSON.parse(provider.settings()).acme as unknown;
  const server = await startAccounts(database, {
    SIGN_IN_PROVIDERS: JSON.stringify({ acme: settings(acme), other: settings(other) }),
  });
  acme.allow(`${server.url}/api/auth/callback/acme`);
  other.allow(`${server.url}/api/auth/callback/other`);
  for (const provider of [acme, other]) {
    provider.users.set("ada", { email: "ada@example.com", email_verified: true, name: "Ada" });
    provider.subject = "ada";
  }
  return { server, acme, other };
}

/** The provider's address that a sign-in or a link begins with. */
async function begin(browser: TestBrowser, more: object = {}, path = "/sign-in/social") {
  const asked = await browser.post(path, { provider: "acme", ...ASK, ...more });
  expect(asked.status).toBe(200);
  return new URL(asked.body.url);
}

async function callbackOf(browser: TestBrowser, more: object = {}): Promise<URL> {
  return new URL(await throughProvider((await begin(browser, more)).href));
}

/** @returns where the browser is sent */
async function visit(browser: TestBrowser, address: string | URL): Promise<string> {
  return (await browser.get(String(address))).headers.get("location") ?? "";
}

interface User {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

async function userOf(browser: TestBrowser): Promise<User | null> {
  return (await browser.get("/get-session")).body?.user ?? null;
}

describeShareOfDatabases("an attack through a provider", (openDatabase) => {
  test("with the state of one provider and the code of another ends without a session", async () => {
    const { server, other } = await federate(await openDatabase());
    for (const path of ["/sign-in/social", "/link-social"]) {
      const browser = server.browser();
      if (path === "/link-social") await browser.signUp(`ada@example.com`);
      // A provider that is not honest sends the person on to another one, with our own state.
      const asked = await begin(browser, { provider: "acme" }, path);
      const onward = await begin(server.browser(), { provider: "other" });
      for (const name of ["state", "nonce", "code_challenge"]) {
        onward.searchParams.set(name, asked.searchParams.get(name) ?? "");
      }
      const callback = await throughProvider(onward.href);
      expect(callback).toContain("/callback/other?code=");
      other.asked.length = 0;
      expect(await visit(browser, callback)).toBe("/login?error=invalid_code");
      // No one there is told of it: the code stays unused.
      expect(other.asked).toEqual([]);
      if (path === "/sign-in/social") expect(await userOf(browser)).toBeNull();
      else expect((await browser.get("/list-accounts")).body).toHaveLength(1);
    }
  });

  test("with a code that was given to another browser fails on the proof key", async () => {
    const { server, acme } = await federate(await openDatabase());
    const [victim, eve] = [server.browser(), server.browser()];
    acme.users.set("eve", { email: "eve@example.com", email_verified: true, name: "Eve" });
    const stolen = (await callbackOf(victim)).searchParams.get("code") ?? "";
    acme.subject = "eve";
    const callback = await callbackOf(eve);
    callback.searchParams.set("code", stolen);
    expect(await visit(eve, callback)).toBe("/login?error=invalid_code");
    expect(await userOf(eve)).toBeNull();
  });

  test("with another issuer in the callback is refused", async () => {
    const { server, other } = await federate(await openDatabase());
    const browser = server.browser();
    const callback = await callbackOf(browser);
    expect(callback.searchParams.get("iss")).toBeTruthy();
    callback.searchParams.set("iss", other.url);
    expect(await visit(browser, callback)).toBe("/login?error=issuer_mismatch");
    expect(await userOf(browser)).toBeNull();
  });

  test("with an address of our own that leads elsewhere in any spelling is refused", async () => {
    const { server } = await federate(await openDatabase());
    const browser = server.browser();
    const { host, port } = new URL(server.url);
    for (const address of [
      "https://evil.example/",
      "//evil.example",
      "///evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "/%2f/evil.example",
      "/%2F%2Fevil.example",
      "/%5cevil.example",
      "/%5C%5Cevil.example",
      "/\t/evil.example",
      "/\n/evil.example",
      "\t//evil.example",
      " //evil.example",
      "http:evil.example",
      "http:///evil.example",
      `http://${host}@evil.example/`,
      `http://${host}.evil.example/`,
      `http://127.0.0.1:${port}0/`,
      `http://evil.example/#http://${host}/`,
      `https://evil.example\\@${host}/`,
      "javascript:alert(1)",
      "data:text/html,hello",
      "evil.example",
      ".evil.example",
      "@evil.example",
    ]) {
      for (const field of ["callbackURL", "newUserCallbackURL", "errorCallbackURL"]) {
        const asked = await browser.post("/sign-in/social", {
          provider: "acme",
          ...ASK,
          [field]: address,
        });
        expect([address, field, asked.status]).toEqual([address, field, 403]);
      }
    }
    const strange = await browser.post("/sign-in/social", {
      provider: "acme",
      callbackURL: ["https://evil.example"],
    });
    expect(strange.status).toBe(400);
  });

  test("names no place for the code but our own callback", async () => {
    const { server } = await federate(await openDatabase());
    const forged = {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
      forwarded: "host=evil.example",
    };
    const asked = await server
      .browser()
      .post("/sign-in/social", { provider: "acme", ...ASK }, forged);
    const begun = new URL(asked.body.url);
    expect(begun.searchParams.get("redirect_uri")).toBe(`${server.url}/api/auth/callback/acme`);
    for (const name of ["redirect_uri", "state", "client_id", "nonce", "code_challenge", "scope"]) {
      const refused = await server.browser().post("/sign-in/social", {
        provider: "acme",
        ...ASK,
        additionalParams: { [name]: "https://evil.example" },
      });
      expect([name, refused.status]).toEqual([name, 400]);
    }
    // Nor does what a client adds of its own stand for what the server says.
    const browser = server.browser();
    const additionalData = {
      callbackURL: "https://evil.example",
      errorURL: "https://evil.example",
      newUserURL: "https://evil.example",
      link: { email: "ada@example.com", userId: "someone" },
      serverContext: { provider: "other" },
      codeVerifier: "known",
    };
    expect(await visit(browser, await callbackOf(browser, { additionalData }))).toBe("/dashboard");
    expect((await userOf(browser))?.email).toBe("ada@example.com");
  });

  test("from a foreign page neither begins a sign-in or a link nor sends a token in", async () => {
    const { server } = await federate(await openDatabase());
    const member = server.browser();
    await member.signUp("ada@example.com");
    const foreign = { origin: "https://evil.example" };
    const body = { provider: "acme", ...ASK };
    expect((await member.post("/link-social", body, foreign)).status).toBe(403);
    expect((await member.post("/sign-in/social", body, foreign)).status).toBe(403);
    // What a form of another site can send without being asked about it first.
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const sent = await server
        .browser()
        .post(
          "/sign-in/social",
          { ...body, idToken: { token: "a.b.c" } },
          { "content-type": type, ...foreign },
        );
      expect([type, sent.status, sent.headers.getSetCookie()]).toEqual([type, 415, []]);
    }
  });

  test("that claims an address first is out as soon as its owner sets a password", async () => {
    const { server, acme } = await federate(await openDatabase());
    // At a provider that lets people say what they like.
    acme.users.set("eve", { email: "ada@example.com", email_verified: false, name: "Eve" });
    acme.subject = "eve";
    const eve = server.browser();
    expect(await visit(eve, await callbackOf(eve))).toBe("/dashboard");
    const claimed = await userOf(eve);
    await leavePasskey(server.database, claimed?.id ?? "");

    const owner = server.browser();
    expect((await owner.signUp("ada@example.com")).body.code).toBe("USER_ALREADY_EXISTS");
    await setPasswordByMail(server, owner, "ada@example.com");
    expect((await owner.signIn("ada@example.com", NEW_PASSWORD)).status).toBe(200);
    expect((await userOf(owner))?.id).toBe(claimed?.id);
    expect(await userOf(eve)).toBeNull();
    expect(await visit(eve, await callbackOf(eve))).toBe("/login?error=account_not_linked");
    expect(await userOf(eve)).toBeNull();
    expect((await owner.get("/passkey/list-user-passkeys")).body).toEqual([]);
  });

  test("whose address the operator makes an administrator is out if it was not proven", async () => {
    const { server, acme } = await federate(await openDatabase());
    acme.users.set("eve", { email: "ada@example.com", email_verified: false, name: "Eve" });
    acme.subject = "eve";
    const eve = server.browser();
    expect(await visit(eve, await callbackOf(eve))).toBe("/dashboard");
    await leavePasskey(server.database, (await userOf(eve))?.id ?? "");

    const admin = { email: "ada@example.com", name: "Ada", password: NEW_PASSWORD };
    let whenNoticed: unknown;
    const { created } = await server.accounts.createAdmin(admin, async () => {
      const { read } = server.database;
      whenNoticed = {
        roles: await read.selectFrom("user").select("role").execute(),
        sessions: await read.selectFrom("session").select("id").execute(),
      };
    });
    expect(created).toBe(false);
    // Before that a session may still be live in the memory of a server.
    expect(whenNoticed).toEqual({ roles: [{ role: "user" }], sessions: [] });
    expect(await userOf(eve)).toBeNull();
    expect(await visit(eve, await callbackOf(eve))).toBe("/login?error=account_not_linked");
    const owner = server.browser();
    expect((await owner.signIn("ada@example.com", NEW_PASSWORD)).body.user.role).toBe("admin");
    expect((await owner.get("/passkey/list-user-passkeys")).body).toEqual([]);
    expect((await owner.get("/list-accounts")).body).toHaveLength(1);
  });

  test("joins no account whose address its owner proved in a browser that was not signed in to it", async () => {
    const { server } = await federate(await openDatabase());
    const eve = server.browser();
    await eve.signUp("ada@example.com");
    // The owner opens the mailed link, and comes through the provider.
    const owner = server.browser();
    await owner.fetch(await server.mailLink("ada@example.com", /^Confirm/));
    expect(await visit(owner, await callbackOf(owner))).toMatch(
      /^\/login\?error=account_not_linked/,
    );
    expect(await userOf(owner)).toBeNull();
    expect((await eve.get("/list-accounts")).body).toHaveLength(1);
    // A new password ends the other person's sign-ins, and the provider's account joins.
    await setPasswordByMail(server, owner, "ada@example.com");
    expect(await userOf(eve)).toBeNull();
    expect(await visit(owner, await callbackOf(owner))).toBe("/dashboard");
    expect((await owner.get("/list-accounts")).body).toHaveLength(2);
  });

  test("leaves to the owner of a proven address what is linked, no matter who sets a password", async () => {
    const { server } = await federate(await openDatabase());
    const browser = server.browser();
    await visit(browser, await callbackOf(browser));
    const user = await userOf(browser);
    await leavePasskey(server.database, user?.id ?? "");
    await setPasswordByMail(server, server.browser(), "ada@example.com");
    expect(await userOf(browser)).toBeNull();
    expect(await visit(browser, await callbackOf(browser))).toBe("/dashboard");
    expect((await userOf(browser))?.id).toBe(user?.id);
    expect((await browser.get("/list-accounts")).body).toHaveLength(2);
    expect((await browser.get("/passkey/list-user-passkeys")).body).toHaveLength(1);
  });

  test("that links its own provider before it takes the address does not get it", async () => {
    const { server, acme } = await federate(await openDatabase());
    acme.users.set("eve", { email: "eve@example.com", email_verified: true, name: "Eve" });
    acme.subject = "eve";
    const eve = server.browser();
    await eve.signUp("eve@example.com");
    const linking = await throughProvider((await begin(eve, {}, "/link-social")).href);
    expect(await visit(eve, linking)).toBe("/dashboard");
    // The provider has proven the address, so another one is confirmed first.
    expect(await userOf(eve)).toMatchObject({ email: "eve@example.com", emailVerified: true });
    await eve.post("/change-email", { newEmail: "ada@example.com" });
    expect((await userOf(eve))?.email).toBe("eve@example.com");
    expect((await server.browser().signUp("ada@example.com")).status).toBe(200);
  });

  test("that takes the address while it links its own provider links nothing", async () => {
    const { server, acme } = await federate(await openDatabase());
    acme.users.set("eve", { email: "eve@example.com", email_verified: true, name: "Eve" });
    acme.subject = "eve";
    const eve = server.browser();
    await eve.signUp("eve@example.com");
    const linking = await throughProvider((await begin(eve, {}, "/link-social")).href);
    await eve.post("/change-email", { newEmail: "ada@example.com" });
    expect(await visit(eve, linking)).toBe("/login?error=invalid_code");
    expect(await userOf(eve)).toMatchObject({ email: "ada@example.com", emailVerified: false });
    expect((await eve.get("/list-accounts")).body).toMatchObject([{ providerId: "credential" }]);
  });

  test("that claims an address at a provider joins no account, no matter who was first", async () => {
    const { server, acme } = await federate(await openDatabase());
    const owner = server.browser();
    await owner.signUp("ada@example.com");
    await owner.get(await server.mailLink("ada@example.com", /confirm your email/i));
    acme.users.set("eve", { email: "ADA@example.com", email_verified: false, name: "Eve" });
    acme.subject = "eve";
    const eve = server.browser();
    expect(await visit(eve, await callbackOf(eve))).toBe("/login?error=account_not_linked");
    // Nor by a truth that is a text.
    acme.users.set("eve", { email: "ada@example.com", email_verified: "false", name: "Eve" });
    expect(await visit(eve, await callbackOf(eve))).toBe("/login?error=account_not_linked");
    // Nor one of an address that only looks the same.
    acme.users.set("eve", { email: "ada@ex\u0430mple.com", email_verified: true, name: "Eve" });
    await visit(eve, await callbackOf(eve));
    expect((await userOf(eve))?.id).not.toBe((await userOf(owner))?.id);
    expect((await owner.get("/list-accounts")).body).toHaveLength(1);
  });

  test("with what a provider says of a person stays within the bounds of our own forms", async () => {
    const { server, acme } = await federate(await openDatabase());
    const strange = `Ada\u0000\u001b[31m\r\nSet-Cookie: a=b ${"x".repeat(5_000)}`;
    acme.users.set("ada", { email: "ada@example.com", email_verified: true, name: strange });
    const browser = server.browser();
    expect(await visit(browser, await callbackOf(browser))).toBe("/dashboard");
    const { user } = (await browser.get("/get-session")).body;
    expect(user.name).toBe("Ada[31mSet-Cookie: a=b ".padEnd(100, "x"));
    const long = `${"a".repeat(300)}@example.com`;
    acme.users.set("long", { email: long, email_verified: true, name: "Long" });
    acme.subject = "long";
    const other = server.browser();
    expect(await visit(other, await callbackOf(other))).toBe("/login?error=email_not_found");
  });

  test("by a banned user ends on the sign-in page", async () => {
    const { server } = await federate(await openDatabase());
    const browser = server.browser();
    await visit(browser, await callbackOf(browser));
    const user = await userOf(browser);
    await server.accounts.createAdmin({
      email: "root@example.com",
      password: NEW_PASSWORD,
      name: "Root",
    });
    const root = server.browser();
    await root.signIn("root@example.com", NEW_PASSWORD);
    expect((await root.post("/admin/ban-user", { userId: user?.id })).status).toBe(200);
    expect(await userOf(browser)).toBeNull();
    const landed = new URL(await visit(browser, await callbackOf(browser)), server.url);
    expect([landed.pathname, landed.searchParams.get("error")]).toEqual(["/login", "BANNED_USER"]);
    expect(await userOf(browser)).toBeNull();
  });

  test("from many browsers at once makes one user with one account", async () => {
    const { server } = await federate(await openDatabase());
    const browsers = Array.from({ length: 5 }, () => server.browser());
    const callbacks = await Promise.all(browsers.map((browser) => callbackOf(browser)));
    const ends = await Promise.all(
      browsers.map((browser, index) => visit(browser, callbacks[index])),
    );
    for (const [index, end] of ends.entries()) {
      const signedIn = (await userOf(browsers[index])) !== null;
      expect(end).toBe(signedIn ? "/dashboard" : "/login?error=unable_to_create_user");
    }
    expect(ends).toContain("/dashboard");
    const { database } = server;
    expect(await database.read.selectFrom("user").select("email").execute()).toHaveLength(1);
    expect(await database.read.selectFrom("account").select("id").execute()).toHaveLength(1);
    // The user who came too late comes in now.
    const late = server.browser();
    expect(await visit(late, await callbackOf(late))).toBe("/dashboard");
  });

  test("with one callback many times at once signs in once", async () => {
    const { server } = await federate(await openDatabase());
    const browser = server.browser();
    const callback = await callbackOf(browser);
    const cookie = browser.cookieHeader();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => server.browser().get(callback.href, { cookie })),
    );
    const ends = answers.map(({ headers }) => headers.get("location"));
    expect(ends.filter((end) => end === "/dashboard")).toHaveLength(1);
    const sessions = await server.database.read.selectFrom("session").select("id").execute();
    expect(sessions).toHaveLength(1);
  });

  test("on the way to link an account that was deleted in the meantime leaves nothing behind", async () => {
    const { server } = await federate(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const asked = await begin(browser, {}, "/link-social");
    const callback = await throughProvider(asked.href);
    const deleted = await browser.post("/delete-user", { password: "correct horse battery" });
    expect(deleted.status).toBe(200);
    expect(await visit(browser, callback)).toBe("/login?error=invalid_code");
    const { database } = server;
    expect(await database.read.selectFrom("account").select("id").execute()).toEqual([]);
  });

  test("to link in the name of a session that has ended links nothing", async () => {
    const { server } = await federate(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const callback = await throughProvider((await begin(browser, {}, "/link-social")).href);
    const owner = server.browser();
    await owner.signIn("ada@example.com");
    await owner.post("/revoke-other-sessions", {});
    expect(await userOf(browser)).toBeNull();
    expect(await visit(browser, callback)).toBe("/login?error=invalid_code");
    expect((await owner.get("/list-accounts")).body).toHaveLength(1);
  });

  test("that takes a user's address at the provider later stays who it was", async () => {
    const { server, acme } = await federate(await openDatabase());
    acme.users.set("eve", { email: "eve@example.com", email_verified: true, name: "Eve" });
    acme.subject = "eve";
    const eve = server.browser();
    await visit(eve, await callbackOf(eve));
    const before = await userOf(eve);
    const ada = server.browser();
    acme.subject = "ada";
    await visit(ada, await callbackOf(ada));
    acme.users.set("eve", { email: "ada@example.com", email_verified: true, name: "Ada" });
    acme.subject = "eve";
    const again = server.browser();
    expect(await visit(again, await callbackOf(again))).toBe("/dashboard");
    expect(await userOf(again)).toMatchObject({ id: before?.id, email: "eve@example.com" });
  });

  test("with the name of a user at another provider is another user", async () => {
    const { server, acme, other } = await federate(await openDatabase());
    acme.users.set("1", { email: "one@example.com", email_verified: true, name: "One" });
    other.users.set("1", { email: "other@example.com", email_verified: true, name: "Other" });
    acme.subject = "1";
    other.subject = "1";
    const [one, two] = [server.browser(), server.browser()];
    await visit(one, await callbackOf(one));
    await visit(two, await callbackOf(two, { provider: "other" }));
    expect((await userOf(one))?.email).toBe("one@example.com");
    expect((await userOf(two))?.email).toBe("other@example.com");
  });

  test("by asking for the access token many times at once does not end it", async () => {
    const { server } = await federate(await openDatabase());
    const browser = server.browser();
    await visit(browser, await callbackOf(browser));
    const { dialect, write } = server.database;
    const time = new Date();
    await write
      .updateTable("account")
      .set({ accessTokenExpiresAt: dialect === "sqlite" ? time.toISOString() : time })
      .execute();
    const ask = () => browser.post("/get-access-token", { providerId: "acme" });
    const answers = await Promise.all(Array.from({ length: 5 }, ask));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.accessToken)).size).toBe(1);
    expect((await browser.post("/refresh-token", { providerId: "acme" })).status).toBe(200);
  });

  test("writes the address in lower case, whatever the provider does", async () => {
    const { server, acme } = await federate(await openDatabase());
    acme.users.set("ada", { email: "Ada@Example.COM", email_verified: true, name: "Ada" });
    const browser = server.browser();
    await visit(browser, await callbackOf(browser));
    expect((await userOf(browser))?.email).toBe("ada@example.com");
    expect((await server.browser().signUp("ADA@example.com")).body.code).toBe(
      "USER_ALREADY_EXISTS",
    );
  });

  test("with an identity token is refused whatever is wrong with it", async () => {
    const issuer = await startIssuer();
    const server = await startAccounts(await openDatabase(), {
      SIGN_IN_PROVIDERS: JSON.stringify({ signer: issuer.settings }),
    });
    const send = async (token: string, more: object = {}) => {
      const browser = server.browser();
      const body = { provider: "signer", callbackURL: "/", idToken: { token, ...more } };
      return { browser, ...(await browser.post("/sign-in/social", body)) };
    };
    const { sign, url, stranger, publicKeyText } = issuer;
    const nowSeconds = Math.floor(Date.now() / 1000);
    const claims = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada" };
    const complete = { ...claims, iss: url, aud: "exchange", exp: nowSeconds + 600 };
    const wrong: Record<string, string> = {
      "another audience": await sign({ aud: "another" }),
      "no audience": await sign({ aud: undefined }),
      "another issuer": await sign({ iss: "https://accounts.google.com" }),
      "no issuer": await sign({ iss: undefined }),
      "an issuer that only begins alike": await sign({ iss: `${url}.evil.example` }),
      expired: await sign({ exp: nowSeconds - 60 }),
      "not valid yet": await sign({ nbf: nowSeconds + 600 }),
      "an unknown key": await sign({}, { kid: "invented" }),
      "a key of its own": await new SignJWT(complete)
        .setProtectedHeader({ alg: "RS256", kid: "one" })
        .sign(stranger),
      "a key in its header": await new SignJWT(complete)
        .setProtectedHeader({ alg: "RS256", jwk: issuer.strangerKey })
        .sign(stranger),
      "no signature": new UnsecuredJWT(complete).encode(),
      "a signature cut off": `${(await sign({})).split(".").slice(0, 2).join(".")}.`,
      "our key as a secret": await new SignJWT(complete)
        .setProtectedHeader({ alg: "HS256", kid: "one" })
        .sign(new TextEncoder().encode(publicKeyText)),
      "the client's secret as a key": await new SignJWT(complete)
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode("secret")),
      "other claims under the same signature": await tampered(await sign({})),
      "no token at all": "hello",
    };
    for (const [what, token] of Object.entries(wrong)) {
      const { status, body, browser } = await send(token);
      expect([what, status, body.code]).toEqual([what, 401, "INVALID_TOKEN"]);
      expect([what, await userOf(browser)]).toEqual([what, null]);
    }
    const bound = await sign({ nonce: "of this page" });
    expect((await send(bound, { nonce: "of another" })).body.code).toBe("INVALID_TOKEN");
    expect((await send(await sign({}), { nonce: "of this page" })).body.code).toBe("INVALID_TOKEN");
    expect((await send(bound, { nonce: "of this page" })).status).toBe(200);
    const refused = await send(await sign({ email: undefined }));
    expect([refused.status, refused.body.code]).toEqual([401, "USER_EMAIL_NOT_FOUND"]);
    // This provider has nowhere to ask about an access token.
    const unasked = await send(await sign({ email: undefined }), { accessToken: "any" });
    expect([unasked.status, unasked.body.code]).toEqual([401, "USER_EMAIL_NOT_FOUND"]);
  });

  test("with one's own identity token and another's access token signs no one in", async () => {
    const issuer = await startIssuer({ ada: "ada@example.com", eve: "eve@example.com" });
    const server = await startAccounts(await openDatabase(), {
      SIGN_IN_PROVIDERS: JSON.stringify({ signer: issuer.settings }),
    });
    const own = { sub: "eve", email: undefined, email_verified: undefined };
    const send = async (accessToken: string | undefined, path = "/sign-in/social", by?: string) => {
      const browser = server.browser();
      if (by !== undefined) await browser.signUp(by);
      const idToken = { token: await issuer.sign(own), accessToken };
      const sent = await browser.post(path, { provider: "signer", callbackURL: "/", idToken });
      return { ...sent, user: await userOf(browser) };
    };
    // The address of a person who has signed in there before, and one that no user here has yet.
    await server.browser().post("/sign-in/social", {
      provider: "signer",
      callbackURL: "/",
      idToken: { token: await issuer.sign({}) },
    });
    for (const accessToken of ["of ada", "of no subject", "of a subject without a name"]) {
      const taken = await send(accessToken);
      expect([accessToken, taken.status, taken.body.code, taken.user]).toEqual([
        accessToken,
        401,
        "FAILED_TO_GET_USER_INFO",
        null,
      ]);
    }
    const linked = await send("of ada", "/link-social", "eve@example.com");
    expect([linked.status, linked.body.code]).toEqual([401, "FAILED_TO_GET_USER_INFO"]);
    expect(linked.user?.emailVerified).toBe(false);
    const askedBefore = issuer.asked.filter((path) => path === "/userinfo").length;
    const without = await send(undefined);
    expect([without.status, without.body.code]).toEqual([401, "USER_EMAIL_NOT_FOUND"]);
    expect(issuer.asked.filter((path) => path === "/userinfo")).toHaveLength(askedBefore);
    expect((await send("of one without an address")).body.code).toBe("USER_EMAIL_NOT_FOUND");
    await server.database.write.deleteFrom("user").where("email", "=", "eve@example.com").execute();
    expect((await send("of eve")).user?.email).toBe("eve@example.com");
  });

  test("whose code is answered with another's access token signs no one in", async () => {
    const issuer = await startIssuer({ ada: "ada@example.com", eve: "eve@example.com" });
    const server = await startAccounts(await openDatabase(), {
      SIGN_IN_PROVIDERS: JSON.stringify({ signer: issuer.settings }),
    });
    const signIn = async (accessToken: string | undefined) => {
      const browser = server.browser();
      const address = await begin(browser, { provider: "signer" });
      const nonce = address.searchParams.get("nonce") ?? "";
      const idToken = await issuer.sign({ sub: "eve", email: undefined, nonce });
      issuer.tokens = { id_token: idToken, access_token: accessToken, token_type: "Bearer" };
      const state = address.searchParams.get("state") ?? "";
      const callback = `/callback/signer?code=x&state=${encodeURIComponent(state)}`;
      return { location: await visit(browser, callback), user: await userOf(browser) };
    };
    expect(await signIn("of ada")).toEqual({
      location: "/login?error=unable_to_get_user_info",
      user: null,
    });
    expect((await signIn(undefined)).location).toBe("/login?error=email_not_found");
    const honest = await signIn("of eve");
    expect([honest.location, honest.user?.email]).toEqual(["/dashboard", "eve@example.com"]);
  });

  test("whose code is answered at too great a length signs no one in", async () => {
    const issuer = await startIssuer({ eve: "eve@example.com" });
    const server = await startAccounts(await openDatabase(), {
      SIGN_IN_PROVIDERS: JSON.stringify({ signer: issuer.settings }),
    });
    const signIn = async (more: Record<string, unknown>) => {
      const browser = server.browser();
      const address = await begin(browser, { provider: "signer" });
      const nonce = address.searchParams.get("nonce") ?? "";
      const idToken = await issuer.sign({ sub: "eve", email: undefined, nonce });
      const tokens = { id_token: idToken, access_token: "of eve", token_type: "Bearer" };
      issuer.tokens = { ...tokens, ...more };
      const state = encodeURIComponent(address.searchParams.get("state") ?? "");
      return visit(browser, `/callback/signer?code=x&state=${state}`);
    };
    const end = await signIn({ more: "a".repeat(300_000) });
    expect(end).toBe("/login?error=invalid_code");
    expect(await signIn({})).toBe("/dashboard");
  });

  test("with a subject, tokens or a browser's name of any length stores no more than is of use", async () => {
    const issuer = await startIssuer({ eve: "eve@example.com" });
    const server = await startAccounts(await openDatabase(), {
      SIGN_IN_PROVIDERS: JSON.stringify({ signer: issuer.settings }),
    });
    const signIn = async (sub: string, more: Record<string, unknown>) => {
      const browser = server.browser();
      const address = await begin(browser, { provider: "signer" });
      const nonce = address.searchParams.get("nonce") ?? "";
      const idToken = await issuer.sign({
        sub,
        email: "eve@example.com",
        email_verified: true,
        nonce,
      });
      issuer.tokens = { id_token: idToken, access_token: "of eve", token_type: "Bearer", ...more };
      const state = encodeURIComponent(address.searchParams.get("state") ?? "");
      const callback = `/callback/signer?code=x&state=${state}`;
      const answer = await browser.get(callback, { "user-agent": "u".repeat(8_000) });
      return answer.headers.get("location");
    };
    for (const subject of ["s".repeat(256), "e\0ve"]) {
      expect(await signIn(subject, {})).toMatch(/^\/login\?error=/);
    }
    const long = {
      access_token: "of eve",
      refresh_token: "r".repeat(80_000),
      scope: "s".repeat(9_000),
    };
    expect(await signIn("eve", long)).toBe("/dashboard");
    const { database } = server;
    const account = await database.read.selectFrom("account").selectAll().executeTakeFirstOrThrow();
    expect(account).toMatchObject({ accountId: "eve", refreshToken: null });
    expect(account.accessToken).not.toBeNull();
    expect(account.scope?.length).toBeLessThanOrEqual(2_048);
    const { userAgent } = await database.read
      .selectFrom("session")
      .select("userAgent")
      .executeTakeFirstOrThrow();
    expect(userAgent).toBe("u".repeat(300));
  });

  test("to link by an identity token needs the same proven address, and no other user's account", async () => {
    const issuer = await startIssuer();
    const server = await startAccounts(await openDatabase(), {
      SIGN_IN_PROVIDERS: JSON.stringify({ signer: issuer.settings }),
    });
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const link = async (claims: JWTPayload, by = browser) => {
      const token = await issuer.sign(claims);
      const body = { provider: "signer", callbackURL: "/", idToken: { token } };
      return by.post("/link-social", body);
    };
    const refused = [
      await link({ email: "eve@example.com" }),
      await link({ email_verified: false }),
      await link({ email_verified: "false" }),
      await link({ aud: "another" }),
      await link({ email: undefined }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect((await browser.get("/list-accounts")).body).toHaveLength(1);
    expect((await link({}, server.browser())).status).toBe(401);
    expect((await userOf(browser))?.emailVerified).toBe(false);
    expect((await link({})).status).toBe(200);
    expect((await userOf(browser))?.emailVerified).toBe(true);
    expect((await browser.get("/list-accounts")).body).toHaveLength(2);
    const eve = server.browser();
    await eve.signUp("eve@example.com");
    // The same account there, whatever address it has by now.
    const taken = await link({ email: "eve@example.com" }, eve);
    expect(taken.status).toBeGreaterThanOrEqual(400);
    expect((await eve.get("/list-accounts")).body).toHaveLength(1);
  });

  test("with the identity token of a sign-in by redirect, read from the table, is refused", async () => {
    const { server } = await federate(await openDatabase());
    const browser = server.browser();
    await visit(browser, await callbackOf(browser));
    const { idToken } = await server.database.read
      .selectFrom("account")
      .select("idToken")
      .executeTakeFirstOrThrow();
    expect(idToken).toBeTruthy();
    const replayed = await server.browser().post("/sign-in/social", {
      provider: "acme",
      callbackURL: "/",
      idToken: { token: idToken },
    });
    expect([replayed.status, replayed.body.code]).toEqual([401, "INVALID_TOKEN"]);
  });
});

/** Stores a passkey as a device registers it. */
async function leavePasskey(database: Database, userId: string): Promise<void> {
  await database.write
    .insertInto("passkey")
    .values({
      id: `passkey of ${userId}`,
      name: "A device",
      publicKey: "key",
      userId,
      credentialID: `credential of ${userId}`,
      counter: 0,
      deviceType: "singleDevice",
      backedUp: database.dialect === "sqlite" ? 0 : false,
      transports: null,
      createdAt: database.dialect === "sqlite" ? new Date().toISOString() : new Date(),
      aaguid: null,
    })
    .execute();
}

const NEW_PASSWORD = "a password of the owner";

async function setPasswordByMail(server: TestServer, owner: TestBrowser, email: string) {
  await owner.post("/request-password-reset", { email, redirectTo: "/reset-password" });
  const opened = await owner.get(await server.mailLink(email, /password/i));
  const token = new URL(opened.headers.get("location") ?? "", server.url).searchParams.get("token");
  const reset = await owner.post("/reset-password", { newPassword: NEW_PASSWORD, token });
  expect(reset.status).toBe(200);
}

async function tampered(token: string): Promise<string> {
  const [header, payload, signature] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as JWTPayload;
  const changed = { ...claims, sub: "another" };
  return [header, Buffer.from(JSON.stringify(changed)).toString("base64url"), signature].join(".");
}

/**
 * An issuer of identity tokens that signs whatever a test wants.
 * @param addresses by subject: what the holder of the access token "of <subject>" is told; without
 * them there is no address to ask
 */
async function startIssuer(addresses?: Readonly<Record<string, string>>) {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const foreign = await generateKeyPair("RS256", { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" };
  const asked: string[] = [];
  const personOf = (authorization = "") => {
    const sub = authorization.replace("Bearer of ", "");
    if (sub === "one without an address") return { sub: "eve", name: "Eve" };
    const email = addresses?.[sub];
    const person = { email: email ?? "ada@example.com", email_verified: true, name: sub };
    return email === undefined ? person : { sub, ...person };
  };
  const server = createServer((request, response) => {
    const { url: path = "/", headers } = request;
    asked.push(path);
    const documents: Record<string, unknown> = {
      "/keys": { keys: [key] },
      "/userinfo": personOf(headers.authorization),
      "/token": issuer.tokens,
    };
    const document = documents[path] ?? discovery;
    response.setHeader("content-type", "application/json").end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const discovery = {
    ...(addresses === undefined ? {} : { userinfo_endpoint: `${url}/userinfo` }),
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/keys`,
    id_token_signing_alg_values_supported: ["RS256"],
  };
  const issuer = {
    url,
    asked,
    /** What it answers to any code. */
    tokens: {} as Record<string, unknown>,
    stranger: foreign.privateKey,
    strangerKey: await exportJWK(foreign.publicKey),
    publicKeyText: await exportSPKI(publicKey),
    settings: {
      name: "Signer",
      discoveryUrl: `${url}/.well-known/openid-configuration`,
      clientId: "exchange",
      clientSecret: "secret",
    },
    sign: (claims: JWTPayload, header: { kid?: string } = {}): Promise<string> => {
      const issuedAt = Math.floor(Date.now() / 1000);
      return new SignJWT({
        iss: url,
        aud: "exchange",
        iat: issuedAt,
        exp: issuedAt + 600,
        sub: "ada",
        email: "ada@example.com",
        email_verified: true,
        name: "Ada",
        ...claims,
      })
        .setProtectedHeader({ alg: "RS256", kid: "one", ...header })
        .sign(privateKey);
    },
  };
  return issuer;
}

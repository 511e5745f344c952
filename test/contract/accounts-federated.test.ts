import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, test, vi } from "vitest";
import { readConfig } from "#server/settings/config.ts";
import type { Database } from "#server/database/open-database.ts";
import {
  startOpenIdProvider,
  throughProvider,
  type OpenIdProvider,
} from "./accounts-openid-provider.ts";
import { startAccounts, type TestBrowser, type TestServer } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

interface Federation {
  readonly server: TestServer;
  readonly provider: OpenIdProvider;
}

async function federate(
  database: Database,
  environment: Record<string, string> = {},
  settings: Record<string, unknown> = {},
): Promise<Federation> {
  const provider = await startOpenIdProvider();
  provider.users.set("ada", { email: "ada@example.com", email_verified: true, name: "Ada" });
  provider.subject = "ada";
  const server = await startAccounts(database, {
    SIGN_IN_PROVIDERS: provider.settings(settings),
    ...environment,
  });
  provider.allow(`${server.url}/api/auth/callback/acme`);
  return { server, provider };
}

const ASK = { provider: "acme", callbackURL: "/dashboard", errorCallbackURL: "/login" };

/** The callback's address, before it is opened. */
async function callbackOf(
  browser: TestBrowser,
  more: Record<string, unknown> = {},
  path = "/sign-in/social",
): Promise<string> {
  const asked = await browser.post(path, { ...ASK, ...more });
  expect(asked.status).toBe(200);
  return throughProvider(asked.body.url);
}

/** @returns where it ends */
async function signIn(browser: TestBrowser, more: Record<string, unknown> = {}): Promise<string> {
  return (await browser.get(await callbackOf(browser, more))).headers.get("location") ?? "";
}

describeShareOfDatabases("sign-in through other providers", (openDatabase) => {
  test("a new and then a known person signs in, with PKCE, a nonce and state for ten minutes", async () => {
    const { server } = await federate(await openDatabase());
    const browser = server.browser();
    const askedAtMs = Date.now();
    const asked = await browser.post("/sign-in/social", {
      ...ASK,
      newUserCallbackURL: "/welcome",
      loginHint: "ada",
    });
    expect(asked.body).toMatchObject({ redirect: true });
    expect(asked.headers.getSetCookie().join()).toMatch(/better-auth\.state=[^;]+; Max-Age=600/);
    const { searchParams } = new URL(asked.body.url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      login_hint: "ada",
      redirect_uri: `${server.url}/api/auth/callback/acme`,
    });
    expect(searchParams.get("scope")?.split(" ").sort()).toEqual(["email", "openid", "profile"]);
    expect(searchParams.get("state")).toHaveLength(32);
    expect(searchParams.get("nonce")).toHaveLength(32);
    const [state] = await server.database.read.selectFrom("verification").selectAll().execute();
    expect(JSON.parse(state.value).codeVerifier).toHaveLength(128);
    expect(new Date(state.expiresAt).getTime() - askedAtMs).toBeCloseTo(600_000, -4);

    const callback = await throughProvider(asked.body.url);
    const first = await browser.get(callback);
    expect([first.status, first.headers.get("location")]).toEqual([302, "/welcome"]);
    const { user } = (await browser.get("/get-session")).body;
    expect(user).toMatchObject({ email: "ada@example.com", name: "Ada", emailVerified: true });
    expect(server.created).toEqual([user.id]);
    expect(await server.database.read.selectFrom("verification").select("id").execute()).toEqual(
      [],
    );

    const again = server.browser();
    expect(await signIn(again, { newUserCallbackURL: "/welcome" })).toBe("/dashboard");
    expect((await again.get("/get-session")).body.user.id).toBe(user.id);
  });

  test("a sign-in or link that names no callback address is refused", async () => {
    const { server } = await federate(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    for (const path of ["/sign-in/social", "/link-social"]) {
      for (const more of [{}, { callbackURL: "" }]) {
        const asked = await browser.post(path, { provider: "acme", ...more });
        expect([path, asked.status, asked.body.message]).toEqual([
          path,
          400,
          "callbackURL is required",
        ]);
      }
    }
  });

  test("a callback is good once, in the browser that began it, and at a provider that is there", async () => {
    const { server } = await federate(await openDatabase());
    const [browser, eve] = [server.browser(), server.browser()];
    const callback = await callbackOf(browser);
    const restart = /\/login\?error=please_restart_the_process$/;
    expect((await eve.get(callback)).headers.get("location")).toMatch(restart);
    expect((await eve.get("/get-session")).body).toBeNull();
    expect((await browser.get(callback)).headers.get("location")).toBe("/dashboard");
    const replayed = await browser.get(callback);
    expect(replayed.headers.get("location")).toBe(
      `${server.url}/api/auth/error?error=please_restart_the_process`,
    );
    const foreign = (await callbackOf(browser)).replace("/callback/acme", "/callback/github");
    expect((await browser.get(foreign)).headers.get("location")).toBe(
      "/login?error=oauth_provider_not_found",
    );
  });

  test("what fails on the way back ends on the error address with its code", async () => {
    const database = await openDatabase();
    const { server, provider } = await federate(database);
    const browser = server.browser();
    const codeless = new URL(await callbackOf(browser));
    codeless.searchParams.delete("code");
    expect((await browser.get(codeless.href)).headers.get("location")).toBe("/login?error=no_code");

    const wrong = new URL(await callbackOf(browser));
    wrong.searchParams.set("code", "invented");
    expect((await browser.get(wrong.href)).headers.get("location")).toBe(
      "/login?error=invalid_code",
    );

    provider.users.set("unknown", { name: "No address" });
    provider.subject = "unknown";
    expect(await signIn(browser)).toBe("/login?error=email_not_found");

    provider.subject = "ada";
    const late = await callbackOf(browser);
    const [row] = await database.read.selectFrom("verification").selectAll().execute();
    await database.write
      .updateTable("verification")
      .set({ value: JSON.stringify({ ...JSON.parse(row.value), expiresAt: Date.now() - 1 }) })
      .where("id", "=", row.id)
      .execute();
    expect((await browser.get(late)).headers.get("location")).toBe(
      "/login?error=please_restart_the_process",
    );

    provider.refuses = true;
    const refused = new URL(await signIn(server.browser()), server.url);
    expect(refused.searchParams.get("error")).toBe("access_denied");
    expect(await database.read.selectFrom("user").select("id").execute()).toEqual([]);
  });

  test("a provider or a database that fails in between ends on an error address too", async () => {
    const database = await openDatabase();
    const { server, provider } = await federate(database);
    const browser = server.browser();
    const callback = await callbackOf(browser);
    provider.down = true;
    expect((await browser.get(callback)).headers.get("location")).toBe("/login?error=invalid_code");
    provider.down = false;
    const next = await callbackOf(browser);
    await database.close();
    expect((await browser.get(next)).headers.get("location")).toBe(
      `${server.url}/api/auth/error?error=internal_server_error`,
    );
  });

  test("a posted callback is followed like one that is opened", async () => {
    const { server } = await federate(await openDatabase());
    const browser = server.browser();
    const callback = new URL(await callbackOf(browser));
    const posted = await browser.post("/callback/acme", Object.fromEntries(callback.searchParams));
    expect(posted.status).toBe(302);
    const followed = await browser.get(posted.headers.get("location") ?? "");
    expect(followed.headers.get("location")).toBe("/dashboard");
  });

  test("no one takes over an account by claiming its address at a provider", async () => {
    const { server, provider } = await federate(await openDatabase());
    const owner = server.browser();
    await owner.signUp("ada@example.com");
    // Neither unverified there nor unverified here.
    expect(await signIn(server.browser())).toBe("/login?error=account_not_linked");
    provider.users.set("ada", { email: "ada@example.com", email_verified: false });
    await owner.get(await server.mailLink("ada@example.com", /confirm your email/i));
    expect(await signIn(server.browser())).toBe("/login?error=account_not_linked");
    provider.users.set("ada", { email: "ada@example.com", email_verified: true });
    const browser = server.browser();
    expect(await signIn(browser)).toBe("/dashboard");
    expect((await browser.get("/list-accounts")).body).toHaveLength(2);
  });

  test("an account is linked and unlinked, with the same address only and by one user only", async () => {
    const { server, provider } = await federate(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const link = async (by: TestBrowser) =>
      (await by.get(await callbackOf(by, {}, "/link-social"))).headers.get("location");
    provider.users.set("other", { email: "other@example.com", email_verified: true });
    provider.subject = "other";
    expect(await link(browser)).toBe("/login?error=email_doesn%27t_match");
    provider.users.set("unsure", { email: "ada@example.com", email_verified: false });
    provider.subject = "unsure";
    expect(await link(browser)).toBe("/login?error=unable_to_link_account");
    provider.subject = "ada";
    expect(await link(browser)).toBe("/dashboard");

    const eve = server.browser();
    await eve.signUp("eve@example.com");
    provider.users.set("ada", { email: "eve@example.com", email_verified: true });
    expect(await link(eve)).toBe("/login?error=account_already_linked_to_different_user");

    const listed = (await browser.get("/list-accounts")).body as Record<string, unknown>[];
    expect(listed.find((each) => each.providerId === "acme")).toMatchObject({ accountId: "ada" });
    const body = { providerId: "acme", accountId: "ada" };
    expect((await browser.post("/unlink-account", body)).body).toEqual({ status: true });
    expect((await browser.get("/list-accounts")).body).toHaveLength(1);
    expect((await server.browser().post("/link-social", ASK)).status).toBe(401);
  });

  test("tokens rest encrypted, and are refreshed when they end within five seconds", async () => {
    const database = await openDatabase();
    const { server, provider } = await federate(database);
    const browser = server.browser();
    await signIn(browser);
    const get = () => browser.post("/get-access-token", { providerId: "acme", accountId: "ada" });
    const first = (await get()).body;
    expect(first.accessToken.length).toBeGreaterThan(20);
    expect(first.scopes.toSorted()).toEqual(["email", "openid", "profile"]);
    expect((await get()).body.accessToken).toBe(first.accessToken);
    const stored = async () =>
      database.read.selectFrom("account").selectAll().executeTakeFirstOrThrow();
    const { accessToken, refreshToken, scope } = await stored();
    expect([accessToken, refreshToken].join()).not.toContain(first.accessToken);
    // A nonce of 24 bytes and a tag of 16, in hex, around the token itself.
    expect(accessToken).toHaveLength((24 + 16 + first.accessToken.length) * 2);
    expect(scope?.split(",").toSorted()).toEqual(["email", "openid", "profile"]);

    const endsInMs = async (ms: number) => {
      const time = new Date(Date.now() + ms);
      await database.write
        .updateTable("account")
        .set({ accessTokenExpiresAt: database.dialect === "sqlite" ? time.toISOString() : time })
        .execute();
    };
    await endsInMs(20_000);
    expect((await get()).body.accessToken).toBe(first.accessToken);
    await endsInMs(4_000);
    const refreshed = (await get()).body;
    expect(refreshed.accessToken).not.toBe(first.accessToken);
    expect((await get()).body.accessToken).toBe(refreshed.accessToken);

    const asked = await browser.post("/refresh-token", { providerId: "acme" });
    expect(asked.status).toBe(200);
    expect(asked.body.accessToken).not.toBe(refreshed.accessToken);
    const info = await browser.post("/account-info", { accountId: "ada" });
    expect(info.body).toMatchObject({ user: { email: "ada@example.com" } });

    provider.down = true;
    await endsInMs(1_000);
    const failed = await get();
    expect([failed.status, failed.body.message]).toEqual([
      400,
      "Failed to get a valid access token",
    ]);
    const refusal = await browser.post("/refresh-token", { providerId: "acme" });
    expect([refusal.status, refusal.body.message]).toEqual([400, "Failed to refresh access token"]);
  });

  test("sign-up through a provider can be off, or only on request", async () => {
    const implicit = await federate(await openDatabase(), {}, { disableImplicitSignUp: true });
    expect(await signIn(implicit.server.browser())).toBe("/login?error=signup_disabled");
    expect(await signIn(implicit.server.browser(), { requestSignUp: true })).toBe("/dashboard");
    const off = await federate(await openDatabase(), {}, { disableSignUp: true });
    expect(await signIn(off.server.browser(), { requestSignUp: true })).toBe(
      "/login?error=signup_disabled",
    );
  });

  test("if a verified address is required, a provider that has none signs no one in", async () => {
    const { server, provider } = await federate(await openDatabase(), {
      REQUIRE_EMAIL_VERIFICATION: "on",
    });
    provider.users.set("ada", { email: "ada@example.com", email_verified: false });
    const browser = server.browser();
    expect(await signIn(browser)).toBe("/login?error=email_not_verified");
    expect((await browser.get("/get-session")).body).toBeNull();
    await browser.get(await server.mailLink("ada@example.com", /confirm your email/i));
    expect(await signIn(browser)).toBe("/dashboard");
  });

  test("no address of a sign-in leads to another site", async () => {
    const { server } = await federate(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const foreign = [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "/%5cevil.example",
    ];
    for (const url of foreign) {
      for (const field of ["callbackURL", "newUserCallbackURL", "errorCallbackURL"]) {
        const answer = await browser.post("/sign-in/social", { ...ASK, [field]: url });
        expect([url, field, answer.status]).toEqual([url, field, 403]);
      }
      for (const field of ["callbackURL", "errorCallbackURL"]) {
        const answer = await browser.post("/link-social", { ...ASK, [field]: url });
        expect([url, field, answer.status]).toEqual([url, field, 403]);
      }
    }
  });

  test("a provider that is down is found again when it is back", async () => {
    const { server, provider } = await federate(await openDatabase());
    provider.down = true;
    const user = server.browser();
    await user.signUp("ada@example.com");
    const refusalOf = async (browser: TestBrowser, path: string) => {
      const { status, body, headers } = await browser.post(path, ASK);
      return [status, body.code, headers.get("retry-after")];
    };
    const unavailable = [503, "PROVIDER_UNAVAILABLE", "30"];
    // Whether it can be reached is not for a visitor, who may link nothing.
    expect(await refusalOf(server.browser(), "/link-social")).toEqual([401, "UNAUTHORIZED", null]);
    expect(await refusalOf(server.browser(), "/sign-in/social")).toEqual(unavailable);
    expect(await refusalOf(user, "/link-social")).toEqual(unavailable);
    provider.down = false;
    const asked = provider.asked.length;
    expect(await refusalOf(server.browser(), "/sign-in/social")).toEqual(unavailable);
    // Not asked again within half a minute.
    expect(provider.asked).toHaveLength(asked);
    const later = performance.now() + 31_000;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => later);
    try {
      expect((await server.browser().post("/sign-in/social", ASK)).status).toBe(200);
    } finally {
      clock.mockRestore();
    }
  });

  test("the sign-in page learns which providers there are, and no secret", async () => {
    const { server } = await federate(await openDatabase(), {
      SIGN_IN_PROVIDERS: JSON.stringify({
        github: { clientId: "a", clientSecret: "github-secret" },
        acme: {
          name: "Acme",
          discoveryUrl: "http://127.0.0.1:1/none",
          clientId: "b",
          clientSecret: "acme-secret",
        },
      }),
    });
    const answer = await server.browser().get("/sign-in-providers");
    expect(answer.body).toEqual([
      { id: "github", name: "GitHub" },
      { id: "acme", name: "Acme" },
    ]);
    const bare = await startAccounts(server.database);
    expect((await bare.browser().get("/sign-in-providers")).body).toEqual([]);
  });

  test("an identity token signs in, with keys that are fetched once and verified", async () => {
    const { privateKey, publicKey } = await generateKeyPair("RS256");
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "RS256" }] };
    const fetched: (AbortSignal | null | undefined)[] = [];
    const timeouts = vi.spyOn(AbortSignal, "timeout");
    const spy = standIn((url, init) => {
      if (!url.startsWith("https://www.googleapis.com/oauth2/v3/certs")) return null;
      fetched.push(init?.signal);
      return keys;
    });
    try {
      const server = await startAccounts(await openDatabase(), {
        SIGN_IN_PROVIDERS: JSON.stringify({
          google: { clientId: "exchange", clientSecret: "secret" },
          github: { clientId: "a", clientSecret: "secret" },
        }),
      });
      const token = (more: Record<string, unknown> = {}, issuedSecondsAgo = 0, keyId = "one") => {
        const issuedAt = Math.floor(Date.now() / 1000) - issuedSecondsAgo;
        return new SignJWT({
          sub: "1",
          email: "ada@example.com",
          email_verified: true,
          name: "Ada",
          nonce: "n",
          ...more,
        })
          .setProtectedHeader({ alg: "RS256", kid: keyId })
          .setIssuer("https://accounts.google.com")
          .setAudience("exchange")
          .setIssuedAt(issuedAt)
          .setExpirationTime(issuedAt + 86_400)
          .sign(privateKey);
      };
      const send = async (value: string, provider = "google") =>
        server.browser().post("/sign-in/social", {
          provider,
          idToken: { token: value, nonce: "n" },
          callbackURL: "/",
        });
      const good = await send(await token());
      expect(good.body).toMatchObject({ redirect: false, user: { email: "ada@example.com" } });
      expect(good.body.token).toHaveLength(32);
      for (const [value, code] of [
        [await token({ nonce: "another" }), "INVALID_TOKEN"],
        [await token({}, 3601), "INVALID_TOKEN"],
        [`${(await token()).slice(0, -8)}AAAAAAAA`, "INVALID_TOKEN"],
        [await token({ email: undefined }), "USER_EMAIL_NOT_FOUND"],
      ]) {
        const refused = await send(value);
        expect([refused.status, refused.body.code]).toEqual([401, code]);
      }
      const unsupported = await send(await token(), "github");
      expect([unsupported.status, unsupported.body.code]).toEqual([404, "ID_TOKEN_NOT_SUPPORTED"]);
      expect(fetched).toHaveLength(1);
      expect(fetched[0]).toBeInstanceOf(AbortSignal);
      expect(timeouts).toHaveBeenCalledExactlyOnceWith(5_000);

      const startedAtMs = Date.now();
      vi.useFakeTimers({ toFake: ["Date"] });
      const fetchedAfter = async (ms: number, keyId: string) => {
        vi.setSystemTime(startedAtMs + ms);
        await send(await token({}, 0, keyId));
        return fetched.length;
      };
      // Invented keys make no request within 30 s, and what is kept is kept for 10 minutes.
      expect(await fetchedAfter(20_000, "invented")).toBe(1);
      expect(await fetchedAfter(31_000, "invented")).toBe(2);
      expect(await fetchedAfter(31_000 + 590_000, "one")).toBe(2);
      expect(await fetchedAfter(31_000 + 601_000, "one")).toBe(3);
    } finally {
      vi.useRealTimers();
      timeouts.mockRestore();
      spy.mockRestore();
    }
  });

  test("an identity token without a subject signs no one in", async () => {
    const { privateKey, publicKey } = await generateKeyPair("RS256");
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: "one", alg: "RS256" }] };
    const keySet = "https://login.example/common/discovery/v2.0/keys";
    const spy = standIn((url) => (url === keySet ? keys : {}));
    try {
      const server = await startAccounts(await openDatabase(), {
        SIGN_IN_PROVIDERS: JSON.stringify({
          microsoft: { clientId: "exchange", authority: "https://login.example/" },
        }),
      });
      const send = async (claims: Record<string, unknown>) => {
        const token = await new SignJWT({ sub: "s", tid: "t", email: "ada@example.com", ...claims })
          .setProtectedHeader({ alg: "RS256", kid: "one" })
          .setIssuer("https://login.example/t/v2.0")
          .setAudience("exchange")
          .setIssuedAt()
          .setExpirationTime("10m")
          .sign(privateKey);
        return server
          .browser()
          .post("/sign-in/social", { provider: "microsoft", callbackURL: "/", idToken: { token } });
      };
      const nameless = await send({});
      expect([nameless.status, nameless.body.code]).toEqual([401, "FAILED_TO_GET_USER_INFO"]);
      const otherTenant = await send({ oid: "1", tid: "other" });
      expect([otherTenant.status, otherTenant.body.code]).toEqual([401, "INVALID_TOKEN"]);
      expect((await send({ oid: "1" })).body.user.email).toBe("ada@example.com");
    } finally {
      spy.mockRestore();
    }
  });

  test("every built-in provider sends people to its own address, with state and our callback", async () => {
    const special: Record<string, object> = {
      cognito: { domain: "x.auth.example.com", region: "eu-1", userPoolId: "eu-1_a" },
      tiktok: { clientKey: "key" },
    };
    const settings = Object.fromEntries(
      BUILT_IN.map((id) => [
        id,
        { ...(id !== "tiktok" && { clientId: "ours" }), clientSecret: "secret", ...special[id] },
      ]),
    );
    const server = await startAccounts(await openDatabase(), {
      SIGN_IN_PROVIDERS: JSON.stringify(settings),
    });
    const listed = (await server.browser().get("/sign-in-providers")).body as { id: string }[];
    expect(listed.map(({ id }) => id).toSorted()).toEqual(BUILT_IN);
    for (const provider of BUILT_IN) {
      const asked = await server
        .browser()
        .post("/sign-in/social", { ...ASK, provider, disableRedirect: true });
      expect([provider, asked.status, asked.body?.redirect]).toEqual([provider, 200, false]);
      const url = new URL(asked.body.url);
      expect([provider, url.protocol, url.searchParams.get("redirect_uri")]).toEqual([
        provider,
        "https:",
        `${server.url}/api/auth/callback/${provider}`,
      ]);
      expect(url.searchParams.get("state"), provider).toHaveLength(32);
      expect(asked.text).not.toContain('"secret"');
    }
  });

  test("built-in providers sign people in", async () => {
    const identityToken = (claims: object) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: "HS256" }).sign(new Uint8Array(32));
    const microsoft = await identityToken({
      oid: "4",
      email: "microsoft@example.com",
      email_verified: true,
      name: "M",
    });
    const answers: Record<string, unknown> = {
      "https://github.com/login/oauth/access_token": { access_token: "t", scope: "user:email" },
      "https://api.github.com/user/emails": [
        { email: "github@example.com", primary: true, verified: true },
      ],
      "https://api.github.com/user": { id: 1, login: "g", name: "G", email: null },
      "https://discord.com/api/oauth2/token": { access_token: "t" },
      "https://discord.com/api/users/": {
        id: "2",
        username: "d",
        discriminator: "0",
        avatar: null,
        email: "discord@example.com",
        verified: true,
      },
      "https://gitlab.example/oauth/token": { access_token: "t" },
      "https://gitlab.example/api/v4/user": {
        id: 3,
        name: "L",
        state: "active",
        locked: false,
        email: "gitlab@example.com",
        confirmed_at: "2026-01-01",
      },
      "https://login.example/common/oauth2/v2.0/token": { access_token: "t", id_token: microsoft },
      "https://graph.microsoft.com/": {},
    };
    const asked: string[] = [];
    const spy = standIn((url) => {
      asked.push(decodeURIComponent(url));
      const found = Object.keys(answers).find((address) => url.startsWith(address));
      if (found === undefined) throw new TypeError("fetch failed");
      return answers[found];
    });
    try {
      const key = { clientId: "ours", clientSecret: "secret" };
      const server = await startAccounts(await openDatabase(), {
        SIGN_IN_PROVIDERS: JSON.stringify({
          github: key,
          discord: key,
          gitlab: { ...key, issuer: "https://gitlab.example" },
          microsoft: { ...key, authority: "https://login.example" },
        }),
      });
      for (const provider of ["github", "discord", "gitlab", "microsoft"]) {
        const browser = server.browser();
        const begun = await browser.post("/sign-in/social", { ...ASK, provider });
        const state = new URL(begun.body.url).searchParams.get("state");
        const ended = await browser.get(`/callback/${provider}?code=c&state=${state}`);
        expect([provider, ended.headers.get("location"), ended.text]).toEqual([
          provider,
          "/dashboard",
          "",
        ]);
        const { user } = (await browser.get("/get-session")).body;
        expect(user.email).toBe(`${provider}@example.com`);
      }
      delete answers["https://api.github.com/user"];
      const browser = server.browser();
      const begun = await browser.post("/sign-in/social", { ...ASK, provider: "github" });
      const state = new URL(begun.body.url).searchParams.get("state");
      const ended = await browser.get(`/callback/github?code=c&state=${state}`);
      expect(ended.headers.get("location")).toBe("/login?error=unable_to_get_user_info");
      // The default size of a photo and the default tenant.
      expect(asked).toContain("https://graph.microsoft.com/v1.0/me/photos/48x48/$value");
    } finally {
      spy.mockRestore();
    }
  });
});

const BUILT_IN = (
  "apple atlassian cloudflare cognito discord dropbox facebook figma github gitlab google " +
  "huggingface kakao kick line linear linkedin microsoft naver notion paybin paypal polar railway " +
  "reddit roblox salesforce slack spotify tiktok twitch twitter vercel vk wechat zoom"
).split(" ");

/** Answers instead of other sites; null lets a request to this machine through. */
function standIn(answer: (url: string, init?: RequestInit) => unknown) {
  const real = globalThis.fetch;
  return vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    const body = url.startsWith("http://127.0.0.1:") ? null : answer(url, init);
    return body === null ? real(input, init) : Promise.resolve(Response.json(body));
  });
}

test("what is wrong with a provider's settings is told at the start, without its secret", () => {
  const cases: [unknown, RegExp][] = [
    ["github", /must be a JSON object/],
    [{ nowhere: { clientId: "a", clientSecret: "s3cret" } }, /nowhere: no such provider/],
    [{ github: { clientId: "a" } }, /github\.clientSecret: missing/],
    [{ github: { clientId: "a", clientSecret: "s3cret", clientsecret: "s3cret" } }, /clientsecret/],
    [{ cognito: { clientId: "a" } }, /cognito\.domain: missing/],
    [{ tiktok: { clientSecret: "s3cret" } }, /tiktok\.clientKey: missing/],
    [{ acme: { discoveryUrl: "ftp://x", clientId: "a", name: "Acme" } }, /acme\.discoveryUrl/],
    [
      { google: { discoveryUrl: "https://x.example", clientId: "a", name: "G" } },
      /google: an OpenID provider needs a name of its own/,
    ],
  ];
  for (const [given, message] of cases) {
    const read = () =>
      readConfig({ SIGN_IN_PROVIDERS: typeof given === "string" ? given : JSON.stringify(given) });
    expect(read).toThrow(message);
    expect(read).toThrow(/^(?!.*s3cret)/s);
  }
});

import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { getMigrations } from "better-auth/db/migration";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { createAuth } from "#server/accounts/auth.ts";
import { createBackendTokenVerifier } from "#server/accounts/sessions/backend-token.ts";
import { createLiveSessions } from "#server/accounts/sessions/live-sessions.ts";
import { createPasswordHashing } from "#server/accounts/passwords/password-hashing.ts";
import { readConfig } from "#server/settings/config.ts";
import { createSilentLog } from "#server/log.ts";
import { scan } from "#test/support/authenticator-app.ts";
import { startAccounts, TEST_SECRET, type TestServer } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

describeShareOfDatabases("accounts under attack and load", (openDatabase) => {
  test("the library misses no table, column or index", async () => {
    const database = await openDatabase();
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
      mailer: { send: () => undefined, close: () => Promise.resolve() },
      events: {
        userCreated: () => Promise.resolve(),
        userUpdated: () => Promise.resolve(),
        userDeleting: () => Promise.resolve(),
        userDeleted: () => Promise.resolve(),
        signInMethodsRemoved: async () => undefined,
        sessionUpdated: () => undefined,
        sessionDeleted: () => Promise.resolve(),
      },
    });
    const missing = await getMigrations(options);
    expect(missing.toBeCreated).toEqual([]);
    expect(missing.toBeAdded).toEqual([]);
    expect((await missing.compileMigrations()).replaceAll(/[;\s]/g, "")).toBe("");
    const indexes = await sql<{ name: string }>`${
      database.dialect === "sqlite"
        ? sql`select name from sqlite_master where type = 'index'`
        : sql`select indexname as name from pg_indexes where schemaname = current_schema()`
    }`.execute(database.read);
    expect(indexes.rows.map((row) => row.name)).toEqual(
      expect.arrayContaining([
        "session_userId_idx",
        "account_userId_idx",
        "verification_identifier_idx",
        "account_provider_unique",
      ]),
    );
  });

  test("a request from a foreign page, or from none that says so, is refused", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const cookie = browser.cookieHeader();
    for (const origin of ["https://evil.example", "null", `${server.url}.evil.example`, ""]) {
      const answer = await browser.post("/sign-out", {}, { cookie, origin });
      expect([origin, answer.status]).toEqual([origin, 403]);
    }
    const signIn = await server
      .browser()
      .post(
        "/sign-in/email",
        { email: "ada@example.com", password: "x" },
        { origin: "https://evil.example" },
      );
    expect([signIn.status, signIn.body.code]).toEqual([403, "INVALID_ORIGIN"]);
    const form = await fetch(`${server.url}/api/auth/sign-out`, {
      method: "POST",
      headers: { cookie, "content-type": "text/plain", origin: server.url },
      body: "{}",
    });
    expect(form.status).toBe(415);
    expect((await browser.get("/get-session")).body).not.toBeNull();
    // The same machine under its other name is the same server in development.
    const other = server.url.replace("127.0.0.1", "localhost");
    expect((await browser.post("/sign-out", {}, { origin: other })).status).toBe(200);
  });

  test("no field leads to another site", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const email = "ada@example.com";
    const foreign = [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "/%5cevil.example",
      "\\\\evil.example",
      "javascript:alert(1)",
      `${server.url}@evil.example`,
      "/%2f/evil.example",
      "/%2F%2Fevil.example",
    ];
    for (const url of foreign) {
      const encoded = encodeURIComponent(url);
      const answers = {
        signIn: await browser.post("/sign-in/email", { email, password: "x", callbackURL: url }),
        reset: await browser.post("/request-password-reset", { email, redirectTo: url }),
        verification: await browser.post("/send-verification-email", { email, callbackURL: url }),
        changeEmail: await browser.post("/change-email", {
          newEmail: "b@example.com",
          callbackURL: url,
        }),
        deletion: await browser.post("/delete-user", { callbackURL: url }),
        followReset: await browser.get(`/reset-password/token?callbackURL=${encoded}`),
        followVerification: await browser.get(`/verify-email?token=x&callbackURL=${encoded}`),
        followDeletion: await browser.get(`/delete-user/callback?token=x&callbackURL=${encoded}`),
      };
      for (const [name, answer] of Object.entries(answers)) {
        expect([url, name, answer.status]).toEqual([url, name, 403]);
        expect(answer.headers.get("location")).toBeNull();
      }
    }
  });

  test("a forged X-Forwarded-For escapes no limit", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 24; attempt += 1) {
      const address = `203.0.113.${attempt}`;
      const answer = await server.browser().post(
        "/sign-in/email",
        {},
        {
          "x-forwarded-for": address,
          "x-real-ip": address,
          "x-openbell-client-address": address,
          "cf-connecting-ip": address,
          forwarded: `for=${address}`,
        },
      );
      statuses.push(answer.status);
    }
    expect(statuses.slice(0, 20)).not.toContain(429);
    expect(statuses.slice(20)).toEqual([429, 429, 429, 429]);
    server.clientAddress = "198.51.100.7";
    expect((await server.browser().post("/sign-in/email", {})).status).toBe(400);
  });

  test("one account is not guessed from many addresses on several nodes, and a correct password resets the count", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database, { AUTH_RATE_LIMIT: "on" });
    const servers = [server, await startAccounts(database, { AUTH_RATE_LIMIT: "on" })];
    await server.browser().signUp("ada@example.com");
    await server.browser().signUp("bob@example.com");
    let machine = 0;
    const attempt = async (email: string, password: string) => {
      machine += 1;
      const node = servers[machine % servers.length];
      node.clientAddress = `198.51.100.${machine}`;
      return (await node.browser().signIn(email, password)).status;
    };
    for (let each = 0; each < 9; each += 1)
      expect(await attempt("ada@example.com", "wrong wrong")).toBe(401);
    expect(await attempt("ADA@example.com", "correct horse battery")).toBe(200);
    const all = await Promise.all(
      Array.from({ length: 12 }, () => attempt("ada@example.com", "wrong wrong")),
    );
    expect(all.filter((status) => status === 401)).toHaveLength(10);
    expect(all.filter((status) => status === 429)).toHaveLength(2);
    expect(await attempt("bob@example.com", "correct horse battery")).toBe(200);
    server.clientAddress = "198.51.100.200";
    const refused = await server.browser().signIn("ada@example.com", "wrong wrong");
    expect(Number(refused.headers.get("x-retry-after"))).toBeGreaterThan(0);
  });

  test.each(["/request-password-reset", "/send-verification-email"])(
    "no one fills another's mailbox by %s, or keeps its owner from asking",
    async (path) => {
      const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
      await server.browser().signUp("ada@example.com");
      const mails = async () =>
        (await server.database.read.selectFrom("outbox_mails").select("id").execute()).length;
      await expect.poll(mails).toBe(1);
      const ask = async (email: string, machine: number) => {
        server.clientAddress = `198.51.100.${machine}`;
        const { status, body } = await server.browser().post(path, { email });
        return [status, body];
      };
      const first = await ask("ada@example.com", 1);
      expect(first).toEqual([200, expect.objectContaining({ status: true })]);
      for (let each = 2; each <= 7; each += 1) {
        expect(await ask("ada@example.com", each)).toEqual(first);
        expect(await ask("unknown@example.com", each)).toEqual(first);
      }
      await expect.poll(mails).toBe(6);
    },
  );

  test("no one fills another's mailbox by signing in before the address is proven", async () => {
    const server = await startAccounts(await openDatabase(), {
      AUTH_RATE_LIMIT: "on",
      REQUIRE_EMAIL_VERIFICATION: "on",
    });
    await server.browser().signUp("ada@example.com");
    const signIn = async (machine: number) => {
      server.clientAddress = `198.51.100.${machine}`;
      const { status, body } = await server.browser().signIn("ada@example.com");
      return [status, body.code];
    };
    for (let each = 1; each <= 7; each += 1) {
      expect(await signIn(each)).toEqual([403, "EMAIL_NOT_VERIFIED"]);
    }
    await server.browser().signUp("eve@example.com");
    await expect.poll(() => mailsTo(server, "eve@example.com")).toBe(1);
    expect(await mailsTo(server, "ada@example.com")).toBe(6);
  });

  test("no one fills another's mailbox by changing an unproven address to it again and again", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    const browser = server.browser();
    await browser.signUp("eve@example.com");
    for (let each = 1; each <= 7; each += 1) {
      for (const newEmail of ["ada@example.com", `eve${each}@example.com`]) {
        server.clientAddress = `198.51.100.${each}`;
        expect((await browser.post("/change-email", { newEmail })).status).toBe(200);
      }
    }
    await expect.poll(() => mailsTo(server, "eve7@example.com")).toBe(1);
    expect(await mailsTo(server, "ada@example.com")).toBe(5);
  });

  test("no one uses up an owner's resets by asking for other mails to the address", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    await server.browser().signUp("ada@example.com");
    const ask = (path: string, machine: number) => {
      server.clientAddress = `198.51.100.${machine}`;
      return server.browser().post(path, { email: "ada@example.com" });
    };
    for (let each = 1; each <= 7; each += 1) await ask("/send-verification-email", each);
    await expect.poll(() => mailsTo(server, "ada@example.com")).toBe(6);
    await ask("/request-password-reset", 8);
    await expect.poll(() => mailsTo(server, "ada@example.com")).toBe(7);
  });

  test("no one fills another's mailbox by deleting an account with it, or by notices", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    const eve = server.browser();
    await eve.signUp("ada@example.com");
    for (let each = 1; each <= 7; each += 1) {
      server.clientAddress = `198.51.100.${each}`;
      expect((await eve.post("/delete-user", { callbackURL: "/" })).status).toBe(200);
    }
    await expect.poll(() => mailsTo(server, "ada@example.com")).toBe(6);
    const password = "correct horse battery";
    const switchOnAndOff = async (machine: number) => {
      server.clientAddress = `198.51.101.${machine}`;
      const enabled = await eve.post("/two-factor/enable", { password });
      await eve.post("/two-factor/verify-totp", { code: scan(enabled.body.totpURI).code() });
      expect((await eve.post("/two-factor/disable", { password })).status).toBe(200);
    };
    await switchOnAndOff(1);
    await expect.poll(() => mailsTo(server, "ada@example.com")).toBe(8);
    // As if 19 notices of each purpose had been sent.
    await server.database.write
      .updateTable("account_attempts")
      .set({ attempts: 19 })
      .where("key", "like", "noticeMail:%")
      .execute();
    await switchOnAndOff(2);
    await switchOnAndOff(3);
    await expect.poll(() => mailsTo(server, "ada@example.com")).toBe(10);
    // Of another change the owner is told nonetheless.
    const identity = await server.accounts.verifyBackendToken(await eve.backendToken());
    const change = { detail: "bot", notice: "withdrawalAddressAdded" } as const;
    await server.accounts.recordOwnChange(identity, "withdrawalAddressAdded", change);
    await expect.poll(() => mailsTo(server, "ada@example.com")).toBe(11);
  });

  test("who is signed in is told that no more mail is sent", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const statuses: number[] = [];
    for (let each = 1; each <= 6; each += 1) {
      server.clientAddress = `198.51.100.${each}`;
      const body = { email: "ada@example.com" };
      statuses.push((await browser.post("/send-verification-email", body)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test("a backend token is refused when expired, forged, or made for another audience", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const token = await browser.backendToken();
    const { subject, sessionId, issuedAtMs, expiresAtMs } =
      await server.accounts.verifyBackendToken(token);
    expect(expiresAtMs - issuedAtMs).toBe(300_000);
    const claims = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
    expect(Object.keys(claims).sort()).toEqual(["aud", "exp", "iat", "iss", "sid", "sub"]);

    const atMs = (nowMs: number) =>
      createBackendTokenVerifier({ database, issuer: server.url, now: () => nowMs });
    await expect(atMs(expiresAtMs - 1000)(token)).resolves.toMatchObject({ subject });
    await expect(atMs(expiresAtMs + 1000)(token)).rejects.toThrow("The backend token has expired.");

    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const time = database.dialect === "sqlite" ? new Date().toISOString() : new Date();
    await database.write
      .insertInto("jwks")
      .values({
        id: "known",
        publicKey: JSON.stringify(await exportJWK(publicKey)),
        privateKey: "",
        createdAt: time,
        expiresAt: null,
        alg: "ES256",
        crv: null,
      })
      .execute();
    const sign = (more: Record<string, unknown>, kid = "known") =>
      new SignJWT({
        sub: subject,
        sid: sessionId,
        iss: server.url,
        aud: "backend",
        iat: Math.floor(Date.now() / 1000),
        exp: Math.floor(Date.now() / 1000) + 60,
        ...more,
      })
        .setProtectedHeader({ alg: "ES256", kid })
        .sign(privateKey);
    const verify = createBackendTokenVerifier({ database, issuer: server.url });
    await expect(verify(await sign({}))).resolves.toMatchObject({ subject, sessionId });
    for (const wrong of [
      { aud: "another-audience" },
      { iss: "https://evil.example" },
      { sid: undefined },
      { sub: undefined },
      { exp: undefined },
      { sid: 5 },
      { nbf: Math.floor(Date.now() / 1000) + 60 },
    ]) {
      await expect(verify(await sign(wrong)), JSON.stringify(wrong)).rejects.toThrow(
        /backend token/,
      );
    }
    await expect(verify(await sign({}, "unknown"))).rejects.toThrow(/key is unknown/);
    const [header, payload, signature] = token.split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const bad of [
      "",
      "a.b.c",
      `${none}.${payload}.`,
      `${header}.${payload}.AAAA${signature.slice(4)}`,
    ]) {
      await expect(verify(bad)).rejects.toThrow(/backend token/);
    }
    const hmac = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", kid: "known" })
      .sign(new TextEncoder().encode(JSON.stringify(await exportJWK(publicKey))));
    await expect(verify(hmac)).rejects.toThrow(/backend token/);
    // Of another user's session, although everything is signed well.
    const other = server.browser();
    await other.signUp("eve@example.com");
    const stolen = await sign({ sid: await other.sessionId() });
    await expect(server.accounts.verifyBackendToken(stolen)).rejects.toThrow(/has ended/);
  });

  type Sessions = ReturnType<typeof createLiveSessions>;
  test.each([
    ["by the next check", ({ check }: Sessions) => check()],
    ["at once if it tells", (sessions: Sessions, user: string) => sessions.changedElsewhere(user)],
  ])("what another process revokes or changes is seen %s", async (_, look) => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const sessionId = await browser.sessionId();
    const { id: userId } = (await browser.get("/get-session")).body.user;
    const ended: string[] = [];
    const changed: string[] = [];
    const sessions = createLiveSessions({
      database,
      log: createSilentLog(),
      onSessionEnded: (id) => ended.push(id),
      onUserChanged: (id) => changed.push(id),
    });
    expect(sessions.isLive(sessionId)).toBe(false);
    expect(await sessions.admit(sessionId, "another")).toBeNull();
    expect(await sessions.admit(sessionId, userId)).toEqual({ impersonated: false });
    await look(sessions, userId);
    expect([sessions.isLive(sessionId), ended, changed]).toEqual([true, [], []]);

    await database.write
      .updateTable("user")
      .set({ role: "admin" })
      .where("id", "=", userId)
      .execute();
    await sessions.changedElsewhere("another");
    expect(sessions.profileOf(userId)?.role).toBe("user");
    await look(sessions, userId);
    expect(sessions.profileOf(userId)?.role).toBe("admin");
    expect(changed).toEqual([userId]);

    await database.write.deleteFrom("session").where("id", "=", sessionId).execute();
    expect(sessions.isLive(sessionId)).toBe(true);
    await look(sessions, userId);
    expect(sessions.isLive(sessionId)).toBe(false);
    await look(sessions, userId);
    expect(ended).toEqual([sessionId]);
    expect(await sessions.admit(sessionId, userId)).toBeNull();
    sessions.close();
  });

  test("a session that ends while its token is being verified does not live on", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const sessionId = await browser.sessionId();
    const { id: userId } = (await browser.get("/get-session")).body.user;
    const sessions = createLiveSessions({
      database,
      log: createSilentLog(),
      onSessionEnded: () => undefined,
      onUserChanged: () => undefined,
    });
    const admission = sessions.admit(sessionId, userId);
    sessions.sessionEnded(sessionId);
    expect(await admission).toBeNull();
    expect(sessions.isLive(sessionId)).toBe(false);
    sessions.close();
  });

  test("no session of a deleted user lives on, also one that is being verified", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const [browser, other] = [server.browser(), server.browser()];
    await browser.signUp("ada@example.com");
    await other.signIn("ada@example.com");
    const { id: userId } = (await browser.get("/get-session")).body.user;
    const [first, second] = [await browser.sessionId(), await other.sessionId()];
    const ended: string[] = [];
    const sessions = createLiveSessions({
      database,
      log: createSilentLog(),
      onSessionEnded: (id) => ended.push(id),
      onUserChanged: () => undefined,
    });
    await sessions.admit(first, userId);
    const admission = sessions.admit(second, userId);
    sessions.userDeleted(userId);
    expect(ended).toEqual([first]);
    expect(await admission).toBeNull();
    expect([sessions.isLive(first), sessions.isLive(second)]).toEqual([false, false]);
    sessions.close();
  });

  test("a session ends by itself when its time is over", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database, { SESSION_EXPIRY_DAYS: "1" });
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const sessionId = await browser.sessionId();
    const { id: userId } = (await browser.get("/get-session")).body.user;
    let nowMs = Date.now();
    const ended: string[] = [];
    const sessions = createLiveSessions({
      database,
      log: createSilentLog(),
      onSessionEnded: (id) => ended.push(id),
      onUserChanged: () => undefined,
      now: () => nowMs,
    });
    await sessions.admit(sessionId, userId);
    nowMs += 86_400_000 - 60_000;
    expect(sessions.isLive(sessionId)).toBe(true);
    nowMs += 120_000;
    expect(sessions.isLive(sessionId)).toBe(false);
    expect(ended).toEqual([sessionId]);
    sessions.close();
  });

  test("an admin looks through a user's eyes and changes nothing", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const [root, user] = [server.browser(), server.browser()];
    await root.signUp("root@example.com");
    await user.signUp("ada@example.com");
    const { subject, readOnly } = await server.accounts.verifyBackendToken(
      await user.backendToken(),
    );
    expect(readOnly).toBe(false);
    expect((await user.post("/admin/impersonate-user", { userId: subject })).status).toBe(403);
    expect((await root.post("/admin/impersonate-user", { userId: subject })).status).toBe(200);
    expect(await server.accounts.verifyBackendToken(await root.backendToken())).toMatchObject({
      subject,
      readOnly: true,
    });
    const changes: [string, object][] = [
      [
        "/change-password",
        { currentPassword: "correct horse battery", newPassword: "another one" },
      ],
      ["/change-email", { newEmail: "stolen@example.com" }],
      ["/delete-user", {}],
      ["/update-user", { name: "Eve" }],
      ["/revoke-sessions", {}],
      ["/unlink-account", { providerId: "credential" }],
      ["/link-social", { provider: "github" }],
    ];
    for (const [path, body] of changes) {
      const answer = await root.post(path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, "IMPERSONATED_SESSION"]);
    }
    for (const path of ["/one-time-token/generate", "/delete-user/callback?token=x"]) {
      expect([path, (await root.get(path)).status]).toEqual([path, 403]);
    }
    expect((await root.post("/admin/stop-impersonating", {})).status).toBe(200);
    expect((await root.get("/get-session")).body.user.email).toBe("root@example.com");
    expect((await user.get("/get-session")).body.user.name).toBe("Ada");
  });

  test("a link that changed an address cannot be opened again on its next owner", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    await browser.get(await server.mailLink("ada@example.com", /confirm your email/i));
    await browser.post("/change-email", {
      newEmail: "moved@example.com",
      callbackURL: "/settings",
    });
    const first = await server.mailLink("ada@example.com", /confirm the change/i);
    const other = server.browser();
    await other.signUp("bob@example.com");
    // Refused for another signed-in user, and still good for its owner.
    expect((await other.get(first)).headers.get("location")).toBe("/settings?error=unauthorized");
    expect((await browser.get(first)).headers.get("location")).toBe("/settings");
    const second = await server.mailLink("moved@example.com", /confirm your email/i);
    expect((await browser.get(second)).headers.get("location")).toBe("/settings");
    expect((await browser.get("/get-session")).body.user.email).toBe("moved@example.com");

    const next = server.browser();
    await next.signUp("ada@example.com");
    for (const link of [first, second]) {
      const replayed = await server.browser().get(link);
      expect(replayed.headers.get("location")).toBe("/settings?error=invalid_token");
      expect(replayed.headers.getSetCookie()).toEqual([]);
    }
    expect((await next.get("/get-session")).body.user.email).toBe("ada@example.com");
    // Nor later: each is remembered for as long as its token is good.
    const ends = [first, second].map((link) => {
      const { exp = 0 } = decodeJwt(new URL(link, "http://x").searchParams.get("token") ?? "");
      return exp * 1000;
    });
    const { rows } = await sql<{ expiresAt: string | Date }>`select "expiresAt" from verification
      where value = 'used'`.execute(server.database.read);
    const remembered = rows.map(({ expiresAt }) => new Date(expiresAt).getTime());
    expect(new Set(remembered)).toEqual(new Set(ends));
  });

  test("a session is read while another write transaction is open", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const token = await browser.backendToken();
    await database.write.transaction().execute(async (transaction) => {
      await transaction.updateTable("user").set({ name: "Changed" }).execute();
      expect((await browser.get("/get-session")).body.user.name).toBe("Ada");
      await server.accounts.verifyBackendToken(token);
    });
    expect((await browser.get("/get-session")).body.user.name).toBe("Changed");
  });

  test("the same address signs up once, however many try at the same moment", async () => {
    const server = await startAccounts(await openDatabase());
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => server.browser().signUp("ada@example.com")),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 422]).toContain(status);
    expect(await server.database.read.selectFrom("user").select("id").execute()).toHaveLength(1);
    expect(await server.database.read.selectFrom("account").select("id").execute()).toHaveLength(1);
    expect((await server.browser().signIn("ada@example.com")).status).toBe(200);
  });

  test("a failing database is an answer without details, and no stray line on the console", async () => {
    const database = await openDatabase();
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const server = await startAccounts(database);
    await database.close();
    const answer = await server.browser().signUp("ada@example.com");
    expect([answer.status, answer.body]).toEqual([
      503,
      {
        code: "SERVICE_UNAVAILABLE",
        message: "Accounts cannot be reached at the moment; try again shortly.",
      },
    ]);
    expect((await server.browser().get("/ok")).status).toBe(200);
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  test("bad bodies get an answer and the server lives on", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    const raw = async (body: string, type = "application/json") => {
      const response = await fetch(`${server.url}/api/auth/sign-in/email`, {
        method: "POST",
        headers: { "content-type": type },
        body,
      });
      return response.status;
    };
    expect(await raw("{")).toBe(400);
    expect(await raw("[]")).toBe(400);
    expect(await raw("null")).toBe(400);
    expect(await raw('{"email":{"a":1},"password":[]}')).toBe(400);
    expect(await raw('{"email":"ada@example.com","password":null,"__proto__":{"balance":1}}')).toBe(
      400,
    );
    expect(await raw("<a/>", "application/xml")).toBe(415);
    expect(await raw(JSON.stringify({ email: "a@b.co", password: "x".repeat(100_000) }))).toBe(413);
    expect(await raw(JSON.stringify({ email: "a@b.co", password: "x".repeat(10_000_000) }))).toBe(
      413,
    );
    const long = await browser.signUp("ada@example.com", { password: "x".repeat(129) });
    expect([long.status, long.body.code]).toEqual([400, "PASSWORD_TOO_LONG"]);
    const short = await browser.signUp("ada@example.com", { password: "1234567" });
    expect([short.status, short.body.code]).toEqual([400, "PASSWORD_TOO_SHORT"]);
    expect((await browser.get("/nothing-here")).status).toBe(404);
    expect((await browser.signUp("ada@example.com")).status).toBe(200);
  });
});

async function mailsTo({ database }: TestServer, recipient: string): Promise<number> {
  const mails = database.read.selectFrom("outbox_mails").select("id");
  return (await mails.where("recipient", "=", recipient).execute()).length;
}

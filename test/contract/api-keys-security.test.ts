import { createHmac } from "node:crypto";
import { ConvexHttpClient } from "convex/browser";
import type { FunctionArgs } from "convex/server";
import { ConvexError } from "convex/values";
import { expect, test, vi } from "vitest";
import type { CreatedApiKey } from "#contract/api-keys.ts";
import { functions } from "#contract/functions.ts";
import { storedTime } from "#server/database/accounts-tables.ts";
import { type AuthenticatorApp, scan } from "#test/support/authenticator-app.ts";
import { exchangeStarter, type TestExchange, type Trader, until } from "./accounts-exchange.ts";
import type { TestBrowser } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

const PASSWORD = "correct horse battery";
const KEY: FunctionArgs<typeof functions.apiKeys.create> = {
  name: "Bot",
  kind: "hmac",
  permissions: ["read", "trade"],
};

type Http = Pick<ConvexHttpClient, "action" | "mutation" | "query">;

/** Calls with the session that a browser has now. */
async function httpOf(url: string, browser: TestBrowser): Promise<Http> {
  const auth = await browser.backendToken();
  return new ConvexHttpClient(url, { skipConvexDeploymentUrlCheck: true, auth, logger: false });
}

async function refusedBy(call: Promise<unknown>): Promise<unknown> {
  const error = await call.then(() => null).catch((thrown: unknown) => thrown);
  return error instanceof ConvexError ? (error.data as { code: string }).code : error;
}

function keysOf({ database }: TestExchange) {
  return database.read.selectFrom("api_keys").selectAll().execute();
}

async function makeOld({ database }: TestExchange): Promise<void> {
  const old = storedTime(database, Date.now() - 25 * 3_600_000);
  await database.write.updateTable("session").set({ createdAt: old }).execute();
}

/** @returns the app, and the code that is used up by it */
async function enableSecondFactor(browser: TestBrowser): Promise<[AuthenticatorApp, string]> {
  const enabled = await browser.post("/two-factor/enable", { password: PASSWORD });
  const app = scan(enabled.body.totpURI);
  const code = app.code(-1);
  expect((await browser.post("/two-factor/verify-totp", { code })).status).toBe(200);
  return [app, code];
}

/** What the trading API answers to a program. */
async function ask(
  { url }: TestExchange,
  { key, secret }: CreatedApiKey,
  send: { readonly headers?: Record<string, string> } = {},
): Promise<{ readonly status: number; readonly body: { code?: number; msg?: string } }> {
  const payload = `timestamp=${Date.now()}`;
  const signature = createHmac("sha256", secret ?? "")
    .update(payload)
    .digest("hex");
  const path = "/sapi/v1/account/apiRestrictions";
  const answer = await fetch(`${url}${path}?${payload}&signature=${signature}`, {
    headers: { "x-mbx-apikey": key.apiKey, ...send.headers },
  });
  return { status: answer.status, body: (await answer.json()) as { code?: number } };
}

const REFUSED = {
  status: 401,
  body: { code: -2015, msg: "Invalid API-key, IP, or permissions for action." },
};

/** Each must take the keys with it. */
const ENDINGS: Readonly<Record<string, (exchange: TestExchange, trader: Trader) => Promise<void>>> =
  {
    async "is banned"(exchange, { userId }) {
      const root = exchange.browser();
      await root.signUp("root@example.com");
      expect((await root.post("/admin/ban-user", { userId })).status).toBe(200);
    },
    async "is deleted"(_exchange, { browser }) {
      expect((await browser.post("/delete-user", { password: PASSWORD })).status).toBe(200);
    },
    async "turns out not to own the address, whose owner resets the password"(exchange) {
      const owner = exchange.browser();
      await owner.post("/request-password-reset", { email: "ada@example.com" });
      const mail = () =>
        exchange.database.read
          .selectFrom("outbox_mails")
          .select("text")
          .where("subject", "like", "Reset%")
          .executeTakeFirst();
      await until(async () => (await mail()) !== undefined, "the mail");
      const token = /reset-password\/([^?\s]+)/.exec((await mail())?.text ?? "")?.[1];
      const reset = { token, newPassword: "an entirely new password" };
      expect((await owner.post("/reset-password", reset)).status).toBe(200);
    },
  };

describeShareOfDatabases("API keys of users", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  test("need a recent sign-in to be made or changed, but not to be revoked", async () => {
    const exchange = await start();
    const { browser, http } = await exchange.trader("ada@example.com");
    const { key } = await http.action(functions.apiKeys.create, KEY);
    await makeOld(exchange);
    const { keyId, permissions } = key;
    expect(await refusedBy(http.action(functions.apiKeys.create, KEY))).toBe("signInTooOld");
    const restrict = { keyId, permissions: [...permissions] };
    expect(await refusedBy(http.action(functions.apiKeys.restrict, restrict))).toBe("signInTooOld");
    expect(await keysOf(exchange)).toHaveLength(1);
    await http.mutation(functions.apiKeys.revoke, { keyId });
    expect(await keysOf(exchange)).toEqual([]);
    await browser.signIn("ada@example.com");
    await (await httpOf(exchange.url, browser)).action(functions.apiKeys.create, KEY);
  });

  test("need a code of the second factor, which works once", async () => {
    const exchange = await start({ AUTH_RATE_LIMIT: "on" });
    const { browser, userId } = await exchange.trader("ada@example.com");
    const [app, used] = await enableSecondFactor(browser);
    const http = await httpOf(exchange.url, browser);
    const create = (code?: string) =>
      http.action(functions.apiKeys.create, { ...KEY, ...(code !== undefined && { code }) });
    expect(await refusedBy(create())).toBe("codeNeeded");
    expect(await refusedBy(create(used))).toBe("wrongCode");
    expect(await keysOf(exchange)).toEqual([]);
    const code = app.code();
    const { key } = await create(code);
    const restrict = { keyId: key.keyId, permissions: ["read" as const], code };
    expect(await refusedBy(http.action(functions.apiKeys.restrict, restrict))).toBe("wrongCode");
    await http.action(functions.apiKeys.restrict, { ...restrict, code: app.code(1) });
    const failures = () =>
      exchange.database.read
        .selectFrom("security_events")
        .select("kind")
        .where("user_id", "=", userId)
        .where("kind", "=", "secondFactorFailed")
        .execute();
    await until(async () => (await failures()).length === 2, "the record");
    const answers = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      answers.push(await refusedBy(create(code)));
    }
    expect(answers.at(0)).toBe("wrongCode");
    expect(answers.at(-1)).toBe("tooManyCodes");
    expect(await keysOf(exchange)).toHaveLength(1);
  });

  test("are on record with place and device, and mailed; no log, mail or page has the secret", async () => {
    const exchange = await start();
    const { http, userId } = await exchange.trader("ada@example.com");
    const { key, secret } = await http.action(functions.apiKeys.create, KEY);
    const { keyId } = key;
    await http.mutation(functions.apiKeys.rename, { keyId, name: "Other" });
    await http.action(functions.apiKeys.restrict, { keyId, permissions: ["read"] });
    await http.mutation(functions.apiKeys.revoke, { keyId });
    const events = () =>
      exchange.database.read
        .selectFrom("security_events")
        .selectAll()
        .where("user_id", "=", userId)
        .where("kind", "like", "apiKey%")
        .orderBy("id")
        .execute();
    await until(async () => (await events()).length === 4, "the record");
    expect((await events()).map(({ kind, detail }) => [kind, detail])).toEqual([
      ["apiKeyCreated", "Bot (read, trade)"],
      ["apiKeyRenamed", "Other"],
      ["apiKeyChanged", "Other (read)"],
      ["apiKeyRevoked", "Other"],
    ]);
    for (const { address } of await events()) expect(address).toBe("127.0.0.1");
    const mails = () => exchange.database.read.selectFrom("outbox_mails").selectAll().execute();
    const wanted = ["An API key was made", "An API key of your"];
    await until(async () => {
      const subjects = (await mails()).map(({ subject }) => subject);
      return wanted.every((start) => subjects.some((subject) => subject.startsWith(start)));
    }, "the mails");
    const page = JSON.stringify(await http.action(functions.activity.page, { limit: 50 }));
    expect(page).toContain("API key made: Bot (read, trade)");
    const texts = [exchange.logged(), page, JSON.stringify([await mails(), await events()])];
    for (const text of texts) expect(text).not.toContain(secret);
  });

  test("are neither made nor changed by an administrator who views as their owner", async () => {
    const exchange = await start();
    const { http, userId } = await exchange.trader("ada@example.com");
    const { key } = await http.action(functions.apiKeys.create, KEY);
    const root = exchange.browser();
    await root.signUp("root@example.com");
    await root.post("/admin/impersonate-user", { userId });
    const viewing = await httpOf(exchange.url, root);
    expect(await refusedBy(viewing.action(functions.apiKeys.create, KEY))).toBe("forbidden");
    const { keyId } = key;
    expect(await refusedBy(viewing.mutation(functions.apiKeys.revoke, { keyId }))).toBe(
      "forbidden",
    );
    expect(await keysOf(exchange)).toHaveLength(1);
  });

  test("are refused once they are revoked, and from other addresses than theirs", async () => {
    const exchange = await start({ TRUSTED_PROXIES: "1" });
    const { http } = await exchange.trader("ada@example.com");
    const addressRanges = ["203.0.113.0/24"];
    const created = await http.action(functions.apiKeys.create, { ...KEY, addressRanges });
    const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
    expect(await ask(exchange, created, from("203.0.113.7"))).toMatchObject({ status: 200 });
    expect(await ask(exchange, created, from("203.0.114.7"))).toEqual(REFUSED);
    await http.mutation(functions.apiKeys.revoke, { keyId: created.key.keyId });
    expect(await ask(exchange, created, from("203.0.113.7"))).toEqual(REFUSED);
  });

  test("are refused with the reason after a change of the server's secret, which the owner sees", async () => {
    const exchange = await start();
    const { http } = await exchange.trader("ada@example.com");
    const created = await http.action(functions.apiKeys.create, KEY);
    await exchange.stop();
    const later = await start(
      { AUTH_SECRET: "another-secret-that-is-long-enough-0123456789" },
      exchange,
    );
    const { body, status } = await ask(later, created);
    expect([status, body.code]).toEqual([401, -2015]);
    expect(body.msg).toContain("The server's secret has changed since the API key was made");
    const browser = later.browser();
    await browser.signIn("ada@example.com");
    const again = await httpOf(later.url, browser);
    const list = () => again.query(functions.apiKeys.list, {});
    await until(async () => (await list()) !== null, "the list");
    expect(await list()).toMatchObject({ keys: [{ name: "Bot", readable: false }] });
    expect(later.logged()).toMatch(/"apiKeys":1.*secrets of API keys cannot be read/);
  });

  for (const [ending, end] of Object.entries(ENDINGS)) {
    test(`are refused and gone once the owner ${ending}`, async () => {
      const exchange = await start();
      const trader = await exchange.trader("ada@example.com");
      const created = await trader.http.action(functions.apiKeys.create, KEY);
      const other = await exchange.trader("bob@example.com");
      const kept = await other.http.action(functions.apiKeys.create, KEY);
      expect(await ask(exchange, created)).toMatchObject({ status: 200 });
      await end(exchange, trader);
      expect(await ask(exchange, created)).toEqual(REFUSED);
      expect(await ask(exchange, kept)).toMatchObject({ status: 200 });
      await until(async () => (await keysOf(exchange)).length === 1, "the end of the keys");
      expect((await keysOf(exchange))[0]?.user_id).toBe(other.userId);
    });
  }
});

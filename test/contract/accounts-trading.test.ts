import { WebSocket } from "ws";
import { ConvexHttpClient } from "convex/browser";
import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import { storedTime } from "#server/database/accounts-tables.ts";
import { exchangeStarter, type TestExchange, type Trader, until } from "./accounts-exchange.ts";
import { describeShareOfDatabases } from "./databases.ts";

// Whole servers and hundreds of requests: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

const PASSWORD = "correct horse battery";

interface Ending {
  readonly exchange: TestExchange;
  readonly trader: Trader;
}

/** Each ends the trader's session in another way. */
const ENDINGS: Readonly<Record<string, (given: Ending) => Promise<void>>> = {
  async "signs out"({ trader }) {
    expect((await trader.browser.post("/sign-out", {})).status).toBe(200);
  },
  async "is signed out from another device"({ exchange, trader }) {
    const other = exchange.browser();
    await other.signIn("ada@example.com");
    expect((await other.post("/revoke-other-sessions", {})).status).toBe(200);
    await other.post("/sign-out", {});
    expect((await trader.browser.get("/get-session")).body).toBeNull();
  },
  async "is banned"({ exchange, trader }) {
    const root = exchange.browser();
    await root.signUp("root@example.com");
    expect((await root.post("/admin/ban-user", { userId: trader.userId })).status).toBe(200);
  },
  async "is deleted by an administrator"({ exchange, trader }) {
    const root = exchange.browser();
    await root.signUp("root@example.com");
    expect((await root.post("/admin/remove-user", { userId: trader.userId })).status).toBe(200);
  },
  async "deletes the account"({ trader }) {
    expect((await trader.browser.post("/delete-user", { password: PASSWORD })).status).toBe(200);
  },
  async "resets the password"({ exchange, trader }) {
    await exchange.browser().post("/request-password-reset", { email: "ada@example.com" });
    const token = await resetTokenOf(exchange);
    const reset = { token, newPassword: "an entirely new password" };
    expect((await exchange.browser().post("/reset-password", reset)).status).toBe(200);
    expect((await trader.browser.get("/get-session")).body).toBeNull();
  },
  async "stays away until the session expires"({ exchange, trader }) {
    const over = storedTime(exchange.database, Date.now() - 1000);
    await exchange.database.write
      .updateTable("session")
      .set({ expiresAt: over })
      .where("userId", "=", trader.userId)
      .execute();
    await until(async () => (await refusedToTrade(trader)) !== null, "the end of the session");
  },
};

/** A user who has just signed up, and has taken nothing. */
async function callerOf(exchange: TestExchange, email: string): Promise<ConvexHttpClient> {
  const browser = exchange.browser();
  await browser.signUp(email);
  const auth = await browser.backendToken();
  return new ConvexHttpClient(exchange.url, {
    skipConvexDeploymentUrlCheck: true,
    auth,
    logger: false,
  });
}

/** Why the backend token that the trader still has is refused; null if it is not. */
async function refusedToTrade({ http }: Trader): Promise<string | null> {
  return http.query(functions.accounts.balances, {}).then(
    () => null,
    (error: unknown) => String(error),
  );
}

async function resetTokenOf({ database }: TestExchange): Promise<string> {
  let token: string | undefined;
  await until(async () => {
    const mails = await database.read.selectFrom("outbox_mails").select("text").execute();
    token = mails.map(({ text }) => /reset-password\/(\w{24})/.exec(text)?.[1]).find(Boolean);
    return token !== undefined;
  }, "the mail");
  return token ?? "";
}

/** How many orders of a user are open, read from the history that outlives him. */
async function openOrdersOf({ database }: TestExchange): Promise<number> {
  const rows = await database.read
    .selectFrom("orders")
    .select("order_id")
    .where("status", "=", "open")
    .execute();
  return rows.length;
}

describeShareOfDatabases("trading and the end of a session", (openDatabase) => {
  const startExchange = exchangeStarter(openDatabase);

  for (const [how, end] of Object.entries(ENDINGS)) {
    test(`connection cut, token and late orders refused when a user ${how}`, async () => {
      const exchange = await startExchange();
      const trader = await exchange.trader("ada@example.com");
      const { socket, http, userId } = trader;
      await trader.rest();
      expect([socket.seen.at(-1), socket.ended()]).toEqual([userId, 0]);
      expect(await refusedToTrade(trader)).toBeNull();
      const raw = await openSocket(exchange.url, await trader.browser.backendToken());

      await end({ exchange, trader });
      // At once, and not when the server next looks at all its connections.
      expect(await raw.closed).toEqual({ code: 1000, error: "The session has ended." });
      await until(() => socket.ended() > 0 && socket.seen.at(-1) === null, "the visitor's view");
      expect(await refusedToTrade(trader)).toMatch(/ended|expired/);
      await expect(http.mutation(functions.accounts.takePracticeFunds, {})).rejects.toThrow(
        /ended|expired/,
      );
      // Sent over the client's new connection, which belongs to no user.
      await expect(trader.rest()).rejects.toThrow(/Sign in to do this/);
    });
  }

  for (const [settings, how, left] of [
    [{}, "signs out", 1],
    [{ OPEN_ORDERS_AT_SIGN_OUT: "cancel" }, "signs out", 0],
    [{ OPEN_ORDERS_AT_SIGN_OUT: "cancel" }, "is signed out from another device", 0],
    [{ OPEN_ORDERS_AT_SIGN_OUT: "cancel" }, "resets the password", 0],
    [{}, "is banned", 0],
    [{ OPEN_ORDERS_AT_BAN: "keep", OPEN_ORDERS_AT_SIGN_OUT: "cancel" }, "is banned", 1],
    [{ OPEN_ORDERS_AT_BAN: "keep" }, "is deleted by an administrator", 0],
    [{ OPEN_ORDERS_AT_BAN: "keep" }, "deletes the account", 0],
  ] satisfies [Record<string, string>, keyof typeof ENDINGS, number][]) {
    const outcome = left === 0 ? "cancelled" : "kept";
    const given = Object.entries(settings).map((setting) => setting.join("="));
    const circumstances = given.length === 0 ? "" : `, with ${given.join(" and ")}`;
    test(`open orders are kept or cancelled as the settings say: ${outcome} when a user ${how}${circumstances}`, async () => {
      const exchange = await startExchange(settings);
      const [trader, other] = [
        await exchange.trader("ada@example.com"),
        await exchange.trader("eve@example.com"),
      ];
      await trader.rest();
      await other.rest();
      await until(async () => (await openOrdersOf(exchange)) === 2, "both orders");
      await ENDINGS[how]({ exchange, trader });
      await settled(exchange);
      expect(await openOrdersOf(exchange)).toBe(left + 1);
      expect(await other.http.query(functions.orders.open, {})).toHaveLength(1);
    });
  }

  test("who signed up with another's address leaves its owner no address to withdraw to", async () => {
    const exchange = await startExchange({});
    const stranger = await exchange.trader("ada@example.com");
    const added = { user_id: stranger.userId, created_at_ms: 1, label: "My bank", memo: "" };
    const place = { id: "1", coin: "EUR", network: "SEPA", address: "DE02" };
    const { read, write } = exchange.database;
    await write
      .insertInto("withdrawal_addresses")
      .values({ ...added, ...place })
      .execute();
    const addressesOf = (http: ConvexHttpClient) => http.query(functions.transfers.addresses, {});
    await until(async () => (await addressesOf(stranger.http))?.length === 1, "the address");
    await ENDINGS["resets the password"]({ exchange, trader: stranger });
    const rows = await read.selectFrom("withdrawal_addresses").selectAll().execute();
    expect(rows).toEqual([]);
    const owner = exchange.browser();
    await owner.signIn("ada@example.com", "an entirely new password");
    const auth = await owner.backendToken();
    const http = new ConvexHttpClient(exchange.url, {
      skipConvexDeploymentUrlCheck: true,
      auth,
      logger: false,
    });
    await until(async () => (await addressesOf(http))?.length === 0, "the empty book");
  });

  test("practice money of a deleted user is reclaimed, what its order held included", async () => {
    const exchange = await startExchange({});
    const trader = await exchange.trader("ada@example.com");
    await trader.rest();
    await until(async () => (await openOrdersOf(exchange)) === 1, "the order");
    await ENDINGS["deletes the account"]({ exchange, trader });
    const owned = async () => {
      const { rows } = await sql<{ total: unknown }>`
        select coalesce(sum(amount), 0) as total from ledger_entries
        where account = (select max(account) from ledger_entries)
      `.execute(exchange.database.read);
      return Number(rows[0]?.total);
    };
    await until(async () => (await owned()) === 0, "the ledger to hold nothing of the user");
    expect(await openOrdersOf(exchange)).toBe(0);
  });

  test("practice funds of several coins are in the history coin by coin", async () => {
    const exchange = await startExchange({ PRACTICE_FUNDS: "100000,BTC:1" });
    const { http } = await exchange.trader("ada@example.com");
    const { items } = await http.action(functions.activity.page, { search: "practice" });
    expect(items.map(({ title }) => title)).toEqual([
      "Took 1 BTC of practice funds",
      "Took 100,000 USD of practice funds",
    ]);
    const { sequence } = items[0];
    const entries = await http.action(functions.accounts.ledgerEntries, {
      sequence: sequence ?? 0,
    });
    expect(entries.map(({ coin, amount }) => `${amount} ${coin}`)).toEqual([
      "100000.000000 USD",
      "1.00000000 BTC",
    ]);
    const { coins } = await http.action(functions.accounts.statement, {
      from: items[0].time - 60_000,
      to: items[0].time + 60_000,
    });
    expect(coins.map(({ coin, closing }) => `${closing} ${coin}`)).toEqual([
      "100000.000000 USD",
      "1.00000000 BTC",
    ]);
  });

  test("who deletes the account and signs up again waits for tomorrow's practice funds", async () => {
    const exchange = await startExchange({});
    const trader = await exchange.trader("ada@example.com");
    await ENDINGS["deletes the account"]({ exchange, trader });
    const again = await callerOf(exchange, "Ada+again@example.com");
    await expect(again.mutation(functions.accounts.takePracticeFunds, {})).rejects.toThrow(
      /You took practice funds today; more can be taken tomorrow/,
    );
    const user = await again.query(functions.users.current, {});
    expect(user?.practiceFundsNextAt).toBeGreaterThan(Date.now());
    // Nothing was asked of the engine, and what another person takes is no matter of this one's.
    await exchange.trader("eve@example.com");
    await exchange.stop();

    const restarted = await startExchange({}, exchange);
    const later = await callerOf(restarted, "a.d.a@example.com");
    await expect(later.mutation(functions.accounts.takePracticeFunds, {})).rejects.toThrow(
      /You took practice funds today/,
    );
  });

  test("open orders stay while another device is signed in, and while a password is changed", async () => {
    const exchange = await startExchange({ OPEN_ORDERS_AT_SIGN_OUT: "cancel" });
    const trader = await exchange.trader("ada@example.com");
    await trader.rest();
    const other = exchange.browser();
    await other.signIn("ada@example.com");
    await trader.browser.post("/sign-out", {});
    const changed = await other.post("/change-password", {
      currentPassword: PASSWORD,
      newPassword: "an entirely new password",
      revokeOtherSessions: true,
    });
    expect(changed.status).toBe(200);
    await settled(exchange);
    expect(await openOrdersOf(exchange)).toBe(1);
    await other.post("/sign-out", {});
    await settled(exchange);
    expect(await openOrdersOf(exchange)).toBe(0);
  });

  test("what a crash left open of a banned or expired user is cancelled at the next start", async () => {
    const settings = { OPEN_ORDERS_AT_SIGN_OUT: "cancel" };
    const exchange = await startExchange(settings);
    const [banned, expired, staying] = [
      await exchange.trader("ada@example.com"),
      await exchange.trader("bob@example.com"),
      await exchange.trader("eve@example.com"),
    ];
    for (const trader of [banned, expired, staying]) await trader.rest();
    await until(async () => (await openOrdersOf(exchange)) === 3, "the orders");
    const { database } = exchange;
    await exchange.stop();
    await database.write
      .updateTable("user")
      .set({ banned: database.dialect === "sqlite" ? 1 : true })
      .where("id", "=", banned.userId)
      .execute();
    await database.write
      .updateTable("session")
      .set({ expiresAt: storedTime(database, Date.now() - 1000) })
      .where("userId", "=", expired.userId)
      .execute();
    const again = await startExchange(settings, exchange);
    await until(async () => (await openOrdersOf(again)) === 1, "the cancellations");
    const sessions = await database.read.selectFrom("session").select("userId").execute();
    expect(sessions.map(({ userId }) => userId)).not.toContain(expired.userId);
  });
});

/** Until the history shows everything that was answered. */
async function settled({ url, database }: TestExchange): Promise<void> {
  const health = (await (await fetch(`${url}/api/health`)).json()) as { sequence: number };
  await until(async () => {
    const row = await database.read
      .selectFrom("history_progress")
      .select("sequence")
      .executeTakeFirst();
    return (row?.sequence ?? 0) >= health.sequence;
  }, "the history");
}

interface RawSocket {
  /** With the last error that the server named. */
  readonly closed: Promise<{ code: number; error: string }>;
}

/** Not the official client, which would come back at once. */
async function openSocket(url: string, token: string): Promise<RawSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/1.48.0/sync`);
  let error = "";
  const opened = Promise.withResolvers<void>();
  socket.on("open", () => {
    socket.send(
      JSON.stringify({
        type: "Connect",
        sessionId: crypto.randomUUID(),
        connectionCount: 0,
        lastCloseReason: null,
      }),
    );
    socket.send(
      JSON.stringify({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 }),
    );
  });
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { type: string; error?: string };
    if (message.type === "Transition") opened.resolve();
    if (message.error !== undefined) error = message.error;
  });
  const closed = new Promise<{ code: number; error: string }>((resolve) => {
    socket.on("close", (code) => resolve({ code, error }));
  });
  await opened.promise;
  return { closed };
}

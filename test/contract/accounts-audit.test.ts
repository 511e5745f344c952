import { ConvexHttpClient } from "convex/browser";
import { ConvexError } from "convex/values";
import { expect, test, vi } from "vitest";
import { type AuditPageArgs, functions } from "#contract/functions.ts";
import type { Page } from "#contract/types.ts";
import type { ActivityItem, AuditEvent } from "#contract/users.ts";
import { createSecurityEvents } from "#server/accounts/audit/security-events.ts";
import { createSilentLog } from "#server/log.ts";
import { exchangeStarter, type TestExchange, type Trader, until } from "./accounts-exchange.ts";
import type { TestBrowser } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

// Whole servers and hundreds of requests: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

type FeedArgs = { kind?: ActivityItem["kind"]; search?: string; limit?: number };

function activityOf({ http }: Trader, args: FeedArgs & { cursor?: string } = {}) {
  return http.action(functions.activity.page, args);
}

/** All pages, one after the other. @param between runs after each of them */
async function allPages<Item>(
  read: (cursor: { cursor?: string }) => Promise<Page<Item>>,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await read(cursor === null ? {} : { cursor });
    items.push(...page.items);
    cursor = page.cursor;
    await between();
  } while (cursor !== null);
  return items;
}

/** The record as the person of this browser may read it. */
async function auditAs(
  { url }: TestExchange,
  browser: TestBrowser,
): Promise<(args?: AuditPageArgs) => Promise<Page<AuditEvent>>> {
  const http = new ConvexHttpClient(url, {
    skipConvexDeploymentUrlCheck: true,
    auth: await browser.backendToken(),
    logger: false,
  });
  return (args = {}) => http.action(functions.audit.page, args);
}

async function refusalOf(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    return error instanceof ConvexError ? (error.data as { code: string }).code : String(error);
  }
}

async function adminOf(exchange: TestExchange): Promise<TestBrowser> {
  const root = exchange.browser();
  await root.signUp("root@example.com");
  return root;
}

describeShareOfDatabases("the record of security events, shown", (openDatabase) => {
  const startExchange = exchangeStarter(openDatabase);

  test("a user's feed has trades and security events by time, page by page, although new ones arrive", async () => {
    const exchange = await startExchange();
    const trader = await exchange.trader("ada@example.com");
    await exchange.browser().signIn("ada@example.com", "not the password");
    // What fails is put on record after the answer, so that its time tells nothing.
    const failed = { kind: "security", search: "wrong" } as const;
    await until(async () => (await activityOf(trader, failed)).items.length > 0, "the record");
    await trader.rest();
    await exchange.browser().signIn("ada@example.com");
    await trader.rest();
    const whole = await allPages((from) => activityOf(trader, { limit: 200, ...from }));
    // The plan came in between signing up and signing in, perhaps in the same millisecond.
    expect(whole.filter(({ kind }) => kind !== "plan").map(({ title }) => title)).toEqual([
      "Buy 0.01 BTC · Limit 1,000.00",
      "Signed in: with the password",
      "Buy 0.01 BTC · Limit 1,000.00",
      "Someone tried to sign in with a wrong password",
      "Took 100,000 USD of practice funds",
      "Signed in",
      "Signed up",
    ]);
    let address = 0;
    for (const limit of [2, 5]) {
      const before = await allPages((from) => activityOf(trader, { limit: 200, ...from }));
      const paged = await allPages(
        (from) => activityOf(trader, { limit, ...from }),
        async () => {
          address += 1;
          const newEmail = `ada-${address}@example.com`;
          await Promise.all([trader.browser.post("/change-email", { newEmail }), trader.rest()]);
        },
      );
      expect(paged.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    }
    const [signIn] = (await activityOf(trader, { kind: "security", search: "with the" })).items;
    expect(signIn).toMatchObject({
      kind: "security",
      status: "completed",
      sequence: null,
      postings: null,
      security: { event: "signedIn", address: "127.0.0.1", byAdministrator: false },
    });
  });

  test("kinds and words are looked for in both, and no user sees another's", async () => {
    const exchange = await startExchange();
    const [ada, eve] = [
      await exchange.trader("ada@example.com"),
      await exchange.trader("eve@example.com"),
    ];
    await ada.rest();
    const kinds = async (args: FeedArgs) =>
      (await allPages((from) => activityOf(ada, { ...args, ...from }))).map(({ kind }) => kind);
    expect((await kinds({})).toSorted()).toEqual([
      "order",
      "plan",
      "security",
      "security",
      "transfer",
    ]);
    expect(await kinds({ kind: "security" })).toEqual(["security", "security"]);
    expect(await kinds({ kind: "order" })).toEqual(["order"]);
    expect(await kinds({ search: "SIGNED in" })).toEqual(["security"]);
    expect(await kinds({ search: "btc" })).toEqual(["order"]);
    expect(await kinds({ search: "nothing has this" })).toEqual([]);
    const others = await allPages((from) => activityOf(eve, from));
    expect(others.map(({ kind }) => kind).toSorted()).toEqual([
      "plan",
      "security",
      "security",
      "transfer",
    ]);
    expect(await refusalOf(activityOf(ada, { cursor: "invented" }))).toBe("invalidArgument");
    const visitor = new ConvexHttpClient(exchange.url, {
      skipConvexDeploymentUrlCheck: true,
      logger: false,
    });
    expect(await refusalOf(visitor.action(functions.activity.page, {}))).toBe("unauthorized");
  });

  test("what an administrator did is shown without where he sits", async () => {
    const exchange = await startExchange();
    const trader = await exchange.trader("ada@example.com");
    const root = await adminOf(exchange);
    const renamed = { userId: trader.userId, data: { name: "Ada L." } };
    expect((await root.post("/admin/update-user", renamed)).status).toBe(200);
    const [event] = (await activityOf(trader, { kind: "security" })).items;
    expect(event.title).toBe('Profile changed by an administrator: name: "Ada L." (before: "Ada")');
    expect(event.security).toEqual({
      event: "profileChangedByAdmin",
      address: null,
      userAgent: null,
      byAdministrator: true,
    });
    const { items } = await (
      await auditAs(exchange, root)
    )({
      kind: "profileChangedByAdmin",
    });
    expect(items).toMatchObject([{ actorEmail: "root@example.com", address: "127.0.0.1" }]);
  });

  test("administrators read those of all users, filtered by person, kind, words and time, page by page", async () => {
    const exchange = await startExchange();
    const [root, ada, eve] = [await adminOf(exchange), exchange.browser(), exchange.browser()];
    const adaId: string = (await ada.signUp("ada@example.com")).body.user.id;
    const eveId: string = (await eve.signUp("eve@example.com")).body.user.id;
    await exchange.browser().signIn("ada@example.com", "not the password");
    await root.post("/admin/ban-user", { userId: eveId, banReason: "Spam" });
    await root.post("/admin/remove-user", { userId: eveId });
    const read = await auditAs(exchange, root);
    const titles = async (args: AuditPageArgs) =>
      (await read(args)).items.map(({ title }) => title);

    const [newest, ban] = (await read()).items;
    expect(newest).toMatchObject({
      kind: "accountDeleted",
      status: "completed",
      userId: eveId,
      userEmail: null,
      actorEmail: "root@example.com",
      address: "127.0.0.1",
    });
    expect(ban.title).toBe("Account banned by an administrator: Spam (before: not banned)");
    const ofAda = ["Someone tried to sign in with a wrong password", "Signed in", "Signed up"];
    expect(await titles({ user: " ADA@example.com " })).toEqual(ofAda);
    expect(await titles({ user: adaId })).toEqual(ofAda);
    expect(await titles({ user: eveId })).toHaveLength(4);
    expect(await titles({ user: "eve@example.com" })).toEqual([]);
    expect(await titles({ kind: "signedUp" })).toHaveLength(3);
    expect(await titles({ kind: "signedUp", user: adaId })).toHaveLength(1);
    expect(await titles({ search: "banned SPAM" })).toEqual([ban.title]);
    expect(await titles({ search: "%" })).toEqual([]);
    expect(await titles({ from: ban.time, to: ban.time + 1 })).toContain(ban.title);
    expect(await titles({ to: ban.time })).not.toContain(ban.title);
    expect(await titles({ from: newest.time + 1 })).toEqual([]);

    const whole = (await read({ limit: 200 })).items.map(({ id }) => id);
    for (const [args, expected] of [
      [{}, whole],
      [{ kind: "signedUp" }, (await read({ kind: "signedUp" })).items.map(({ id }) => id)],
    ] satisfies [AuditPageArgs, string[]][]) {
      const paged = await allPages(
        (from) => read({ ...args, limit: 2, ...from }),
        () => exchange.browser().signIn("ada@example.com", "not the password"),
      );
      expect(paged.map(({ id }) => id)).toEqual(expected);
    }
    for (const wrong of [{ cursor: "Invented" }, { kind: "invented" as "banned" }, { limit: 0 }]) {
      expect(await refusalOf(read(wrong))).toBe("invalidArgument");
    }
  });

  test("the record is for administrators: no user, no visitor, no one who views as another, no former one", async () => {
    const exchange = await startExchange();
    const [root, user] = [await adminOf(exchange), exchange.browser()];
    const userId: string = (await user.signUp("ada@example.com")).body.user.id;
    expect(await refusalOf((await auditAs(exchange, user))())).toBe("forbidden");
    const visitor = new ConvexHttpClient(exchange.url, {
      skipConvexDeploymentUrlCheck: true,
      logger: false,
    });
    expect(await refusalOf(visitor.action(functions.audit.page, {}))).toBe("unauthorized");

    await root.post("/admin/set-role", { userId, role: "admin" });
    const asUser = await auditAs(exchange, user);
    expect((await asUser()).items.length).toBeGreaterThan(3);
    await root.post("/admin/set-role", { userId, role: "user" });
    expect(await refusalOf(asUser())).toBe("forbidden");

    const asRoot = await auditAs(exchange, root);
    await root.post("/admin/impersonate-user", { userId });
    expect(await refusalOf((await auditAs(exchange, root))())).toBe("forbidden");
    // Nor is the subject's own role enough: a user who is viewed as an administrator is none.
    await exchange.database.write
      .updateTable("user")
      .set({ role: "admin" })
      .where("id", "=", userId)
      .execute();
    expect(await refusalOf((await auditAs(exchange, root))())).toBe("forbidden");
    await root.post("/admin/stop-impersonating", {});
    expect((await asRoot()).items.length).toBeGreaterThan(3);
    await root.post("/sign-out", {});
    expect(await refusalOf(asRoot())).toMatch(/has ended/);
  });

  test("a listed user is administrator whatever the role says", async () => {
    const first = await startExchange();
    const user = first.browser();
    const userId: string = (await user.signUp("ada@example.com")).body.user.id;
    expect(await refusalOf((await auditAs(first, user))())).toBe("forbidden");
    expect((await user.get("/admin/list-users")).status).toBe(403);
    await first.stop();

    const exchange = await startExchange({ ADMIN_USER_IDS: `someone, ${userId}` }, first);
    const [listed, other] = [exchange.browser(), exchange.browser()];
    await listed.signIn("ada@example.com");
    const otherId: string = (await other.signUp("eve@example.com")).body.user.id;
    expect((await listed.get("/admin/list-users")).body.total).toBe(2);
    expect((await (await auditAs(exchange, listed))()).items.length).toBeGreaterThan(3);
    const http = new ConvexHttpClient(exchange.url, {
      skipConvexDeploymentUrlCheck: true,
      auth: await listed.backendToken(),
      logger: false,
    });
    expect(await http.query(functions.users.current, {})).toMatchObject({ role: "admin" });
    // His own name may change while they view as another user.
    await listed.post("/admin/impersonate-user", { userId: otherId });
    const elsewhere = exchange.browser();
    await elsewhere.signIn("ada@example.com");
    await elsewhere.post("/update-user", { name: "Ada L." });
    expect((await listed.get("/get-session")).body.user.id).toBe(otherId);
    expect((await other.get("/admin/list-users")).status).toBe(403);
  });

  test("old events are deleted, in batches, and newer ones stay", async () => {
    const database = await openDatabase();
    const dayMs = 86_400_000;
    const rowAt = (atMs: number, each: number) => ({
      id: `${atMs.toString(36).padStart(9, "0")}${each.toString(36).padStart(4, "0")}00000000`,
      user_id: "ada",
      actor_id: null,
      kind: "signedIn",
      at_ms: atMs,
      address: null,
      user_agent: null,
      detail: "",
    });
    const now = Date.now();
    const old = Array.from({ length: 1201 }, (_, each) => rowAt(now - 11 * dayMs, each));
    for (let start = 0; start < old.length; start += 100) {
      const rows = old.slice(start, start + 100);
      await database.write.insertInto("security_events").values(rows).execute();
    }
    const recent = [rowAt(now - 9 * dayMs, 1), rowAt(now, 2)];
    await database.write.insertInto("security_events").values(recent).execute();
    const exchange = await startExchange({ SECURITY_EVENTS_DAYS: "10" }, { database });
    const left = async () =>
      (await database.read.selectFrom("security_events").select("id").execute()).map(
        ({ id }) => id,
      );
    await until(async () => (await left()).length <= 2, "the deletion");
    expect(await left()).toEqual(recent.map(({ id }) => id));
    const events = createSecurityEvents(exchange.database, createSilentLog());
    expect(await events.prune(now - 5 * dayMs)).toBe(1);
  });
});

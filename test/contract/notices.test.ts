/** What users are told and keep for themselves, over a whole exchange with real sign-ins. */
import { ConvexHttpClient } from "convex/browser";
import { expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import type { RecentNotices } from "#contract/notices.ts";
import { exchangeStarter, type TestExchange, until } from "./accounts-exchange.ts";
import { startAccounts, type TestBrowser } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

vi.setConfig({ testTimeout: 120_000 });

const PASSWORD = "correct horse battery";

/** Calls over plain HTTP as the browser's present user. */
async function callerOf(exchange: TestExchange, browser: TestBrowser): Promise<ConvexHttpClient> {
  const auth = await browser.backendToken();
  return new ConvexHttpClient(exchange.url, {
    skipConvexDeploymentUrlCheck: true,
    auth,
    logger: false,
  });
}

const titlesOf = (recent: RecentNotices | null | undefined) =>
  recent?.notices.map(({ isRead, title }) => `${title}${isRead ? "" : " (unread)"}`) ?? [];

describeShareOfDatabases("what users are told", (openDatabase) => {
  const startExchange = exchangeStarter(openDatabase);

  test("a changed password and a sign-in from elsewhere reach the open page", async () => {
    const exchange = await startExchange();
    const { browser, socket } = await exchange.trader("ada@example.com");
    let recent: RecentNotices | null = null;
    socket.client.onUpdate(functions.notices.recent, {}, (value) => {
      recent = value;
    });
    const changed = { currentPassword: PASSWORD, newPassword: "an entirely new password" };
    expect((await browser.post("/change-password", changed)).status).toBe(200);
    await until(() => titlesOf(recent).includes("Password changed (unread)"), "the notice");
    const credentials = { email: "ada@example.com", password: changed.newPassword };
    const elsewhere = exchange.browser();
    const userAgent = { "user-agent": "another browser" };
    expect((await elsewhere.post("/sign-in/email", credentials, userAgent)).status).toBe(200);
    const signedIn = "Signed in: with the password (unread)";
    await until(() => titlesOf(recent).includes(signedIn), "the sign-in");
  });

  test("an administrator who views as a user sees their notices and changes nothing", async () => {
    const exchange = await startExchange();
    const ada = await exchange.trader("ada@example.com");
    await ada.http.mutation(functions.watchlist.add, { markets: ["BTC-USD"] });
    const root = exchange.browser();
    await root.signUp("root@example.com");
    expect((await root.post("/admin/impersonate-user", { userId: ada.userId })).status).toBe(200);
    const viewer = await callerOf(exchange, root);
    expect(await viewer.query(functions.watchlist.list, {})).toEqual(["BTC-USD"]);
    await until(async () => {
      const recent = await viewer.query(functions.notices.recent, {});
      return titlesOf(recent).includes("Practice funds taken");
    }, "the notices");
    const refusal = /You are viewing as another user; changes are disabled/;
    await expect(
      viewer.mutation(functions.notices.markAllRead, { until: Date.now() }),
    ).rejects.toThrow(refusal);
    await expect(
      viewer.mutation(functions.watchlist.remove, { market: "BTC-USD" }),
    ).rejects.toThrow(refusal);
    const condition = { kind: "price", price: "1" } as const;
    await expect(
      viewer.mutation(functions.alerts.create, { market: "BTC-USD", condition }),
    ).rejects.toThrow(refusal);
    await expect(
      viewer.mutation(functions.notices.setSwitches, { kind: "fill", switches: { mail: true } }),
    ).rejects.toThrow(refusal);
  });

  test("nothing of a deleted user stays", async () => {
    const exchange = await startExchange();
    const { browser, http } = await exchange.trader("ada@example.com");
    await http.mutation(functions.watchlist.add, { markets: ["BTC-USD"] });
    await http.mutation(functions.notices.setSwitches, {
      kind: "fill",
      switches: { mail: true },
    });
    expect((await browser.post("/delete-user", { password: PASSWORD })).status).toBe(200);
    const { read } = exchange.database;
    await until(async () => {
      const lists = await read.selectFrom("watchlists").select("user_id").execute();
      const states = await read.selectFrom("notice_states").select("user_id").execute();
      return lists.length + states.length === 0;
    }, "the removal");
  });

  test("mail about notices goes to a confirmed address only", async () => {
    const { accounts, browser, database } = await startAccounts(await openDatabase());
    const { id } = (await browser().signUp("ada@example.com")).body.user;
    const mails = async () =>
      database.read
        .selectFrom("outbox_mails")
        .select(["recipient", "subject", "text"])
        .where("subject", "like", "News%")
        .execute();
    await accounts.mailNotices(id, ["Bought 0.5 BTC."]);
    await database.write
      .updateTable("user")
      .set({ emailVerified: database.dialect === "sqlite" ? 1 : true })
      .where("id", "=", id)
      .execute();
    await accounts.mailNotices(id, ["Sold 0.5 BTC.", "Order expired."]);
    await until(async () => (await mails()).length > 0, "the mail");
    expect(await mails()).toMatchObject([
      { recipient: "ada@example.com", subject: "News of your Openbell account" },
    ]);
    const [{ text }] = await mails();
    expect(text).toContain("Sold 0.5 BTC.\n\nOrder expired.");
    expect(text).not.toContain("Bought");
  });
});

/** What one node has changed of users and another one is asked about before the event is stored. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "#server/database/open-database.ts";
import { startAccounts } from "./accounts-server.ts";
import { describeEachDatabase, type OpenTestDatabase } from "./databases.ts";

// Many passwords are hashed: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

/** The database, which stores security events only once it is told to. */
function withLateEvents(database: Database): { late: Database; store: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { write } = database;
  const insertInto = (table: Parameters<typeof write.insertInto>[0]) => {
    const begun = write.insertInto(table);
    if (table !== "security_events") return begun;
    const values = (...rows: Parameters<typeof begun.values>) => ({
      execute: () => promise.then(() => begun.values(...rows).execute()),
    });
    return { values };
  };
  const lateWrite = new Proxy(write, {
    get(target, name) {
      if (name === "insertInto") return insertInto;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" && name !== "fn" ? value.bind(target) : value;
    },
  });
  return { late: { ...database, write: lateWrite }, store: resolve };
}

/** An administrator and a user on a node whose events come late, and another node. */
async function openNodes(openDatabase: OpenTestDatabase) {
  const database = await openDatabase();
  const { late, store } = withLateEvents(database);
  const here = await startAccounts(late, { ADMIN_EMAIL: "root@example.com" });
  const { accounts: elsewhere } = await startAccounts(await openDatabase(database));
  const [root, user] = [here.browser(), here.browser()];
  const rootId: string = (await root.signUp("root@example.com")).body.user.id;
  const userId: string = (await user.signUp("ada@example.com")).body.user.id;
  const notes = () => database.read.selectFrom("access_changes").select("user_id").execute();
  onTestFinished(store);
  return { database, elsewhere, notes, root, rootId, store, user, userId };
}

describeEachDatabase("a change of a user on one node", (openDatabase) => {
  test("of their role is known on the others before they can use it", async () => {
    const { elsewhere, notes, root, store, userId } = await openNodes(openDatabase);
    const sinceMs = Date.now() - 60_000;
    const changes = () => elsewhere.changesByOtherAdmins(userId, sinceMs);
    expect(await changes()).toEqual({ roleAtMs: null, accessAtMs: null });
    expect((await root.post("/admin/set-role", { userId, role: "admin" })).status).toBe(200);
    expect(await elsewhere.userById(userId)).toMatchObject({ role: "admin" });
    const known = {
      roleAtMs: expect.any(Number) as number,
      accessAtMs: expect.any(Number) as number,
    };
    expect(await changes()).toEqual(known);
    store();
    await expect.poll(notes).toEqual([]);
    expect(await changes()).toEqual(known);
  });

  test("of how they sign in pauses what the others do for them, from before it is on record", async () => {
    const { elsewhere, notes, store, user, userId } = await openNodes(openDatabase);
    expect(await elsewhere.isAccessChanging(userId)).toBe(false);
    const change = {
      currentPassword: "correct horse battery",
      newPassword: "another correct horse",
    };
    expect((await user.post("/change-password", change)).status).toBe(200);
    expect(await elsewhere.isAccessChanging(userId)).toBe(true);
    // It is their own.
    const { accessAtMs } = await elsewhere.changesByOtherAdmins(userId, 0);
    expect(accessAtMs).toBeNull();
    store();
    await expect.poll(notes).toEqual([]);
    expect(await elsewhere.isAccessChanging(userId)).toBe(false);
    const { items } = await elsewhere.securityEvents({
      userId,
      kinds: ["passwordChanged"],
      limit: 1,
    });
    expect(items).toHaveLength(1);
  });

  test("counts for two minutes if its node does not live to say that it is over, and only if it may be made", async () => {
    const { database, elsewhere, notes, rootId, store, user, userId } =
      await openNodes(openDatabase);
    store();
    for (const path of ["/admin/set-role", "/admin/set-user-password", "/admin/ban-user"]) {
      const more = { role: "user", newPassword: "another correct horse" };
      expect((await user.post(path, { userId: rootId, ...more })).status).toBe(403);
    }
    expect(await notes()).toEqual([]);
    const note = { id: "lost", user_id: userId, actor_id: rootId };
    const lost = (untilMs: number) => ({ ...note, until_ms: untilMs });
    await database.write
      .insertInto("access_changes")
      .values(lost(Date.now() + 60_000))
      .execute();
    expect(await elsewhere.isAccessChanging(userId)).toBe(true);
    await database.write
      .updateTable("access_changes")
      .set(lost(Date.now() - 1))
      .execute();
    expect(await elsewhere.isAccessChanging(userId)).toBe(false);
    expect((await elsewhere.changesByOtherAdmins(userId, 0)).accessAtMs).toBeNull();
  });
});

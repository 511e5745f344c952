import { expect, onTestFinished, test, vi } from "vitest";
import { storedTime } from "#server/database/accounts-tables.ts";
import { createAdministrators } from "#server/accounts/users/administrators.ts";
import { createLeavingAdministrators } from "#server/accounts/users/leaving-administrators.ts";
import { createSilentLog } from "#server/log.ts";
import { openScene, recordOf, secondAdmin } from "./accounts-admin-scene.ts";
import { startAccounts } from "./accounts-server.ts";
import { describeEachDatabase } from "./databases.ts";

// Many passwords are hashed: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

describeEachDatabase("what administrators do", (openDatabase) => {
  test("users are listed, searched, sorted and paged, without secrets", async () => {
    const { server, root } = await openScene(openDatabase);
    for (const [email, name] of [
      ["bob@example.com", "Bob"],
      ["eve@other.example", "Eve"],
    ]) {
      await server.browser().signUp(email, { name });
    }
    const list = async (query: Record<string, string>) => {
      const answer = await root.get(`/admin/list-users?${new URLSearchParams(query).toString()}`);
      expect(answer.text).not.toMatch(/password|token|scrypt/i);
      const { users, total } = answer.body as { users: { email: string }[]; total: number };
      return [users.map(({ email }) => email.split("@")[0]).join(), total];
    };
    expect(await list({ sortBy: "email" })).toEqual(["ada,bob,eve,root", 4]);
    expect(await list({ sortBy: "email", sortDirection: "desc" })).toEqual(["root,eve,bob,ada", 4]);
    expect(await list({ sortBy: "createdAt" })).toEqual(["root,ada,bob,eve", 4]);
    expect(await list({ sortBy: "email", limit: "2" })).toEqual(["ada,bob", 4]);
    expect(await list({ sortBy: "email", limit: "2", offset: "2" })).toEqual(["eve,root", 4]);
    expect(await list({ searchValue: "other.example" })).toEqual(["eve", 1]);
    expect(await list({ searchValue: "Bo", searchField: "name" })).toEqual(["bob", 1]);
    expect(
      await list({ searchValue: "a", searchField: "email", searchOperator: "starts_with" }),
    ).toEqual(["ada", 1]);
    expect(await list({ filterField: "role", filterValue: "admin" })).toEqual(["root", 1]);
    expect(await list({ searchValue: "unknown" })).toEqual(["", 0]);
    const client = await root.client().admin.listUsers({ query: { limit: 1, sortBy: "email" } });
    expect(client.data).toMatchObject({
      total: 4,
      limit: 1,
      users: [{ email: "ada@example.com" }],
    });
  });

  test("a ban has a reason, is told at sign-in, and ends by itself", async () => {
    const { server, root, rootId, user, userId } = await openScene(openDatabase);
    const banned = await root.client().admin.banUser({
      userId,
      banReason: "Spam",
      banExpiresIn: 3600,
    });
    expect(banned.data?.user).toMatchObject({ banned: true, banReason: "Spam" });
    const expires = new Date(banned.data?.user.banExpires ?? 0).getTime();
    expect(expires - Date.now()).toBeCloseTo(3_600_000, -4);
    expect((await user.get("/get-session")).body).toBeNull();
    const refused = await server.browser().signIn("ada@example.com");
    expect([refused.status, refused.body.code]).toEqual([403, "BANNED_USER"]);
    expect(refused.headers.getSetCookie().join()).not.toMatch(/session_token=[^;]/);

    await server.database.write
      .updateTable("user")
      .set({ banExpires: storedTime(server.database, Date.now() - 1000) })
      .where("id", "=", userId)
      .execute();
    expect((await server.browser().signIn("ada@example.com")).status).toBe(200);
    const found = await root.get(`/admin/get-user?id=${userId}`);
    expect(found.body).toMatchObject({ banned: false, banReason: null });

    await root.post("/admin/ban-user", { userId });
    await root.post("/admin/unban-user", { userId });
    expect((await server.browser().signIn("ada@example.com")).status).toBe(200);
    expect((await recordOf(server, userId, 5)).slice(0, 4)).toEqual([
      [expect.stringMatching(/^Account banned by an administrator: Spam, until /), rootId],
      ["Signed in: with the password", null],
      ["Account banned by an administrator: No reason (before: not banned)", rootId],
      ["Account unbanned by an administrator: before: banned, No reason", rootId],
    ]);
  });

  test("looking through a user's eyes lasts an hour at most, and never through an administrator's", async () => {
    const { server, root, user, userId } = await openScene(openDatabase);
    const second = await secondAdmin(server);
    const refused = await root.post("/admin/impersonate-user", { userId: second.id });
    expect(refused.status).toBe(403);
    const { session } = (await root.post("/admin/impersonate-user", { userId })).body;
    expect(Date.parse(session.expiresAt) - Date.now()).toBeCloseTo(3_600_000, -4);
    // Use does not extend it.
    await server.database.write
      .updateTable("session")
      .set({ expiresAt: storedTime(server.database, Date.now() + 60_000) })
      .where("id", "=", session.id)
      .execute();
    const again = (await root.get("/get-session")).body.session;
    expect(Date.parse(again.expiresAt) - Date.now()).toBeLessThan(61_000);
    // Nor does it for a browser that leaves out the cookie by which the library knows not to.
    root.cookies.delete("better-auth.dont_remember");
    const without = (await root.get("/get-session")).body.session;
    expect(Date.parse(without.expiresAt) - Date.now()).toBeLessThan(61_000);
    // The user does not see it among the own devices, and cannot be seen to have it.
    expect((await user.get("/list-sessions")).body).toHaveLength(1);
    await server.database.write
      .updateTable("session")
      .set({ expiresAt: storedTime(server.database, Date.now() - 1000) })
      .where("id", "=", session.id)
      .execute();
    expect((await root.get("/get-session")).body).toBeNull();
  });

  test("a password is set within its bounds, and the old one and its sessions are no longer good", async () => {
    const { server, root, rootId, user, userId } = await openScene(openDatabase);
    for (const [newPassword, code] of [
      ["1234567", "PASSWORD_TOO_SHORT"],
      ["x".repeat(129), "PASSWORD_TOO_LONG"],
    ]) {
      const answer = await root.post("/admin/set-user-password", { userId, newPassword });
      expect([answer.status, answer.body.code]).toEqual([400, code]);
    }
    expect((await user.get("/get-session")).body).not.toBeNull();
    const newPassword = "an entirely new password";
    const set = await root.post("/admin/set-user-password", { userId, newPassword });
    expect(set.body).toEqual({ status: true });
    expect((await server.browser().signIn("ada@example.com")).status).toBe(401);
    expect((await server.browser().signIn("ada@example.com", newPassword)).status).toBe(200);
    expect((await user.get("/get-session")).body).toBeNull();
    const unknown = await root.post("/admin/set-user-password", { userId: "x", newPassword });
    expect(unknown.status).toBe(404);
    const elsewhere = server.browser();
    await elsewhere.signIn("root@example.com");
    await root.post("/admin/set-user-password", { userId: [rootId], newPassword });
    expect((await elsewhere.get("/get-session")).body).toBeNull();
    expect((await root.get("/get-session")).body).not.toBeNull();
  });

  test("a user's sessions are listed and revoked: one, then all, which is on record", async () => {
    const { server, root, rootId, user, userId } = await openScene(openDatabase);
    const other = server.browser();
    await other.signIn("ada@example.com");
    const { sessionId } = await server.accounts.verifyBackendToken(await other.backendToken());
    const listed = (await root.post("/admin/list-user-sessions", { userId })).body.sessions as {
      id: string;
      token: string;
    }[];
    expect(listed).toHaveLength(2);
    const sessionToken = listed.find(({ id }) => id === sessionId)?.token;
    expect((await root.post("/admin/revoke-user-session", { sessionToken })).body).toEqual({
      success: true,
    });
    expect(server.ended).toEqual([sessionId]);
    expect((await other.get("/get-session")).body).toBeNull();
    expect((await user.get("/get-session")).body).not.toBeNull();
    await root.post("/admin/revoke-user-sessions", { userId });
    expect((await user.get("/get-session")).body).toBeNull();
    expect((await root.get("/get-session")).body).not.toBeNull();
    expect(await recordOf(server, userId, 2)).toEqual([
      ["A device was signed out", rootId],
      ["A device was signed out", rootId],
    ]);
    // A token of the list is no session by itself.
    const forged = server.browser();
    forged.cookies.set("better-auth.session_token", listed[0].token);
    expect((await forged.get("/get-session")).body).toBeNull();
  });

  test("roles are those that exist, and every way to change one is on record", async () => {
    const { server, root, rootId, user, userId } = await openScene(openDatabase);
    for (const role of ["owner", "admin,user", ["admin", "owner"], "", "__proto__"]) {
      const answer = await root.post("/admin/set-role", { userId, role });
      expect([role, answer.status]).toEqual([role, 400]);
    }
    expect((await root.post("/admin/set-role", { userId, role: ["admin", "user"] })).status).toBe(
      200,
    );
    expect((await user.get("/admin/list-users")).status).toBe(200);
    const update = (data: object) => root.post("/admin/update-user", { userId, data });
    expect((await update({ role: "user", name: "Ada L." })).status).toBe(200);
    expect((await update({ banned: true, banReason: "Spam" })).status).toBe(200);
    expect((await update({ banned: false })).status).toBe(200);
    for (const refused of [
      { email: "x@example.com" },
      { emailVerified: true },
      { password: "x" },
    ]) {
      expect([400, 403]).toContain((await update(refused)).status);
    }
    await root.post("/admin/set-user-password", { userId: [userId], newPassword: "long enough" });
    await root.post("/admin/remove-user", { userId });
    expect(await recordOf(server, userId, 7)).toEqual([
      ["Role changed: admin,user (before: user)", rootId],
      ["Role changed: user (before: admin,user)", rootId],
      ['Profile changed by an administrator: name: "Ada L." (before: "Ada")', rootId],
      ["Account banned by an administrator: Spam (before: not banned)", rootId],
      ["Account unbanned by an administrator: before: banned, Spam", rootId],
      ["Password changed: by an administrator (before: another)", rootId],
      ["Account deleted", rootId],
    ]);
  });

  test("no email address is set by an administrator, not even by one of ADMIN_USER_IDS", async () => {
    const database = await openDatabase();
    const first = await startAccounts(database, { ADMIN_EMAIL: "root@example.com" });
    const rootId: string = (await first.browser().signUp("root@example.com")).body.user.id;
    const userId: string = (await first.browser().signUp("ada@example.com")).body.user.id;
    const server = await startAccounts(database, { ADMIN_USER_IDS: rootId });
    const root = server.browser();
    await root.signIn("root@example.com");
    for (const data of [{ email: "x@example.com" }, { emailVerified: true }]) {
      const answer = await root.post("/admin/update-user", { userId, data });
      expect([answer.status, answer.body.code]).toEqual([400, "FIELD_NOT_ALLOWED"]);
    }
    expect(await server.accounts.userById(userId)).toMatchObject({
      email: "ada@example.com",
      emailVerified: false,
    });
  });

  test("the last administrator cannot be demoted, banned or deleted, by anyone in any way", async () => {
    const { server, root, rootId, userId } = await openScene(openDatabase, {
      ADMIN_APPROVAL_WAIT_HOURS: "0",
    });
    const attempts: [string, object][] = [
      ["/admin/set-role", { userId: rootId, role: "user" }],
      ["/admin/set-role", { userId: rootId, role: ["user"] }],
      ["/admin/set-role", { userId: [rootId], role: "user" }],
      ["/admin/update-user", { userId: rootId, data: { role: "user" } }],
      ["/admin/update-user", { userId: [rootId], data: { role: ["user"] } }],
      ["/admin/update-user", { userId: rootId, data: { banned: true } }],
      ["/admin/ban-user", { userId: rootId }],
      ["/admin/remove-user", { userId: rootId }],
      ["/delete-user", { password: "correct horse battery" }],
      ["/delete-user", { callbackURL: "/" }],
      ["/delete-user", {}],
    ];
    for (const [path, body] of attempts) {
      const answer = await root.post(path, body);
      expect([path, body, answer.status, answer.body.code]).toEqual([
        path,
        body,
        403,
        "LAST_ADMIN",
      ]);
    }
    const followed = await root.get("/delete-user/callback?token=x");
    expect([followed.status, followed.body.code]).toEqual([403, "LAST_ADMIN"]);
    // What takes nothing from anyone stays possible.
    expect((await root.post("/admin/set-role", { userId: rootId, role: "admin" })).status).toBe(
      200,
    );
    const renamed = { userId: rootId, data: { name: "Root" } };
    expect((await root.post("/admin/update-user", renamed)).status).toBe(200);
    expect((await root.post("/admin/set-role", { userId, role: "admin" })).status).toBe(200);
    // With another one who is banned he is still the last.
    await root.post("/admin/ban-user", { userId });
    const demoted = { userId: rootId, role: "user" };
    expect((await root.post("/admin/set-role", demoted)).body.code).toBe("LAST_ADMIN");
    await root.post("/admin/unban-user", { userId });
    expect((await root.post("/admin/set-role", demoted)).status).toBe(200);
    expect((await root.get("/admin/list-users")).status).toBe(403);
    expect(await server.accounts.userById(rootId)).toMatchObject({ role: "user" });
  });

  test("an administrator who makes a second one cannot remove the others through it", async () => {
    const { server, root, rootId, user, userId } = await openScene(openDatabase);
    const second = await secondAdmin(server);
    expect((await root.post("/admin/set-role", { userId, role: "admin" })).status).toBe(200);
    // The first of the old ones may go, the last one may not.
    const demoted = (id: string) => user.post("/admin/set-role", { userId: id, role: "user" });
    expect((await demoted(second.id)).status).toBe(200);
    for (const [path, body] of [
      ["/admin/set-role", { userId: rootId, role: "user" }],
      ["/admin/ban-user", { userId: rootId }],
      ["/admin/remove-user", { userId: rootId }],
    ] as const) {
      const answer = await user.post(path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 403, "LAST_ADMIN"]);
      expect(answer.body.message).toMatch(/do not count yet/);
    }
    // The new one may leave, and with time becomes one of the old ones.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 25 * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect((await demoted(rootId)).status).toBe(200);
  });

  test("no old administrator is removed as if new, whatever a new one changes about them before", async () => {
    const { server, root, rootId, user, userId } = await openScene(openDatabase);
    expect((await root.post("/admin/set-role", { userId, role: "admin" })).status).toBe(200);
    for (const [path, more] of [
      ["/admin/update-user", { data: { name: "Touched" } }],
      ["/admin/set-role", { role: "admin" }],
      ["/admin/set-role", { role: ["admin", "user"] }],
      ["/admin/set-user-password", { newPassword: "correct horse battery" }],
      ["/admin/unban-user", {}],
    ] as const) {
      expect([path, (await user.post(path, { userId: rootId, ...more })).status]).toEqual([
        path,
        200,
      ]);
      const removed = await user.post("/admin/set-role", { userId: rootId, role: "user" });
      expect([path, removed.status, removed.body.code]).toEqual([path, 403, "LAST_ADMIN"]);
    }
    // Those who were there before remove the new one all the same.
    await root.signIn("root@example.com");
    expect((await root.post("/admin/set-role", { userId, role: "user" })).status).toBe(200);
    expect(await server.accounts.userById(userId)).toMatchObject({ role: "user" });
  });

  test("the other administrators hear of a new one", async () => {
    const { server, root, rootId, userId } = await openScene(openDatabase);
    const second = await secondAdmin(server);
    await root.post("/admin/set-role", { userId, role: "admin" });
    const created = { email: "new@example.com", password: "correct horse battery", name: "New" };
    await root.post("/admin/create-user", { ...created, role: "admin" });
    const heard = ["ada@example.com", "new@example.com"].map(
      (email) => `Another user was made an administrator: ${email}`,
    );
    expect(await recordOf(server, second.id, 2)).toEqual(heard.map((title) => [title, rootId]));
    expect(await recordOf(server, rootId, 2)).toEqual(heard.map((title) => [title, null]));
    expect(await recordOf(server, userId, 1)).toEqual([[heard[1], rootId]]);
  });

  test("the end of a ban is on record, also when only that is changed", async () => {
    const { server, root, rootId, userId } = await openScene(openDatabase);
    await root.post("/admin/ban-user", { userId, banReason: "Spam" });
    const banExpires = new Date("2999-01-01T00:00:00Z");
    const answer = await root.post("/admin/update-user", { userId, data: { banExpires } });
    expect(answer.status).toBe(200);
    expect(await recordOf(server, userId, 2)).toEqual([
      ["Account banned by an administrator: Spam (before: not banned)", rootId],
      [
        "Account banned by an administrator: Spam, until 2999-01-01T00:00Z (before: banned, Spam)",
        rootId,
      ],
    ]);
  });

  test("of administrators who remove each other at the same moment one remains", async () => {
    const { server, root, rootId } = await openScene(openDatabase);
    for (let round = 0; round < 5; round += 1) {
      const { id, browser } = await secondAdmin(server);
      const answers = await Promise.all([
        root.post("/admin/set-role", { userId: id, role: "user" }),
        browser.post("/admin/set-role", { userId: rootId, role: "user" }),
        root.post("/admin/set-role", { userId: rootId, role: "user" }),
        browser.post("/admin/ban-user", { userId: rootId }),
      ]);
      const admins = await server.database.read
        .selectFrom("user")
        .select(["id", "banned"])
        .where("role", "=", "admin")
        .execute();
      const able = admins.filter(({ banned }) => banned !== true && banned !== 1);
      expect(able.length, answers.map(({ text }) => text).join()).toBeGreaterThan(0);
      await server.database.write
        .updateTable("user")
        .set({ role: "admin", banned: null })
        .where("id", "=", rootId)
        .execute();
      if ((await root.get("/get-session")).body === null) await root.signIn("root@example.com");
    }
  });

  test("of administrators whose removals begin on two nodes at the same moment one remains", async () => {
    const { server, rootId } = await openScene(openDatabase);
    const { id } = await secondAdmin(server);
    const nodes = [server.database, await openDatabase(server.database)].map((database) => {
      const securityEvents = { settled: () => Promise.resolve() };
      const terms = { database, adminIds: [], securityEvents, waitMs: 0 };
      const administrators = createAdministrators(terms);
      return createLeavingAdministrators({ database, administrators, log: createSilentLog() });
    });
    for (let round = 0; round < 10; round += 1) {
      const begun = await Promise.all([nodes[0].begin(id), nodes[1].begin(rootId)]);
      expect(begun.filter((removal) => removal === null)).toHaveLength(1);
      expect(await nodes[0].begin(begun[0] === null ? id : rootId)).toBeNull();
      // The node that has begun it ends it.
      const at = begun.findIndex((removal) => removal !== null);
      await nodes[at].end([begun[at]!.id]);
    }
  });

  test("a removal that has begun on another node counts, for two minutes if that never ends it", async () => {
    const { server, root, rootId, userId } = await openScene(openDatabase);
    const { id } = await secondAdmin(server);
    const note = (untilMs: number) => ({ id: "lost", user_id: id, until_ms: untilMs });
    const leave = () => root.post("/admin/set-role", { userId: rootId, role: "user" });
    const { operatorChanges } = server.accounts;
    const found = (await server.accounts.userById(rootId))!;
    await server.database.write
      .insertInto("leaving_administrators")
      .values(note(Date.now() + 60_000))
      .execute();
    expect((await leave()).body.code).toBe("LAST_ADMIN");
    await expect(operatorChanges.setRole(found, "user")).rejects.toThrow(/no other administrator/);
    const ban = { reason: "Spam", untilMs: null };
    await expect(operatorChanges.ban(found, ban)).rejects.toThrow(/no other administrator/);
    // Those of others are of no concern, and nothing is left of them.
    expect((await root.post("/admin/ban-user", { userId })).status).toBe(200);
    await server.database.write
      .updateTable("leaving_administrators")
      .set(note(Date.now() - 1))
      .execute();
    expect((await leave()).status).toBe(200);
    const left = await server.database.read
      .selectFrom("leaving_administrators")
      .selectAll()
      .execute();
    expect(left).toEqual([]);
  });

  test("an administrator who was kept no longer counts as leaving", async () => {
    const { server, root, rootId } = await openScene(openDatabase);
    const leave = () => root.post("/admin/set-role", { userId: rootId, role: "user" });
    expect((await leave()).body.code).toBe("LAST_ADMIN");
    const { id } = await secondAdmin(server);
    expect((await root.post("/admin/set-role", { userId: id, role: "user" })).status).toBe(200);
    expect((await leave()).body.code).toBe("LAST_ADMIN");
  });
});

/** The administrators' directory of all users, and a page's record of its viewer. */
import { expect, test } from "vitest";
import type { UserDirectoryQuery } from "#server/accounts/users/user-directory.ts";
import { describeEachDatabase } from "./databases.ts";
import { startAccounts, type TestServer } from "./accounts-server.ts";

const PEOPLE = [
  ["ada@example.com", "Ada", "Lovelace"],
  ["bert@example.com", "Bert", "100%"],
  ["carla_x@example.org", "carla", "Ørsted"],
  ["dora@example.org", "Dora", ""],
] as const;

async function startWithPeople(server: TestServer): Promise<void> {
  for (const [email, name, lastname] of PEOPLE) {
    await server.browser().post("/sign-up/email", {
      email,
      name,
      lastname,
      password: "correct horse battery",
    });
  }
}

async function namesOf(server: TestServer, query: Partial<UserDirectoryQuery>): Promise<string[]> {
  const { users } = await server.accounts.listUsers({
    sort: "name",
    descending: false,
    offset: 0,
    limit: 50,
    ...query,
  });
  return users.map(({ name }) => name);
}

describeEachDatabase("the directory of users", (openDatabase) => {
  test("says when a user who is signed out was last seen", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    await browser.post("/sign-out", {});
    const { items } = await server.accounts.securityEvents({ userId, limit: 3 });
    expect(items.map(({ kind }) => kind)).toEqual(["signedOut", "signedIn", "signedUp"]);
    const query = { sort: "name", descending: false, offset: 0, limit: 50 } as const;
    const { users } = await server.accounts.listUsers(query);
    expect(users.map(({ lastSeenAt }) => lastSeenAt)).toEqual([items[0].atMs]);
  });

  test("finds people by every word of their name or address, in either case", async () => {
    const server = await startAccounts(await openDatabase());
    await startWithPeople(server);
    expect(await namesOf(server, {})).toEqual(["Ada", "Bert", "carla", "Dora"]);
    expect(await namesOf(server, { search: "LOVE ada" })).toEqual(["Ada"]);
    expect(await namesOf(server, { search: "ada dora" })).toEqual([]);
    expect(await namesOf(server, { search: "example.org" })).toEqual(["carla", "Dora"]);
    expect(await namesOf(server, { search: "Ørsted" })).toEqual(["carla"]);
    // Signs of patterns mean themselves.
    expect(await namesOf(server, { search: "%" })).toEqual(["Bert"]);
    expect(await namesOf(server, { search: "_" })).toEqual(["carla"]);
    const { users } = await server.accounts.listUsers({
      search: "dora",
      sort: "name",
      descending: false,
      offset: 0,
      limit: 50,
    });
    expect(users).toEqual([
      {
        id: expect.any(String),
        role: "user",
        name: "Dora",
        lastname: "",
        email: "dora@example.org",
        emailVerified: false,
        createdAt: expect.any(Number),
        lastSeenAt: expect.any(Number),
        ban: null,
      },
    ]);
    expect(await namesOf(server, { search: users[0]?.id ?? "" })).toEqual(["Dora"]);
  });

  test("sorts, and has pages that together contain every user", async () => {
    const server = await startAccounts(await openDatabase());
    await startWithPeople(server);
    expect(await namesOf(server, { sort: "createdAt" })).toEqual(["Ada", "Bert", "carla", "Dora"]);
    expect(await namesOf(server, { sort: "email", descending: true })).toEqual([
      "Dora",
      "carla",
      "Bert",
      "Ada",
    ]);
    const second = await server.accounts.listUsers({
      sort: "name",
      descending: false,
      offset: 2,
      limit: 1,
    });
    expect(second.users.map(({ name }) => name)).toEqual(["carla"]);
    expect(second.total).toBe(4);
  });

  test("tells roles and bans apart, and forgets a ban that is over", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    await startWithPeople(server);
    const { userId: rootId } = await server.accounts.createAdmin({
      email: "root@example.com",
      password: "correct horse battery",
      name: "Root",
    });
    const root = server.browser();
    await root.signIn("root@example.com", "correct horse battery");
    const idOf = async (search: string) =>
      (
        await server.accounts.listUsers({
          search,
          sort: "name",
          descending: false,
          offset: 0,
          limit: 1,
        })
      ).users[0]?.id ?? "";
    const bert = await idOf("bert");
    await root.post("/admin/ban-user", { userId: bert, banReason: "Spam", banExpiresIn: 3600 });
    await root.post("/admin/ban-user", { userId: await idOf("dora"), banReason: "Fraud" });

    expect(await namesOf(server, { role: "admin" })).toEqual(["Root"]);
    expect(await namesOf(server, { role: "user" })).toEqual(["Ada", "Bert", "carla", "Dora"]);
    expect(await namesOf(server, { banned: true })).toEqual(["Bert", "Dora"]);
    expect(await namesOf(server, { banned: false, role: "user" })).toEqual(["Ada", "carla"]);
    const banned = await server.accounts.listUsers({
      banned: true,
      sort: "name",
      descending: false,
      offset: 0,
      limit: 50,
    });
    expect(banned.users.map(({ ban }) => ban)).toEqual([
      { reason: "Spam", until: expect.any(Number) },
      { reason: "Fraud", until: null },
    ]);
    expect(banned.total).toBe(2);

    const past = new Date(Date.now() - 1000);
    await database.write
      .updateTable("user")
      .set({ banExpires: database.dialect === "sqlite" ? past.toISOString() : past })
      .where("id", "=", bert)
      .execute();
    expect(await namesOf(server, { banned: true })).toEqual(["Dora"]);
    expect(await namesOf(server, { banned: false })).toContain("Bert");

    const named = await startAccounts(database, { ADMIN_USER_IDS: bert });
    expect(await namesOf(named, { role: "admin" })).toEqual(["Bert", "Root"]);
    expect(rootId).not.toBe(bert);
  });
});

describeEachDatabase("a page", (openDatabase) => {
  test("is told who looks through a user's eyes, and until when", async () => {
    const server = await startAccounts(await openDatabase());
    await startWithPeople(server);
    await server.accounts.createAdmin({
      email: "root@example.com",
      password: "correct horse battery",
      name: "Grace Hopper",
    });
    const root = server.browser();
    await root.signIn("root@example.com", "correct horse battery");
    const cookie = () => [...root.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    expect((await server.accounts.pageSession({ cookie: cookie() }))?.impersonation).toBeNull();
    const { users } = await server.accounts.listUsers({
      search: "ada",
      sort: "name",
      descending: false,
      offset: 0,
      limit: 1,
    });
    const began = await root.post("/admin/impersonate-user", { userId: users[0]?.id });
    const seen = await server.accounts.pageSession({ cookie: cookie() });
    expect(seen?.userId).toBe(users[0]?.id);
    expect(seen?.impersonation).toEqual({
      by: "Grace Hopper",
      until: Date.parse(began.body.session.expiresAt),
    });
    await root.post("/admin/stop-impersonating", {});
    expect((await server.accounts.pageSession({ cookie: cookie() }))?.impersonation).toBeNull();
  });
});

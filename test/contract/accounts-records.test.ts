import { expect, test } from "vitest";
import { startOpenIdProvider, throughProvider } from "./accounts-openid-provider.ts";
import { startAccounts, type TestServer } from "./accounts-server.ts";
import { describeEachDatabase } from "./databases.ts";

/** The titles of a user's events, oldest first, once there are so many. */
async function titlesOf(server: TestServer, userId: string, count: number): Promise<string[]> {
  for (let attempt = 0; ; attempt += 1) {
    const { items } = await server.accounts.securityEvents({ userId, limit: 100 });
    if (items.length >= count || attempt > 200) return items.map(({ title }) => title).toReversed();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describeEachDatabase("the record of security events", (openDatabase) => {
  test("a new address is on record as such once its link is opened, not as one that is confirmed", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    await browser.get(await server.mailLink("ada@example.com", /confirm your email/i));
    await browser.post("/change-email", { newEmail: "ada@new.example" });
    await browser.get(await server.mailLink("ada@example.com", /confirm the change/i));
    await browser.get(await server.mailLink("ada@new.example", /confirm your email/i));
    expect((await browser.get("/get-session")).body.user.email).toBe("ada@new.example");
    expect(await titlesOf(server, userId, 5)).toEqual([
      "Signed up",
      "Signed in",
      "Email address confirmed: ada@example.com",
      "A change of the email address was asked for: ada@new.example",
      "Email address changed: ada@new.example",
    ]);
  });

  test("what happens to an account is on record, with place and device", async () => {
    const server = await startAccounts(await openDatabase());
    server.clientAddress = "198.51.100.7";
    const [browser, other] = [server.browser(), server.browser()];
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    await browser.get(await server.mailLink("ada@example.com", /confirm your email/i));
    await other.signIn("ada@example.com", "not the password");
    await expect.poll(() => titlesOf(server, userId, 4)).toHaveLength(4);
    await other.signIn("ada@example.com");
    await browser.post("/revoke-other-sessions", {});
    await browser.post("/change-password", {
      currentPassword: "correct horse battery",
      newPassword: "an entirely new password",
    });
    await browser.post("/change-email", { newEmail: "ada@new.example" });
    await browser.post("/request-password-reset", { email: "ada@example.com" });
    const link = new URL(await server.mailLink("ada@example.com", /reset/i));
    await browser.post("/reset-password", {
      token: link.pathname.split("/").at(-1),
      newPassword: "correct horse battery",
    });
    const last = server.browser();
    await last.fetch(`${server.url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "A browser" },
      body: JSON.stringify({ email: "ada@example.com", password: "correct horse battery" }),
    });
    await last.post("/delete-user", { callbackURL: "/" });
    await last.post("/sign-out", {});
    expect(await titlesOf(server, userId, 13)).toEqual([
      "Signed up",
      "Signed in",
      "Email address confirmed: ada@example.com",
      "Someone tried to sign in with a wrong password",
      "Signed in: with the password",
      "A device was signed out",
      "Password changed",
      "A change of the email address was asked for: ada@new.example",
      "Someone asked for a link to reset the password",
      "Password reset through the mailed link",
      "Signed in: with the password",
      "A link to delete the account was asked for",
      "Signed out",
    ]);
    const { items } = await server.accounts.securityEvents({ userId, limit: 3 });
    expect(items[2]).toMatchObject({
      kind: "signedIn",
      actorId: null,
      status: "completed",
      address: "198.51.100.7",
      userAgent: "A browser",
    });
    const sessions = await server.database.read.selectFrom("security_events").selectAll().execute();
    expect(JSON.stringify(sessions)).not.toMatch(/correct horse|entirely new/);
  });

  test("what an admin does to a user names the admin, and outlives the user", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const [root, user] = [server.browser(), server.browser()];
    const rootId = (await root.signUp("root@example.com")).body.user.id;
    const userId = (await user.signUp("ada@example.com")).body.user.id;
    await root.post("/admin/set-role", { userId, role: ["user"] });
    await root.post("/admin/set-user-password", { userId, newPassword: "chosen by an admin" });
    await root.post("/admin/ban-user", { userId, banReason: "Spam" });
    await root.post("/admin/unban-user", { userId });
    await root.post("/admin/impersonate-user", { userId });
    await root.post("/admin/stop-impersonating", {});
    await root.post("/admin/remove-user", { userId });
    const titles = await titlesOf(server, userId, 9);
    expect(titles).toEqual([
      "Signed up",
      "Signed in",
      "Role changed: user (before: user)",
      "Password changed: by an administrator (before: another)",
      "Account banned by an administrator: Spam (before: not banned)",
      "Account unbanned by an administrator: before: banned, Spam",
      "An administrator started viewing this account",
      "The administrator stopped viewing this account",
      "Account deleted",
    ]);
    const { items } = await server.accounts.securityEvents({ userId, limit: 7 });
    expect(items.map(({ actorId }) => actorId)).toEqual(Array.from({ length: 7 }, () => rootId));
  });

  test("sign-in through a provider, adding and removing it are on record", async () => {
    const provider = await startOpenIdProvider();
    provider.users.set("ada", { email: "ada@example.com", email_verified: true, name: "Ada" });
    provider.subject = "ada";
    const server = await startAccounts(await openDatabase(), {
      SIGN_IN_PROVIDERS: provider.settings(),
    });
    provider.allow(`${server.url}/api/auth/callback/acme`);
    const browser = server.browser();
    const userId = (await browser.signUp("ada@example.com")).body.user.id;
    const asked = await browser.post("/link-social", { provider: "acme", callbackURL: "/" });
    await browser.get(await throughProvider(asked.body.url));
    const again = server.browser();
    const begun = await again.post("/sign-in/social", { provider: "acme", callbackURL: "/" });
    await again.get(await throughProvider(begun.body.url));
    await browser.post("/unlink-account", { providerId: "acme" });
    expect((await titlesOf(server, userId, 5)).slice(2)).toEqual([
      "Sign-in through another provider added: acme",
      "Signed in: through acme",
      "Sign-in through another provider removed: acme",
    ]);
  });

  test("the record is read page by page, searched, and of one user or of all", async () => {
    const server = await startAccounts(await openDatabase());
    const [ada, eve] = [server.browser(), server.browser()];
    const userId = (await ada.signUp("ada@example.com")).body.user.id;
    await eve.signUp("eve@example.com");
    for (let each = 0; each < 3; each += 1) await server.browser().signIn("ada@example.com");
    await titlesOf(server, userId, 5);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await server.accounts.securityEvents({
        userId,
        limit: 2,
        ...(cursor !== null && { cursor }),
      });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(seen).toEqual([...new Set(seen)].toSorted().toReversed());
    expect(seen).toHaveLength(5);
    const kinds = ["signedUp", "signedIn"] as const;
    const entrances = await server.accounts.securityEvents({ userId, kinds, limit: 1 });
    const { cursor: next } = entrances;
    const earlier = await server.accounts.securityEvents({
      userId,
      kinds,
      limit: 9,
      cursor: next ?? "",
    });
    expect([entrances, earlier].map(({ items }) => items.map(({ kind }) => kind))).toEqual([
      ["signedIn"],
      ["signedIn", "signedIn", "signedIn", "signedUp"],
    ]);
    expect(earlier.cursor).toBeNull();
    const find = async (search: string) =>
      (await server.accounts.securityEvents({ userId, search, limit: 9 })).items.length;
    expect([await find("SIGNED"), await find("the password"), await find("%")]).toEqual([5, 3, 0]);
    expect((await server.accounts.securityEvents({ limit: 100 })).items).toHaveLength(7);
  });

  test("searches take turns, and few of one user wait", async () => {
    const server = await startAccounts(await openDatabase());
    const userId = (await server.browser().signUp("ada@example.com")).body.user.id;
    await titlesOf(server, userId, 1);
    const ended: string[] = [];
    const find = async (owner: string) => {
      await server.accounts.securityEvents({ userId: owner, search: "signed", limit: 9 });
      ended.push(owner);
    };
    const own = Array.from({ length: 12 }, () => find(userId));
    const other = find("another");
    const outcomes = await Promise.allSettled(own);
    // One is under way and eight wait.
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(3);
    await other;
    expect(ended.indexOf("another")).toBeLessThan(3);
  });

  test("a record that cannot be written fails nothing", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    await database.write.schema.dropTable("security_events").execute();
    expect((await server.browser().signUp("ada@example.com")).status).toBe(200);
    expect((await server.browser().signIn("ada@example.com")).status).toBe(200);
  });
});

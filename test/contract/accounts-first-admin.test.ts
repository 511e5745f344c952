/** Who becomes the first administrator: the owner of ADMIN_EMAIL, and no one who only claims to be. */
import { expect, test } from "vitest";
import { startAccounts, type TestBrowser } from "./accounts-server.ts";
import { describeEachDatabase } from "./databases.ts";

const ROOT = "root@example.com";
const PRODUCTION = { ENVIRONMENT: "production", ADMIN_EMAIL: ROOT };

const roleOf = async (browser: TestBrowser) => (await browser.get("/get-session")).body.user.role;

describeEachDatabase("the first administrator", (openDatabase) => {
  test("in production proves the address in the browser that is signed in", async () => {
    const server = await startAccounts(await openDatabase(), PRODUCTION);
    await server.browser().signUp("earlier@example.com");
    const root = server.browser();
    expect((await root.signUp(ROOT)).body.user.role).toBe("user");
    expect(await roleOf(root)).toBe("user");
    const link = await server.mailLink(ROOT, /confirm/i);
    expect((await root.get(link)).headers.get("location")).toBe("/");
    expect(await roleOf(root)).toBe("admin");
    const { id } = (await root.get("/get-session")).body.user;
    const { items } = await server.accounts.securityEvents({ userId: id, limit: 1 });
    expect(items).toMatchObject([{ title: "Role changed: admin (before: user)", actorId: null }]);
    // No other administrator made them one, so they need not wait.
    expect(await server.accounts.changesByOtherAdmins(id, 0)).toEqual({
      roleAtMs: null,
      accessAtMs: null,
    });
  });

  test("is not the visitor who signed up with an address whose owner then opens the link", async () => {
    const server = await startAccounts(await openDatabase(), PRODUCTION);
    const eve = server.browser();
    await eve.signUp(ROOT);
    const owner = server.browser();
    const link = await server.mailLink(ROOT, /confirm/i);
    expect((await owner.get(link)).headers.get("location")).toBe("/");
    expect((await eve.get("/get-session")).body.user.emailVerified).toBe(true);
    // Neither afterwards, by the same link, by a new sign-in, or by any other token.
    await eve.get(link);
    await eve.get("/verify-email?token=invented");
    await eve.signIn(ROOT);
    expect(await roleOf(eve)).toBe("user");
    const other = server.browser();
    await other.signUp("other@example.com");
    await other.get(link);
    expect(await roleOf(other)).toBe("user");
  });

  test("is the only one: with an administrator at hand the address is like any other", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database, PRODUCTION);
    const password = "staple horse battery";
    await server.accounts.createAdmin({ email: "first@example.com", password, name: "First" });
    const root = server.browser();
    await root.signUp(ROOT);
    await root.get(await server.mailLink(ROOT, /confirm/i));
    expect((await root.get("/get-session")).body.user).toMatchObject({
      role: "user",
      emailVerified: true,
    });
    const listed = await startAccounts(await openDatabase(), {
      ADMIN_EMAIL: ROOT,
      ADMIN_USER_IDS: "someone",
    });
    expect((await listed.browser().signUp(ROOT)).body.user.role).toBe("user");
  });

  test("behind an https address proves it too, also in development", async () => {
    const server = await startAccounts(await openDatabase(), {
      ADMIN_EMAIL: ROOT,
      PUBLIC_URL: "https://exchange.example",
    });
    const root = server.browser();
    expect((await root.signUp(ROOT)).body.user.role).toBe("user");
    await root.get(await server.mailLink(ROOT, /confirm/i));
    expect(await roleOf(root)).toBe("admin");
  });

  test("in development signs up, and the address is enough", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "Root@Example.com" });
    await server.browser().signUp("earlier@example.com");
    const root = server.browser();
    await root.signUp(ROOT);
    expect(await roleOf(root)).toBe("admin");
  });
});

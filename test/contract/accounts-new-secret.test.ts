/** A new AUTH_SECRET: all users sign in again, and nothing stays broken. */
import { expect, test } from "vitest";
import { scan } from "#test/support/authenticator-app.ts";
import { startAccounts } from "./accounts-server.ts";
import { describeEachDatabase } from "./databases.ts";

const NEW_SECRET = "another-secret-of-tests-that-is-long-enough-9876543210";

describeEachDatabase("with a new secret", (openDatabase) => {
  test("all users sign in again and get a backend token", async () => {
    const database = await openDatabase();
    const before = await startAccounts(database);
    const browser = before.browser();
    await browser.signUp("ada@example.com");
    const oldToken = await browser.backendToken();
    expect(oldToken).toBeTruthy();

    const after = await startAccounts(database, {}, NEW_SECRET);
    const again = after.browser();
    for (const [name, value] of browser.cookies) again.cookies.set(name, value);
    expect((await again.get("/get-session")).body).toBeNull();
    expect(await after.accounts.pageSession({ cookie: again.cookieHeader() })).toBeNull();
    await expect(after.accounts.verifyBackendToken(oldToken)).rejects.toThrow();

    expect((await again.signIn("ada@example.com")).status).toBe(200);
    const token = await again.backendToken();
    expect((await after.accounts.verifyBackendToken(token)).subject).toBe(
      (await again.get("/get-session")).body.user.id,
    );
    const page = await after.accounts.pageSession({ cookie: again.cookieHeader() });
    expect(page?.token).toBeTruthy();
    // And the next start finds nothing to do.
    const keys = await database.read.selectFrom("jwks").select("id").execute();
    const third = await startAccounts(database, {}, NEW_SECRET);
    await third.browser().get("/ok");
    expect(await database.read.selectFrom("jwks").select("id").execute()).toEqual(keys);
  });

  test("a second step stays asked for, says that it cannot be checked, and is removed by an administrator", async () => {
    const database = await openDatabase();
    const before = await startAccounts(database);
    const browser = before.browser();
    await browser.signUp("ada@example.com");
    const enabled = await browser.post("/two-factor/enable", { password: "correct horse battery" });
    const app = scan(enabled.body.totpURI);
    await browser.post("/two-factor/verify-totp", { code: app.code() });

    const after = await startAccounts(database, {}, NEW_SECRET);
    const again = after.browser();
    expect((await again.signIn("ada@example.com")).body.twoFactorRedirect).toBe(true);
    for (const [path, code] of [
      ["/two-factor/verify-totp", app.code(1)],
      ["/two-factor/verify-backup-code", enabled.body.backupCodes[0]],
    ]) {
      const answer = await again.post(path, { code });
      expect([answer.status, answer.body.code]).toEqual([403, "SECOND_FACTOR_UNREADABLE"]);
    }
    expect((await again.get("/get-session")).body).toBeNull();

    const password = "staple horse battery";
    await after.accounts.createAdmin({ email: "root@example.com", password, name: "Root" });
    const root = after.browser();
    await root.signIn("root@example.com", password);
    const { id } = await database.read
      .selectFrom("user")
      .select("id")
      .where("email", "=", "ada@example.com")
      .executeTakeFirstOrThrow();
    expect((await root.post("/admin/remove-second-factor", { userId: id })).status).toBe(200);
    expect((await after.browser().signIn("ada@example.com")).body.user.id).toBe(id);
  });
});

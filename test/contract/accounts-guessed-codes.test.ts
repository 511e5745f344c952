/** A client that guesses the codes of a second step cannot make the exchange forget the wrong ones. */
import { expect, test } from "vitest";
import { storedTime } from "#server/database/accounts-tables.ts";
import { scan } from "#test/support/authenticator-app.ts";
import { startAccounts, type TestBrowser, type TestServer } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

const EMAIL = "ada@example.com";

/** Signs up, switches the second factor on, and stays signed in. */
async function protectedUser(server: TestServer): Promise<TestBrowser> {
  const browser = server.browser();
  await browser.signUp(EMAIL);
  const enabled = await browser.post("/two-factor/enable", { password: "correct horse battery" });
  const code = scan(enabled.body.totpURI).code();
  expect((await browser.post("/two-factor/verify-totp", { code })).status).toBe(200);
  return browser;
}

/** Calls of a session that end what else of its user has begun. */
const ENDING_CALLS: readonly [string, (times: number) => object][] = [
  ["/revoke-session", () => ({ token: "of no session" })],
  ["/revoke-other-sessions", () => ({})],
  ["/change-email", (times) => ({ newEmail: `ada-${times}@example.com` })],
];

describeShareOfDatabases("wrong codes", (openDatabase) => {
  test.each(ENDING_CALLS)("given in a session are not forgotten by %s", async (path, bodyOf) => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    const session = await protectedUser(server);
    const identity = await server.accounts.verifyBackendToken(await session.backendToken());
    const reasons: string[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      server.clientAddress = `198.51.100.${guess}`;
      const refused = await server.accounts.confirmIdentity(identity, "000000").catch(String);
      reasons.push(String(refused));
      expect((await session.post(path, bodyOf(guess))).status).toBe(200);
    }
    expect(reasons.slice(10)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining("Too many codes were tried.")),
    );
  });

  test.each(ENDING_CALLS)(
    "given with the password are not forgotten by %s in another session",
    async (path, bodyOf) => {
      const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
      const session = await protectedUser(server);
      const statuses: number[] = [];
      for (let guess = 0; guess < 12; guess += 1) {
        server.clientAddress = `198.51.100.${guess}`;
        const { email } = (await session.get("/get-session")).body.user;
        const stranger = server.browser();
        expect((await stranger.signIn(email)).body.twoFactorRedirect).toBe(true);
        const answer = await stranger.post("/two-factor/verify-totp", { code: "000000" });
        statuses.push(answer.status);
        expect((await session.post(path, bodyOf(guess))).status).toBe(200);
      }
      expect(statuses.slice(10)).toEqual([429, 429]);
    },
  );

  test("are not forgotten with a password that is changed in a session of long ago", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    const session = await protectedUser(server);
    const createdAt = storedTime(server.database, Date.now() - 7 * 24 * 3_600_000);
    await server.database.write.updateTable("session").set({ createdAt }).execute();
    const passwords = ["correct horse battery"];
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      server.clientAddress = `198.51.100.${guess}`;
      const currentPassword = passwords.at(-1);
      const stranger = server.browser();
      await stranger.signIn(EMAIL, currentPassword);
      const answer = await stranger.post("/two-factor/verify-totp", { code: "000000" });
      statuses.push(answer.status);
      const newPassword = `an entirely new password ${guess}`;
      const change = await session.post("/change-password", { currentPassword, newPassword });
      expect(change.status).toBe(200);
      passwords.push(newPassword);
    }
    expect(statuses.slice(10)).toEqual([429, 429]);
  });
});

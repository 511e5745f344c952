import { expect, test, vi } from "vitest";
import {
  UNCHANGED_PASSWORD_SENTENCE,
  WEAK_PASSWORD_SENTENCE,
} from "#server/accounts/passwords/password-guard.ts";
import { hashPassword } from "better-auth/crypto";
import { startAccounts, type TestServer } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

// One of them hashes with the accounts library.
vi.stubEnv("REAL_PASSWORDS", "1");

const PASSWORD = "correct horse battery";
const WEAK = [400, "PASSWORD_TOO_WEAK"];

async function resetToken(server: TestServer, email: string): Promise<string> {
  await server.browser().post("/request-password-reset", { email });
  const link = new URL(await server.mailLink(email, /reset/i));
  return link.pathname.split("/").at(-1) ?? "";
}

describeShareOfDatabases("weak passwords", (openDatabase) => {
  test("are refused at sign-up, with what to do, and sign no one up", async () => {
    const server = await startAccounts(await openDatabase());
    for (const password of ["password1", "Lovelace1", "byron1815", "openbell1", "a".repeat(128)]) {
      const person = { password, name: "Ada", lastname: "Lovelace" };
      const answer = await server.browser().signUp("ada.byron@example.com", person);
      expect([password, answer.status, answer.body.code]).toEqual([password, ...WEAK]);
      expect(answer.body.message).toBe(WEAK_PASSWORD_SENTENCE);
    }
    expect(server.created).toEqual([]);
    // The same for an address that is taken: the answer does not tell.
    await server.browser().signUp("ada.byron@example.com");
    const known = await server.browser().signUp("ada.byron@example.com", { password: "password1" });
    expect([known.status, known.body.code]).toEqual(WEAK);
    // Too short and too long are told apart from weak.
    const short = await server.browser().signUp("eve@example.com", { password: "abc" });
    const long = await server.browser().signUp("eve@example.com", { password: "a".repeat(129) });
    expect([short.body.code, long.body.code]).toEqual(["PASSWORD_TOO_SHORT", "PASSWORD_TOO_LONG"]);
  });

  test("are refused when one is changed or reset, and the old one and the link go on working", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com", { lastname: "Lovelace" });
    for (const newPassword of ["password1", "Lovelace1"]) {
      const change = { currentPassword: "correct horse battery", newPassword };
      const changed = await browser.post("/change-password", change);
      expect([changed.status, changed.body.code]).toEqual(WEAK);
    }
    const token = await resetToken(server, "ada@example.com");
    for (const newPassword of ["password1", "Lovelace1"]) {
      const reset = await browser.post("/reset-password", { token, newPassword });
      expect([reset.status, reset.body.code]).toEqual(WEAK);
      const inAddress = await browser.post(`/reset-password?token=${token}`, { newPassword });
      expect([inAddress.status, inAddress.body.code]).toEqual(WEAK);
    }
    expect((await server.browser().signIn("ada@example.com")).status).toBe(200);
    // Of a bad link nothing is told but that.
    const bad = { token: "x".repeat(24), newPassword: "password1" };
    expect((await browser.post("/reset-password", bad)).body.code).toBe("INVALID_TOKEN");
    const good = { token, newPassword: "an entirely new password" };
    expect((await browser.post("/reset-password", good)).status).toBe(200);
  });

  test("are refused when an admin sets one, and only an admin learns so", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const [root, ada] = [server.browser(), server.browser()];
    await root.signUp("root@example.com");
    const signedUp = await ada.signUp("ada@example.com", { lastname: "Lovelace" });
    const userId = signedUp.body.user.id;
    for (const newPassword of ["password1", "Lovelace1"]) {
      const body = { userId, newPassword };
      const set = await root.post("/admin/set-user-password", body);
      expect([set.status, set.body.code]).toEqual(WEAK);
      expect((await ada.post("/admin/set-user-password", body)).status).toBe(403);
      expect((await server.browser().post("/admin/set-user-password", body)).status).toBe(401);
    }
    const made = { email: "eve@example.com", name: "Eve", password: "password1" };
    const created = await root.post("/admin/create-user", made);
    expect([created.status, created.body.code]).toEqual(WEAK);
    const admin = { email: "boss@example.com", name: "Boss", password: "password1" };
    await expect(server.accounts.createAdmin(admin)).rejects.toThrow(WEAK_PASSWORD_SENTENCE);
  });

  test("are not the only ones refused: none is guessed with a session that was left open", async () => {
    const server = await startAccounts(await openDatabase(), { AUTH_RATE_LIMIT: "on" });
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    let address = 0;
    const guess = async (path: string, password: string) => {
      address += 1;
      server.clientAddress = `203.0.113.${address}`;
      const newPassword = "an entirely new password";
      return browser.post(path, { password, currentPassword: password, newPassword });
    };
    const paths = [
      "/verify-password",
      "/change-password",
      "/delete-user",
      "/two-factor/enable",
      "/two-factor/get-totp-uri",
    ];
    expect((await browser.post("/two-factor/enable", { password: PASSWORD })).status).toBe(200);
    await guess("/delete-user", "not the password");
    // A correct one resets the count.
    expect((await guess("/verify-password", PASSWORD)).status).toBe(200);
    for (const path of [...paths, ...paths]) {
      expect([path, (await guess(path, "not the password")).status]).toEqual([path, 400]);
    }
    for (const path of paths) {
      expect([path, (await guess(path, PASSWORD)).status]).toEqual([path, 429]);
    }
  });

  test("that people have already go on working", async () => {
    const server = await startAccounts(await openDatabase());
    await server.browser().signUp("ada@example.com");
    await server.database.write
      .updateTable("account")
      .set({ password: await hashPassword("password1") })
      .execute();
    const browser = server.browser();
    expect((await browser.signIn("ada@example.com", "password1")).status).toBe(200);
    const change = { currentPassword: "password1", newPassword: "an entirely new password" };
    expect((await browser.post("/change-password", change)).status).toBe(200);
  });
});

describeShareOfDatabases("an unchanged password", (openDatabase) => {
  test("a password is not changed to itself, and the refusal tells nothing about it", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    await browser.signUp("ada@example.com");
    const other = server.browser();
    await other.signIn("ada@example.com");
    for (const password of [PASSWORD, "a password that is not hers"]) {
      const change = { currentPassword: password, newPassword: password };
      const answer = await browser.post("/change-password", {
        ...change,
        revokeOtherSessions: true,
      });
      expect([answer.status, answer.body.code, answer.body.message]).toEqual([
        400,
        "PASSWORD_UNCHANGED",
        UNCHANGED_PASSWORD_SENTENCE,
      ]);
    }
    // Nothing else happened either.
    expect((await other.get("/get-session")).body?.user?.email).toBe("ada@example.com");
    const change = { currentPassword: PASSWORD, newPassword: "an entirely new password" };
    expect((await browser.post("/change-password", change)).status).toBe(200);
  });
});

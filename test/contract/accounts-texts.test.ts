import { expect, test } from "vitest";
import { startAccounts } from "./accounts-server.ts";
import { describeEachDatabase } from "./databases.ts";

const SIGN_UP = {
  name: "Ada",
  lastname: "Lovelace",
  email: "ada@example.com",
  password: "correct-horse-battery-9",
};

describeEachDatabase("what people write about themselves", (openDatabase) => {
  test.each([
    ["a name of 10,000 characters", { name: "n".repeat(10_000) }, "body.name"],
    ["a last name of 60,000 characters", { lastname: "l".repeat(60_000) }, "body.lastname"],
    ["an address of 10,000 characters", { email: `${"e".repeat(10_000)}@x.com` }, "body.email"],
    ["a null character in the name", { name: "A\u0000da" }, "body.name"],
    ["a line break in the last name", { lastname: "Love\nlace" }, "body.lastname"],
    ["a picture that is a script", { image: "javascript:alert(1)" }, "body.image"],
  ])("%s is refused by field at sign-up and signs no one up", async (_name, change, field) => {
    const server = await startAccounts(await openDatabase());
    const answer = await server.browser().post("/sign-up/email", { ...SIGN_UP, ...change });
    expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(answer.body.details).toContain(`[${field}]`);
    expect(server.created).toEqual([]);
  });

  test("a null character is refused by field wherever it is sent", async () => {
    const server = await startAccounts(await openDatabase());
    const browser = server.browser();
    expect((await browser.post("/sign-up/email", SIGN_UP)).status).toBe(200);
    const bodies: [path: string, body: object, field: string][] = [
      ["/update-user", { name: "A\u0000" }, "body.name"],
      ["/reset-password", { newPassword: SIGN_UP.password, token: "t\u0000" }, "body.token"],
      ["/revoke-session", { token: "t\u0000" }, "body.token"],
      ["/delete-user", { inner: { list: ["t\u0000"] } }, "body.inner.list.0"],
    ];
    for (const [path, body, field] of bodies) {
      const answer = await browser.post(path, body);
      expect([path, answer.status, answer.body.code]).toEqual([path, 400, "VALIDATION_ERROR"]);
      expect(answer.body.details).toContain(`[${field}]`);
    }
    for (const path of ["/verify-email?token=t%00", "/delete-user/callback?token=t%00"]) {
      const answer = await browser.get(path);
      expect([path, answer.status, answer.body.code]).toEqual([path, 400, "VALIDATION_ERROR"]);
    }
  });

  test("names of other scripts and long but possible ones are welcome", async () => {
    const server = await startAccounts(await openDatabase());
    const names = { name: "Ерфан 李", lastname: "ß".repeat(100) };
    const answer = await server.browser().post("/sign-up/email", { ...SIGN_UP, ...names });
    expect([answer.status, answer.body.user.name]).toEqual([200, names.name]);
  });

  test("the outbox is closed to clients behind a proxy", async () => {
    const server = await startAccounts(await openDatabase());
    const look = async (headers: Record<string, string>) =>
      (await fetch(`${server.url}/outbox`, { headers })).status;
    expect(await look({})).toBe(200);
    expect(await look({ "x-forwarded-for": "203.0.113.9" })).toBe(403);
    expect(await look({ forwarded: "for=203.0.113.9" })).toBe(403);
  });
});

import { expect, test } from "vitest";
import { startAccounts } from "./accounts-server.ts";
import { describeShareOfDatabases } from "./databases.ts";

describeShareOfDatabases("a user with money that was paid in", (openDatabase) => {
  test("is deleted neither by themselves nor by an administrator, and can still sign in", async () => {
    const server = await startAccounts(await openDatabase(), { ADMIN_EMAIL: "root@example.com" });
    const root = server.browser();
    await root.signUp("root@example.com");
    const ada = server.browser();
    await ada.signUp("ada@example.com");
    const { user } = (await ada.get("/get-session")).body as { user: { id: string } };
    server.holdsFunds = () => true;
    const own = await ada.post("/delete-user", { password: "correct horse battery" });
    expect([own.status, own.body.code]).toEqual([403, "HOLDS_FUNDS"]);
    const byAdmin = await root.post("/admin/remove-user", { userId: user.id });
    expect([byAdmin.status, byAdmin.body.code]).toEqual([403, "HOLDS_FUNDS"]);
    expect(server.deleted).toEqual([]);
    const again = server.browser();
    const entered = await again.post("/sign-in/email", {
      email: "ada@example.com",
      password: "correct horse battery",
    });
    expect(entered.status).toBe(200);

    server.holdsFunds = () => false;
    expect((await root.post("/admin/remove-user", { userId: user.id })).status).toBe(200);
    expect(server.deleted).toEqual([user.id]);
  });
});

/** A mutation that waits for something, and a session that ends meanwhile. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";
import { createExecutor } from "./executor.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene();
});
afterAll(() => scene.close());

test("a mutation under way is refused when its session ends before it reaches the exchange", async () => {
  const { services } = scene;
  const session = { isLive: true };
  const executor = createExecutor({
    ...services,
    accounts: { ...services.accounts, isSessionLive: () => session.isLive },
  });
  const identity = { subject: "anna", sessionId: "hers", issuedAtMs: 0, expiresAtMs: 1e15 };
  const take = () =>
    executor.mutation({ path: "accounts:takePracticeFunds", args: {}, identity }, "");
  // It waits for the opening of the account.
  const underWay = take();
  session.isLive = false;
  expect(refusal(await underWay)).toMatchObject({ code: "unauthorized" });
  const account = services.views.accounts.ofUser("anna")?.account ?? 0;
  expect(account).not.toBe(0);
  expect(services.views.people.transfers(account)).toEqual([]);
  session.isLive = true;
  expect((await take()).status).toBe("success");
});

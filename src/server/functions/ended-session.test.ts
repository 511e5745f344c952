/** A slow mutation whose session ends before it does. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";
import type { Order } from "#contract/types.ts";
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

test("a cancel-all completes although the session ends in the meantime", async () => {
  const { services } = scene;
  const { exchange } = services;
  const bert = scene.as("bert");
  await bert.done("accounts:takePracticeFunds");
  const far = { market: "BTC-USD", side: "buy", type: "limit", price: "1000.00", quantity: "0.01" };
  for (let orders = 0; orders < 5; orders++) await bert.done("orders:place", far);
  // Three commands.
  await exchange.submit({ type: "limitWork", ordersMax: 2, levelsMax: 4096 });
  const session = { isLive: true };
  const executor = createExecutor({
    ...services,
    accounts: { ...services.accounts, isSessionLive: () => session.isLive },
    exchange: {
      ...exchange,
      submit: (command, key) => {
        const outcome = exchange.submit(command, key);
        session.isLive = false;
        return outcome;
      },
    },
  });
  const identity = { subject: "bert", sessionId: "his", issuedAtMs: 0, expiresAtMs: 1e15 };
  const cancelAll = { path: "orders:cancelAll", args: {}, identity };
  expect(await executor.mutation(cancelAll, "")).toEqual({
    status: "success",
    value: { cancelled: 5 },
  });
  expect(bert.value<Order[]>("orders:open")).toEqual([]);
  // Another request is refused as before.
  expect(refusal(await executor.mutation(cancelAll, ""))).toMatchObject({ code: "unauthorized" });
});

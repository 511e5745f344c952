import { afterAll, beforeAll, expect, test } from "vitest";
import type { PlaceOrderResult } from "#contract/types.ts";
import { RECORDS_KEPT } from "#server/views/person-records.ts";
import { type FunctionScene, openFunctionScene } from "#test/support/function-scene.ts";
import { placeOrderCommand } from "#test/support/market-scene.ts";
import { findOrderByClientId } from "./orders.ts";
import { FunctionError } from "./function-error.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene();
});
afterAll(() => scene.close());

test("an order is found by its client order id while it is open, after its end, and from the history", async () => {
  const { services } = scene;
  const anna = scene.as("anna");
  await anna.done("accounts:takePracticeFunds");
  const account = services.views.accounts.ofUser("anna")?.account ?? 0;
  const place = async (clientOrderId: string) => {
    const terms = { market: "BTC-USD", side: "buy", type: "limit", price: "30000", clientOrderId };
    const { order } = await anna.done<PlaceOrderResult>("orders:place", {
      ...terms,
      quantity: "0.001",
    });
    return Number(order.orderId);
  };
  const find = async (clientOrderId: string) =>
    (await findOrderByClientId(services, account, clientOrderId)).orderId;

  const orderId = await place("first");
  expect(await find("first")).toBe(orderId);
  await anna.done("orders:cancelAll", {});
  expect(await find("first")).toBe(orderId);
  // Enough later orders that it is no longer in memory.
  const { exchange, views } = services;
  const later = { account, side: "buy", price: "30000", quantity: "0.001" } as const;
  for (let round = 0; round <= 2 * RECORDS_KEPT; round += 50) {
    const command = placeOrderCommand(views, later);
    await Promise.all(Array.from({ length: 50 }, () => exchange.submit(command)));
    await exchange.submit({ type: "cancelAllOrders", account, marketId: 0 });
  }
  expect(services.views.people.orderByClientId(account, "first")).toBeUndefined();
  expect(await find("first")).toBe(orderId);
  await expect(find("second")).rejects.toThrow(FunctionError);
  await expect(findOrderByClientId(services, account + 1, "first")).rejects.toThrow(FunctionError);
});

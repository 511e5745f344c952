/** Past and open orders in an unmodified client. */
import ccxt, { type Order } from "ccxt";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PlaceOrderResult } from "#contract/types.ts";
import { DAY_MS } from "#engine/time/calendar.ts";
import {
  type CcxtClient,
  openTradingApiScene,
  type TradingApiScene,
} from "#test/support/trading-api-scene.ts";

let scene: TradingApiScene;
let anna: CcxtClient;
let bert: CcxtClient;
/** In the order in which they were placed. */
const placed: string[] = [];

async function place(terms: object): Promise<void> {
  const limit = { market: "BTC-USD", type: "limit", side: "buy", quantity: "0.01" };
  const args = { ...limit, ...terms };
  const { order } = await scene.as("anna").done<PlaceOrderResult>("orders:place", args);
  placed.push(order.orderId);
}

beforeAll(async () => {
  scene = await openTradingApiScene();
  const maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000 });
  await maker({ market: "BTC-USD", side: "sell", price: "64000.00", quantity: "0.3" });
  for (const userId of ["anna", "bert"]) {
    await scene.as(userId).done("accounts:takePracticeFunds");
  }
  await place({ price: "64000.00", quantity: "0.1", clientOrderId: "bought" });
  await place({ price: "50000.00", clientOrderId: "cancelled" });
  await scene.as("anna").done("orders:cancel", { orderId: placed[1] });
  await place({ price: "50000.00", clientOrderId: "resting" });
  await place({ price: "51000.00", market: "ETH-USD", quantity: "0.001" }).catch(() => undefined);
  anna = await scene.client("anna");
  bert = await scene.client("bert");
});
afterAll(() => scene.close());

const idsOf = (orders: readonly Order[]) => orders.map(({ id }) => id);

test("all orders of a market are there, open and ended, oldest first and each once", async () => {
  const orders = await anna.fetchOrders("BTC/USD");
  expect(idsOf(orders)).toEqual(placed.slice(0, 3));
  expect(orders.map(({ status }) => status)).toEqual(["closed", "canceled", "open"]);
  expect(orders[0]).toMatchObject({
    clientOrderId: "bought",
    filled: 0.1,
    average: 64_000,
    cost: 6_400,
  });
  expect(idsOf(await anna.fetchClosedOrders("BTC/USD"))).toEqual([placed[0]]);
  expect(idsOf(await anna.fetchOpenOrders("BTC/USD"))).toEqual([placed[2]]);
  expect(await bert.fetchOrders("BTC/USD")).toEqual([]);
});

test("orders are read by number, by time and as many as wanted", async () => {
  const read = async (params: object, since?: number, limit?: number) =>
    idsOf(await anna.fetchOrders("BTC/USD", since, limit, params));
  expect(await read({ orderId: placed[1] })).toEqual(placed.slice(1, 3));
  expect(await read({ orderId: placed[1] }, undefined, 1)).toEqual([placed[1]]);
  expect(await read({}, undefined, 2)).toEqual(placed.slice(1, 3));
  const [first] = await anna.fetchOrders("BTC/USD");
  expect(await read({}, Number(first.timestamp), 1)).toEqual([placed[0]]);
  expect(await read({ endTime: Number(first.timestamp) - 1 })).toEqual([]);
  const tooLong = anna.fetchOrders("BTC/USD", 1, 10, { endTime: 2 + DAY_MS });
  await expect(tooLong).rejects.toThrow("-1127");
});

test("an order is found by its client order id, by its owner alone", async () => {
  const named = { clientOrderId: "cancelled" };
  expect(await anna.fetchOrder("", "BTC/USD", named)).toMatchObject({ id: placed[1] });
  await expect(bert.fetchOrder("", "BTC/USD", named)).rejects.toThrow(ccxt.OrderNotFound);
});

test("an order has the strategy that its owner gave it, and is a plain order otherwise", async () => {
  const strategy = { strategyId: -42, strategyType: 1_000_000 };
  const order = { symbol: "BTCUSD", side: "BUY", type: "LIMIT", timeInForce: "GTC" };
  const terms = { ...order, price: "49000.00", quantity: "0.01", ...strategy };
  const placed = (await anna.privatePostOrder(terms)) as { orderId: number; strategyId: number };
  expect(placed).toMatchObject(strategy);
  const { orderId } = placed;
  const read = () => anna.privateGetOrder({ symbol: "BTCUSD", orderId });
  expect(await read()).toMatchObject({ ...strategy, status: "NEW" });
  const replacement = { ...terms, cancelReplaceMode: "STOP_ON_FAILURE", cancelOrderId: orderId };
  expect(
    await anna.privatePostOrderCancelReplace({ ...replacement, strategyId: 43 }),
  ).toMatchObject({ cancelResponse: strategy, newOrderResponse: { strategyId: 43 } });
  expect(await read()).toMatchObject({ ...strategy, status: "CANCELED" });
  await anna.cancelAllOrders("BTC/USD");
  const refused = (change: object) => anna.privatePostOrder({ ...terms, ...change });
  await expect(refused({ strategyType: 999_999 })).rejects.toThrow("-1134");
  await expect(refused({ strategyType: 2 ** 31 })).rejects.toThrow("-1130");
  await expect(refused({ strategyId: "seven" })).rejects.toThrow("-1100");
});

test("what was acknowledged a moment ago is there", async () => {
  for (let count = 0; count < 5; count += 1) {
    await place({ price: "50000.00" });
    const newest = await anna.fetchOrders("BTC/USD", undefined, 1);
    expect(idsOf(newest)).toEqual([placed.at(-1)]);
  }
});

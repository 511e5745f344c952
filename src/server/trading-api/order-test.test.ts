/** `order/test`: an order is validated but not placed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type CcxtClient,
  openTradingApiScene,
  type TradingApiScene,
} from "#test/support/trading-api-scene.ts";

let scene: TradingApiScene;
let anna: CcxtClient;
let reader: CcxtClient;

const LIMIT = {
  symbol: "BTCUSD",
  side: "BUY",
  type: "LIMIT",
  timeInForce: "GTC",
  quantity: "0.01",
  price: "60000.00",
};
type Params = Record<string, string | boolean>;

beforeAll(async () => {
  scene = await openTradingApiScene({ PRACTICE_FUNDS: "USD:100000" });
  const maker = await scene.participant("maker", { USD: 1_000_000, BTC: 10 });
  await maker({ market: "BTC-USD", side: "sell", price: "64000.00", quantity: "1" });
  await scene.as("anna").done("accounts:takePracticeFunds");
  anna = await scene.client("anna");
  reader = await scene.client("anna", ["read"]);
});
afterAll(() => scene.close());

const refusal = (parameters: Params) =>
  expect(anna.privatePostOrderTest({ ...LIMIT, ...parameters })).rejects;

test("a good order is answered with nothing, and nothing is placed or counted", async () => {
  const { sequence } = scene.services.exchange.health();
  expect(await anna.privatePostOrderTest(LIMIT)).toEqual({});
  const market = { symbol: "BTCUSD", side: "BUY", type: "MARKET", quoteOrderQty: "100" };
  expect(await anna.privatePostOrderTest(market)).toEqual({});
  const tested = await anna.createOrder("BTC/USD", "limit", "buy", 0.01, 60_000, { test: true });
  expect(tested.id).toBeUndefined();
  expect(await anna.fetchOpenOrders("BTC/USD")).toEqual([]);
  const counts = (await anna.privateGetRateLimitOrder()) as { count: string }[];
  expect(counts.map(({ count }) => Number(count))).toEqual([0, 0]);
  expect(scene.services.exchange.health().sequence).toBe(sequence);
});

test("the balance is not looked at, as an order that is not placed holds nothing", async () => {
  expect(await anna.privatePostOrderTest({ ...LIMIT, quantity: "10" })).toEqual({});
  expect(await anna.privatePostOrderTest({ ...LIMIT, side: "SELL", price: "65000" })).toEqual({});
});

test("everything else that refuses an order refuses its test with the same code and text", async () => {
  await refusal({ price: "60000.001" }).toThrow("Filter failure: PRICE_FILTER");
  await refusal({ quantity: "0.00001" }).toThrow("Filter failure: LOT_SIZE");
  await refusal({ quantity: "0.0001", price: "10" }).toThrow("Filter failure: NOTIONAL");
  await refusal({ icebergQty: "0.0001" }).toThrow("Filter failure: ICEBERG_PARTS");
  await refusal({ symbol: "NONE" }).toThrow("Invalid symbol.");
  await refusal({ stopPrice: "1" }).toThrow("Parameter 'stopPrice' sent when not required.");
  const maker = { type: "LIMIT_MAKER", price: "64000" };
  const { timeInForce: _omitted, ...untimed } = LIMIT;
  await expect(anna.privatePostOrderTest({ ...untimed, ...maker })).rejects.toThrow(
    "Order would immediately match and take.",
  );
  await anna.privatePostOrder({ ...LIMIT, newClientOrderId: "mine" });
  await refusal({ newClientOrderId: "mine" }).toThrow("Duplicate order sent.");
  await anna.privateDeleteOrder({ symbol: "BTCUSD", origClientOrderId: "mine" });
});

test("the rates that the order would pay are those of the account", async () => {
  const answer = await anna.privatePostOrderTest({ ...LIMIT, computeCommissionRates: true });
  const commission = await anna.privateGetAccountCommission({ symbol: "BTCUSD" });
  const { maker, taker } = commission["standardCommission"] as Record<string, string>;
  const none = { maker: "0.00000000", taker: "0.00000000" };
  expect(answer).toEqual({
    standardCommissionForOrder: { maker, taker },
    specialCommissionForOrder: none,
    taxCommissionForOrder: none,
    discount: commission["discount"],
  });
  expect(Number(taker)).toBeGreaterThan(0);
});

test("it takes a key that may trade", async () => {
  await expect(reader.privatePostOrderTest(LIMIT)).rejects.toThrow(
    "Invalid API-key, IP, or permissions for action.",
  );
});

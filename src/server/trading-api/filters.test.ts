/**
 * At the limit of each filter an order is accepted, beyond it that filter refuses it. The limits are
 * read from the filters, so the published ones and the enforced ones cannot differ.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { OrderTerms } from "#engine/order-terms.ts";
import { multiplyDecimals } from "#contract/decimal.ts";
import {
  type CcxtClient,
  openTradingApiScene,
  type TradingApiScene,
} from "#test/support/trading-api-scene.ts";
import type { MarketView } from "#server/views/catalogue.ts";
import { marketOf } from "./symbols.ts";

let scene: TradingApiScene;
let anna: CcxtClient;
let market: MarketView;

type Filter = Record<string, string | number | boolean>;
type Params = Record<string, string | number>;

/** Both sides have an offer around the last price, which is 64 000. */
beforeAll(async () => {
  scene = await openTradingApiScene({ PRACTICE_FUNDS: "USD:100000,BTC:1" });
  const [maker, taker] = await Promise.all(
    ["maker", "taker"].map((name) => scene.participant(name, { USD: 1_000_000, BTC: 100 })),
  );
  await maker({ market: "BTC-USD", side: "sell", price: "64000.00", quantity: "0.1" });
  await taker({ market: "BTC-USD", side: "buy", price: "64000.00", quantity: "0.1" });
  await maker({ market: "BTC-USD", side: "sell", price: "64000.00", quantity: "5" });
  await maker({ market: "BTC-USD", side: "buy", price: "63999.00", quantity: "5" });
  for (const userId of ["anna", "bert", "cora"]) {
    await scene.as(userId).done("accounts:takePracticeFunds");
  }
  anna = await scene.client("anna");
  market = marketOf(scene.services.views, "BTCUSD");
});
afterAll(() => scene.close());

async function exchangeInfo() {
  const info = (await anna.publicGetExchangeInfo({ symbol: "BTCUSD" })) as {
    exchangeFilters: Filter[];
    symbols: ({ filters: Filter[] } & Record<string, unknown>)[];
  };
  return { ...info.symbols[0], exchangeFilters: info.exchangeFilters };
}

async function filter(filterType: string): Promise<Record<string, string>> {
  const { exchangeFilters, filters } = await exchangeInfo();
  const found = [...filters, ...exchangeFilters].find((one) => one["filterType"] === filterType);
  if (found === undefined) throw new Error(`there is no ${filterType}`);
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]));
}

const LIMIT = {
  symbol: "BTCUSD",
  side: "BUY",
  type: "LIMIT",
  timeInForce: "GTC",
  quantity: "0.01",
  price: "60000.00",
};
const MARKET = { symbol: "BTCUSD", side: "BUY", type: "MARKET" };
const STOP = { symbol: "BTCUSD", side: "SELL", type: "STOP_LOSS", quantity: "0.01" };

/** The filter that refuses an order; "" for none. */
async function refusalOf(order: Params): Promise<string> {
  try {
    await anna.privatePostOrderTest(order);
    return "";
  } catch {
    const { code, msg } = JSON.parse(anna.last_http_response ?? "") as {
      code: number;
      msg: string;
    };
    return code === -1013 ? msg.replace("Filter failure: ", "") : `${code} ${msg}`;
  }
}

/** An exact decimal, this many units of its last digit away. */
function beside(text: string, units: number): string {
  const [whole, fraction = ""] = text.split(".");
  const digits = (BigInt(whole + fraction) + BigInt(units))
    .toString()
    .padStart(fraction.length + 1, "0");
  if (fraction === "") return digits;
  return `${digits.slice(0, -fraction.length)}.${digits.slice(-fraction.length)}`;
}

test("PRICE_FILTER", async () => {
  const { maxPrice, minPrice, tickSize } = await filter("PRICE_FILTER");
  const name = "PRICE_FILTER";
  for (const price of [minPrice, maxPrice]) {
    expect(await refusalOf({ ...LIMIT, price })).not.toBe(name);
  }
  expect(await refusalOf({ ...LIMIT, price: beside(LIMIT.price, 1) })).toBe("");
  expect(tickSize).toBe("0.01");
  for (const price of ["0", beside(maxPrice, 1), `${minPrice}5`, "60000.001"]) {
    expect(await refusalOf({ ...LIMIT, price }), price).toBe(name);
    expect(await refusalOf({ ...STOP, stopPrice: price }), price).toBe(name);
  }
});

test("LOT_SIZE and MARKET_LOT_SIZE", async () => {
  const { maxQty, minQty, stepSize } = await filter("LOT_SIZE");
  expect(await filter("MARKET_LOT_SIZE")).toMatchObject({ maxQty, minQty, stepSize });
  const small = { ...LIMIT, price: "63000.00" };
  expect(await refusalOf({ ...small, quantity: minQty })).toBe("");
  expect(await refusalOf({ ...small, quantity: "0.0002" })).toBe("");
  // At a price that any quantity may have.
  const cheap = { ...LIMIT, price: "0.01" };
  expect(await refusalOf({ ...cheap, quantity: maxQty })).toBe("NOTIONAL");
  for (const quantity of ["0", "0.00001", "0.00015", beside(maxQty, 1)]) {
    expect(await refusalOf({ ...cheap, quantity }), quantity).toBe("LOT_SIZE");
    expect(await refusalOf({ ...MARKET, quantity }), quantity).toBe("LOT_SIZE");
  }
  expect(await refusalOf({ ...MARKET, quantity: minQty })).toBe("");
});

test("NOTIONAL", async () => {
  const { maxNotional, minNotional } = await filter("NOTIONAL");
  // One lot of 0.0001 costs a ten-thousandth of its price.
  const priceOf = (notional: string) => multiplyDecimals(notional, "10000");
  const one = { ...LIMIT, quantity: "0.0001" };
  expect(await refusalOf({ ...one, price: priceOf(minNotional) })).toBe("");
  const below = beside(`${priceOf(minNotional)}.00`, -1);
  expect(await refusalOf({ ...one, price: below })).toBe("NOTIONAL");
  const ten = { ...LIMIT, price: "50000.00" };
  const most = (Number(maxNotional) / 50_000).toFixed(4);
  expect(await refusalOf({ ...ten, quantity: most })).toBe("");
  expect(await refusalOf({ ...ten, quantity: beside(most, 1) })).toBe("NOTIONAL");
  // A lot costs 6.40.
  expect(await refusalOf({ ...MARKET, quoteOrderQty: "6.40" })).toBe("");
  expect(await refusalOf({ ...MARKET, quoteOrderQty: "6.39" })).toBe("NOTIONAL");
  expect(await refusalOf({ ...MARKET, quoteOrderQty: maxNotional })).toBe("");
  expect(await refusalOf({ ...MARKET, quoteOrderQty: `${maxNotional}.01` })).toBe("NOTIONAL");
});

test("ICEBERG_PARTS", async () => {
  const limit = Number((await filter("ICEBERG_PARTS"))["limit"]);
  const iceberg = { ...LIMIT, icebergQty: "0.0010" };
  expect(await refusalOf({ ...iceberg, quantity: (limit / 1_000).toFixed(4) })).toBe("");
  const more = beside((limit / 1_000).toFixed(4), 1);
  expect(await refusalOf({ ...iceberg, quantity: more })).toBe("ICEBERG_PARTS");
  expect(await refusalOf({ ...iceberg, quantity: "0.0010" })).toBe("-2010 IcebergQty exceeds QTY.");
  expect(await refusalOf({ ...iceberg, timeInForce: "IOC" })).toBe(
    "-2010 Unsupported order combination",
  );
});

test("TRAILING_DELTA", async () => {
  const name = "TRAILING_DELTA";
  const edges = await filter(name);
  // Enough to have a value at a hundredth of a per cent of the price.
  const stop = { ...STOP, quantity: "3" };
  const sides = [
    ["SELL", edges["minTrailingBelowDelta"], edges["maxTrailingBelowDelta"]],
    ["BUY", edges["minTrailingAboveDelta"], edges["maxTrailingAboveDelta"]],
  ] as const;
  for (const [side, min, max] of sides) {
    const delta = (trailingDelta: number) => refusalOf({ ...stop, side, trailingDelta });
    expect([await delta(Number(min)), await delta(Number(max))]).toEqual(["", ""]);
    expect([await delta(Number(min) - 1), await delta(Number(max) + 1)]).toEqual([name, name]);
  }
});

test("PERCENT_PRICE_BY_SIDE", async () => {
  const { definition, marketId } = market;
  const banded = { ...definition, priceBandBps: 500, passiveBandBps: 9_000 };
  const name = "PERCENT_PRICE_BY_SIDE";
  await scene.services.exchange.submit({ type: "updateMarket", marketId, market: banded });
  try {
    const edges = await filter(name);
    expect((await anna.fetchLastPrices(["BTC/USD"]))["BTC/USD"].price).toBe(64_000);
    const priceAt = (multiplier: string) => (64_000 * Number(edges[multiplier])).toFixed(2);
    const sides = [
      ["BUY", priceAt("bidMultiplierDown"), priceAt("bidMultiplierUp")],
      ["SELL", priceAt("askMultiplierDown"), priceAt("askMultiplierUp")],
    ] as const;
    for (const [side, lowest, highest] of sides) {
      const at = (price: string) => refusalOf({ ...LIMIT, side, price });
      expect([await at(lowest), await at(highest)], side).toEqual(["", ""]);
      expect([await at(beside(lowest, -1)), await at(beside(highest, 1))]).toEqual([name, name]);
    }
  } finally {
    await scene.services.exchange.submit({ type: "updateMarket", marketId, market: definition });
  }
});

const PLAIN: OrderTerms = {
  side: "buy",
  orderType: "limit",
  timeInForce: "gtc",
  postOnly: false,
  priceTicks: 1_000_000 as Ticks,
  quantityLots: 10 as Lots,
  quoteAmount: 0 as Amount,
  clientOrderId: "",
};

let names = 0;
/** Without names of their own, two requests in one millisecond would count as one that is sent twice. */
const named = <Order extends Params>(order: Order) => ({
  ...order,
  newClientOrderId: `order-${++names}`,
});

/** The user has this many open orders, regardless of the rate limit. */
async function openOrders(userId: string, count: number, terms: OrderTerms): Promise<void> {
  const account = scene.accountOf(userId);
  const { marketId } = market;
  const { exchange } = scene.services;
  const outcomes = await Promise.all(
    Array.from({ length: count }, () =>
      exchange.submit({ type: "placeOrder", account, marketId, ...terms }),
    ),
  );
  expect(outcomes.filter(({ rejected }) => rejected !== undefined)).toEqual([]);
}

test("EXCHANGE_MAX_NUM_ORDERS counts open orders of all markets", async () => {
  const max = Number((await filter("EXCHANGE_MAX_NUM_ORDERS"))["maxNumOrders"]);
  const bert = await scene.client("bert");
  await openOrders("bert", max - 1, PLAIN);
  const elsewhere = { ...LIMIT, symbol: "ETHUSD", price: "1000.00" };
  await bert.privatePostOrder(named(elsewhere));
  for (const refused of [elsewhere, LIMIT]) {
    await expect(bert.privatePostOrder(named(refused))).rejects.toThrow(
      '{"code":-1013,"msg":"Filter failure: EXCHANGE_MAX_NUM_ORDERS"}',
    );
  }
  // An order that does not stay open is not counted.
  await bert.privatePostOrder({ ...LIMIT, timeInForce: "IOC" });
});

test("EXCHANGE_MAX_NUM_ALGO_ORDERS counts what waits, hides or is pending, lists included", async () => {
  const max = Number((await filter("EXCHANGE_MAX_NUM_ALGO_ORDERS"))["maxNumAlgoOrders"]);
  const cora = await scene.client("cora");
  const trigger = { kind: "stop", triggerTicks: 5_000_000 as Ticks } as const;
  const stop: OrderTerms = { ...PLAIN, side: "sell", conditions: { trigger } };
  await openOrders("cora", max - 2, stop);
  const pair = {
    symbol: "BTCUSD",
    side: "SELL",
    quantity: "0.01",
    aboveType: "LIMIT_MAKER",
    abovePrice: "70000.00",
    belowType: "STOP_LOSS",
    belowStopPrice: "50000.00",
  };
  await cora.privatePostOrderListOco({ ...pair, listClientOrderId: "first" });
  const iceberg = { ...LIMIT, icebergQty: "0.005" };
  await cora.privatePostOrder(named(iceberg));
  const calls = [
    () => cora.privatePostOrder({ ...STOP, stopPrice: "50000.00" }),
    () => cora.privatePostOrder(named(iceberg)),
    () => cora.privatePostOrderListOco({ ...pair, listClientOrderId: "second" }),
  ];
  for (const call of calls) {
    await expect(call()).rejects.toThrow(
      '{"code":-1013,"msg":"Filter failure: EXCHANGE_MAX_NUM_ALGO_ORDERS"}',
    );
  }
  await cora.privatePostOrder(LIMIT);
});

test("what a market allows is what the engine does", async () => {
  expect(await exchangeInfo()).toMatchObject({
    icebergAllowed: true,
    ocoAllowed: true,
    otoAllowed: true,
    opoAllowed: false,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: true,
    cancelReplaceAllowed: true,
    amendAllowed: true,
    defaultSelfTradePreventionMode: "EXPIRE_TAKER",
    allowedSelfTradePreventionModes: ["EXPIRE_TAKER", "EXPIRE_MAKER", "EXPIRE_BOTH", "DECREMENT"],
  });
  for (const selfTradePreventionMode of ["NONE", "TRANSFER"]) {
    expect(await refusalOf({ ...LIMIT, selfTradePreventionMode })).toMatch(/^-1130 /);
  }
});

test("a caller's own filters are those of their plan", async () => {
  const { exchangeFilters, filters } = await exchangeInfo();
  const own = () => anna.request("myFilters", "private", "GET", { symbol: "BTCUSD" });
  expect(await own()).toEqual({ exchangeFilters, symbolFilters: filters, assetFilters: [] });
  const { catalogue } = scene.services.views;
  const pro = catalogue.plans().find(({ definition }) => definition.slug === "pro");
  if (pro === undefined) throw new Error("there is no such plan");
  const { planId, definition } = pro;
  const account = scene.accountOf("anna");
  const { rejected } = await scene.services.exchange.submit({
    type: "assignPlan",
    account,
    planId,
  });
  expect(rejected).toBeUndefined();
  const ofPlan = (await own()) as { exchangeFilters: Filter[]; symbolFilters: Filter[] };
  expect(ofPlan.exchangeFilters).toEqual([
    { filterType: "EXCHANGE_MAX_NUM_ORDERS", maxNumOrders: definition.openOrdersMax },
    { filterType: "EXCHANGE_MAX_NUM_ALGO_ORDERS", maxNumAlgoOrders: definition.algoOrdersMax },
  ]);
  const notional = ofPlan.symbolFilters.find((one) => one["filterType"] === "NOTIONAL");
  expect(Number(notional?.["maxNotional"])).toBeGreaterThan(1_000_000);
});

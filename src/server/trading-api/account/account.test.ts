/** The account, its fees and its trades in an unmodified client, compared with the ledger. */
import ccxt from "ccxt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatDecimal } from "#contract/decimal.ts";
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

beforeAll(async () => {
  scene = await openTradingApiScene();
  const maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000 });
  await maker({ market: "BTC-USD", side: "sell", price: "64000.00", quantity: "0.3" });
  await maker({ market: "BTC-USD", side: "sell", price: "64001.50", quantity: "1" });
  await maker({ market: "BTC-USD", side: "buy", price: "60000.00", quantity: "1" });
  for (const userId of ["anna", "bert"]) {
    await scene.as(userId).done("accounts:takePracticeFunds");
  }
  const order = { market: "BTC-USD", type: "limit" };
  const place = (terms: object) =>
    scene.as("anna").done<PlaceOrderResult>("orders:place", { ...order, ...terms });
  await place({ side: "buy", price: "64001.50", quantity: "0.5" });
  await place({ side: "sell", price: "60000.00", quantity: "0.1234" });
  await place({ side: "buy", price: "50000.00", quantity: "0.01" });
  anna = await scene.client("anna");
  bert = await scene.client("bert", ["read"]);
});
afterAll(() => scene.close());

type Params = Record<string, unknown>;
/** The answer itself, before ccxt parses it. */
const raw = {
  account: (client: CcxtClient, params: Params = {}) =>
    client.privateGetAccount(params) as Promise<Params>,
  trades: (params: Params) =>
    anna.privateGetMyTrades({ symbol: "BTCUSD", ...params }) as Promise<Params[]>,
};

test("balances equal the ledger to the last unit", async () => {
  const { views } = scene.services;
  const account = scene.accountOf("anna");
  const owned = views.catalogue.coins().map(({ assetId, definition: { symbol, scale } }) => ({
    asset: symbol,
    free: formatDecimal(views.accounts.available(account, assetId), scale),
    locked: formatDecimal(views.accounts.held(account, assetId), scale),
  }));
  const { balances } = await raw.account(anna);
  expect(balances).toEqual(owned);
  const { balances: owning } = await raw.account(anna, { omitZeroBalances: true });
  expect(owning).toEqual(owned.filter(({ free, locked }) => /[1-9]/.test(free + locked)));
  expect(owned.find(({ asset }) => asset === "USD")?.locked).toBe("500.000000");
  const read = await anna.fetchBalance();
  expect(read["USD"]?.used).toBe(500);
  expect(String(read["BTC"]?.free)).toBe(
    String(Number(owned.find((o) => o.asset === "BTC")?.free)),
  );
});

test("what an account may do is what its key and its state allow", async () => {
  const { permissions, uid, accountType } = await raw.account(anna);
  expect({ permissions, uid, accountType }).toEqual({
    permissions: ["SPOT"],
    uid: scene.accountOf("anna"),
    accountType: "SPOT",
  });
  const may = async (client: CcxtClient) => (await raw.account(client)).canTrade;
  expect([await may(anna), await may(bert)]).toEqual([true, false]);
  const freeze = (frozen: boolean) =>
    scene.as("admin").done("accounts:freeze", {
      userId: "anna",
      frozen,
      cancelOrders: false,
      reason: "A test.",
    });
  await freeze(true);
  expect(await may(anna)).toBe(false);
  await freeze(false);
  expect(await may(anna)).toBe(true);
});

test("fees are those that orders placed now pay, in each market", async () => {
  const { makerFeeBps, takerFeeBps } = (
    scene.as("anna").value as (path: string) => { makerFeeBps: number; takerFeeBps: number }
  )("plans:mine");
  const fees = await anna.fetchTradingFees();
  expect(Object.keys(fees)).toHaveLength(scene.services.views.catalogue.markets().length);
  expect(fees["BTC/USD"]).toMatchObject({
    maker: makerFeeBps / 10_000,
    taker: takerFeeBps / 10_000,
  });
  // The market's own fees take precedence over those of the plan.
  const { views, exchange } = scene.services;
  const market = views.catalogue.marketBySymbol("ETH-USD")!;
  const feeOverride = { makerFeeBps: 1, takerFeeBps: 0 };
  await exchange.submit({
    type: "updateMarket",
    marketId: market.marketId,
    market: { ...market.definition, feeOverride },
  });
  const own = await anna.fetchTradingFee("ETH/USD");
  expect(own).toMatchObject({ maker: 0.0001, taker: 0 });
  const commission = (await anna.privateGetAccountCommission({ symbol: "ETHUSD" })) as Params;
  expect(commission.standardCommission).toEqual({
    maker: "0.00010000",
    taker: "0.00000000",
    buyer: "0.00000000",
    seller: "0.00000000",
  });
});

test("trades carry their fees, and are read by order, number and time", async () => {
  const trades = await raw.trades({});
  expect(trades.map(({ isBuyer, qty, price }) => [isBuyer, qty, price])).toEqual([
    [true, "0.3000", "64000.00"],
    [true, "0.2000", "64001.50"],
    [false, "0.1234", "60000.00"],
  ]);
  const { views } = scene.services;
  const [newest] = views.people.fills(scene.accountOf("anna"));
  expect(trades[2]).toEqual({
    symbol: "BTCUSD",
    id: newest.tradeId,
    orderId: newest.orderId,
    orderListId: -1,
    price: "60000.00",
    qty: "0.1234",
    quoteQty: "7404.000000",
    commission: formatDecimal(newest.fee, 6),
    commissionAsset: "USD",
    time: newest.timestampMs,
    isBuyer: false,
    isMaker: false,
    isBestMatch: true,
  });
  expect(await raw.trades({ orderId: newest.orderId })).toEqual([trades[2]]);
  expect(await raw.trades({ fromId: trades[1].id, limit: 1 })).toEqual([trades[1]]);
  expect(await raw.trades({ limit: 2 })).toEqual(trades.slice(1));
  const startTime = Number(trades[0].time);
  expect(await raw.trades({ startTime, endTime: startTime + DAY_MS })).toEqual(trades);
  expect(await raw.trades({ endTime: startTime - 1 })).toEqual([]);
  const read = await anna.fetchMyTrades("BTC/USD");
  expect(read.map(({ fee }) => fee?.currency)).toEqual(["BTC", "BTC", "USD"]);
  expect(await bert.fetchMyTrades("BTC/USD")).toEqual([]);
});

test("a period that is too long, ends before it begins or comes with a number is refused", async () => {
  const refusal = async (params: Params) => {
    const refused = await raw.trades(params).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ccxt.BaseError);
    return /"code":(-\d+),"msg":"(.*)"/.exec(String(refused))?.slice(1);
  };
  expect(await refusal({ startTime: 1, endTime: 2 + DAY_MS })).toEqual([
    "-1127",
    "More than 24 hours between startTime and endTime.",
  ]);
  expect((await refusal({ startTime: 2, endTime: 1 }))?.[0]).toBe("-1130");
  expect((await refusal({ fromId: 1, endTime: 1 }))?.[0]).toBe("-1128");
  expect((await refusal({ symbol: "NONE" }))?.[0]).toBe("-1121");
});

test("coins, practice funds as deposits, and nothing that leaves or comes from a chain", async () => {
  const coins = (await anna.sapiGetCapitalConfigGetall()) as Params[];
  expect(coins).toHaveLength(scene.services.views.catalogue.coins().length);
  expect(coins.find(({ coin }) => coin === "USD")).toMatchObject({
    locked: "500.000000",
    depositAllEnable: true,
    networkList: [{ coin: "USD", withdrawEnable: false, withdrawIntegerMultiple: "0.000001" }],
  });
  expect(coins.find(({ coin }) => coin === "BTC")).toMatchObject({ depositAllEnable: false });
  // A coin without open networks counts as idle for its wallet, and no largest amount is below the
  // smallest.
  anna.options["fetchCurrencies"] = true;
  const currencies = Object.values(await anna.fetchCurrencies());
  expect(currencies).toHaveLength(coins.length);
  for (const { deposit, withdraw, active, limits } of currencies) {
    expect(active).toBe(deposit === true || withdraw === true);
    const { min, max } = limits.withdraw ?? {};
    expect(max).toBeGreaterThanOrEqual(min ?? 0);
  }
  expect(await anna.fetchTransfers("USD")).toEqual([]);
  const deposits = await anna.fetchDeposits();
  const taken = scene.services.views.people.transfers(scene.accountOf("anna"));
  expect(deposits).toHaveLength(taken.length);
  expect(deposits[0]).toMatchObject({ currency: "USD", amount: 100_000, status: "ok" });
  const dollars = await anna.fetchDeposits("USD", Date.now() - DAY_MS);
  expect(dollars).toMatchObject([{ id: deposits[0].id, amount: 100_000, status: "ok" }]);
  const money = { fiat: true };
  expect(await anna.fetchDeposits("USD", undefined, undefined, money)).toEqual(dollars);
  expect(await anna.fetchDeposits("BTC")).toEqual([]);
  expect(await anna.fetchWithdrawals()).toEqual([]);
  await expect(anna.fetchDepositAddress("BTC")).rejects.toThrow("-4001");
  const away = anna.sapiPostCapitalWithdrawApply({ coin: "BTC", address: "x", amount: "1" });
  await expect(away).rejects.toThrow("-4019");
});

interface Signed {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** A signed call that the client does not know. */
async function call(path: string, params: Params = {}): Promise<Params> {
  const { url, headers } = anna.sign(path, "private", "GET", params) as Signed;
  return (await (await fetch(url, { headers })).json()) as Params;
}

test("the plan, the states of markets and statements have paths of their own", async () => {
  const states = await (await fetch(`${scene.url}/api/v3/openbell/markets?symbol=BTCUSD`)).json();
  expect(states).toMatchObject([{ symbol: "BTCUSD", market: "BTC-USD", status: "trading" }]);
  const plan = scene.as("anna").value<Params>("plans:mine");
  expect(await call("openbell/plan")).toMatchObject(plan);
  const period = { from: Date.now() - DAY_MS, to: Date.now() };
  const statement = await scene.as("anna").answer<Params>("accounts:statement", period);
  const { from: startTime, to: endTime } = period;
  const read = await call("openbell/statements", { startTime, endTime });
  expect(read).toEqual(statement);
  expect(read.coins).not.toEqual([]);
});

test("trades between own orders that were prevented are told, to their owner alone", async () => {
  const place = async (terms: object) => {
    // Above the bid of the participant, whom no order meets.
    const order = { market: "BTC-USD", type: "limit", price: "60500.00", ...terms };
    const placed = await scene.as("anna").done<PlaceOrderResult>("orders:place", order);
    return Number(placed.order.orderId);
  };
  const ask = (selfTradePrevention: string) =>
    place({ side: "sell", quantity: "0.01", timeInForce: "ioc", selfTradePrevention });
  const ended = [];
  for (const quantity of ["0.02", "0.03"]) ended.push(await place({ side: "buy", quantity }));
  const passing = await ask("expireMaker");
  const resting = await place({ side: "buy", quantity: "0.04" });
  const stopped = await ask("expireTaker");
  const read = async (params: Params) =>
    (await call("myPreventedMatches", { symbol: "BTCUSD", ...params })) as unknown as Params[];
  const passed = await read({ orderId: passing });
  expect(passed).toMatchObject([
    { preventedMatchId: ended[0], makerPreventedQuantity: "0.0200" },
    { preventedMatchId: ended[1], makerPreventedQuantity: "0.0300" },
  ]);
  const [last] = await read({ orderId: resting });
  expect(last).toEqual({
    symbol: "BTCUSD",
    preventedMatchId: stopped,
    takerOrderId: stopped,
    makerSymbol: "BTCUSD",
    makerOrderId: resting,
    tradeGroupId: -1,
    selfTradePreventionMode: "EXPIRE_TAKER",
    price: "60500.00",
    takerPreventedQuantity: "0.0100",
    transactTime: expect.any(Number) as number,
  });
  expect(await read({ preventedMatchId: stopped })).toEqual([last]);
  const from = { orderId: passing, fromPreventedMatchId: ended[1] };
  expect(await read(from)).toEqual(passed.slice(1));
  expect(await read({ orderId: passing, limit: 1 })).toEqual(passed.slice(0, 1));
  expect(await read({ symbol: "ETHUSD", preventedMatchId: stopped })).toEqual([]);
  expect(await read({})).toMatchObject({ code: -1102 });
  expect(await read({ orderId: passing, preventedMatchId: stopped })).toMatchObject({
    code: -1128,
  });
  const berts = bert.sign("myPreventedMatches", "private", "GET", {
    symbol: "BTCUSD",
    preventedMatchId: stopped,
  }) as Signed;
  expect(await (await fetch(berts.url, { headers: berts.headers })).json()).toEqual([]);
});

test("an order's amendments are told with their quantities, to its owner alone", async () => {
  const resting = { market: "BTC-USD", type: "limit", side: "buy", price: "40000" };
  const { order } = await scene
    .as("anna")
    .done<PlaceOrderResult>("orders:place", { ...resting, quantity: "0.05", clientOrderId: "a-1" });
  const { orderId } = order;
  for (const quantity of ["0.04", "0.03"]) {
    await scene.as("anna").done("orders:amend", { orderId, quantity });
  }
  const first = { symbol: "BTCUSD", orderId };
  const amended = (await call("order/amendments", first)) as unknown as Params[];
  expect(amended).toMatchObject([
    { origQty: "0.0500", newQty: "0.0400", newClientOrderId: "a-1" },
    { origQty: "0.0400", newQty: "0.0300", newClientOrderId: "a-1" },
  ]);
  const fromExecutionId = amended[1].executionId;
  expect(await call("order/amendments", { ...first, fromExecutionId })).toEqual([amended[1]]);
  expect(await call("order/amendments", { symbol: "ETHUSD", orderId })).toMatchObject({
    code: -2013,
  });
  const berts = bert.sign("order/amendments", "private", "GET", first) as Signed;
  const refused = await fetch(berts.url, { headers: berts.headers });
  expect(await refused.json()).toEqual({ code: -2013, msg: "Order does not exist." });
});

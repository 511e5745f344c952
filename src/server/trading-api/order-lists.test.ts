/** Lists of orders placed, read and cancelled by an unmodified client. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  type CcxtClient,
  openTradingApiScene,
  type TradingApiScene,
} from "#test/support/trading-api-scene.ts";
import type { PlaceForParticipant } from "#test/support/function-scene.ts";

let scene: TradingApiScene;
let maker: PlaceForParticipant;
let users = 0;
/** A new user with funds, for each test. */
let client: CcxtClient;
let userId: string;

type Params = Record<string, unknown>;
interface OrderReport {
  readonly orderId: number;
  readonly orderListId: number;
  readonly clientOrderId: string;
  readonly type: string;
  readonly status: string;
  readonly price: string;
  readonly origQty: string;
}
interface List {
  readonly orderListId: number;
  readonly contingencyType: string;
  readonly listStatusType: string;
  readonly listOrderStatus: string;
  readonly listClientOrderId: string;
  readonly transactionTime: number;
  readonly symbol: string;
  readonly orders: { orderId: number; clientOrderId: string; symbol: string }[];
  readonly orderReports: OrderReport[];
}

/** The last price is 64 000, with ten coins offered at 64 001 and bid for at 63 999. */
beforeAll(async () => {
  scene = await openTradingApiScene({ PRACTICE_FUNDS: "USD:100000,BTC:1" });
  maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000 });
  const taker = await scene.participant("taker", { USD: 100_000_000, BTC: 1_000 });
  await maker({ market: "BTC-USD", side: "sell", price: "64000.00", quantity: "0.1" });
  await taker({ market: "BTC-USD", side: "buy", price: "64000.00", quantity: "0.1" });
  await maker({ market: "BTC-USD", side: "sell", price: "64001.00", quantity: "10" });
  await maker({ market: "BTC-USD", side: "buy", price: "63999.00", quantity: "10" });
});
afterAll(() => scene.close());

async function newUser(): Promise<{ userId: string; client: CcxtClient }> {
  const id = `user-${++users}`;
  await scene.as(id).done("accounts:takePracticeFunds");
  return { userId: id, client: await scene.client(id) };
}
beforeEach(async () => {
  ({ client, userId } = await newUser());
});

const SELL_PAIR = {
  symbol: "BTCUSD",
  side: "SELL",
  quantity: "0.1",
  aboveType: "LIMIT_MAKER",
  abovePrice: "70000.00",
  belowType: "STOP_LOSS",
  belowStopPrice: "60000.00",
};
const WORKING = {
  symbol: "BTCUSD",
  workingType: "LIMIT",
  workingSide: "BUY",
  workingPrice: "60000.00",
  workingQuantity: "0.1",
  workingTimeInForce: "GTC",
};
const PENDING = {
  pendingType: "LIMIT",
  pendingSide: "SELL",
  pendingPrice: "70000.00",
  pendingQuantity: "0.05",
  pendingTimeInForce: "GTC",
};

const oco = (change: Params = {}) =>
  client.privatePostOrderListOco({ ...SELL_PAIR, ...change }) as Promise<List>;
const oto = (change: Params = {}) =>
  client.privatePostOrderListOto({ ...WORKING, ...PENDING, ...change }) as Promise<List>;
const open = () => client.privateGetOpenOrderList() as unknown as Promise<List[]>;
const all = (params: Params = {}) =>
  client.privateGetAllOrderList(params) as unknown as Promise<List[]>;
const list = (params: Params) => client.privateGetOrderList(params) as Promise<List>;
const order = (orderId: number) =>
  client.privateGetOrder({ symbol: "BTCUSD", orderId }) as Promise<Params>;
const heldOf = async (coin: string) => (await client.fetchBalance())[coin]?.used;

/** The fields of a list itself, without its orders' reports. */
const summaryOf = ({ orderReports: _reports, ...summary }: List) => summary;

test("a pair holds once, is found by its number and its name, and is cancelled whole", async () => {
  const placed = await oco({
    listClientOrderId: "pair",
    aboveClientOrderId: "take",
    belowClientOrderId: "stop",
  });
  expect(placed).toMatchObject({
    contingencyType: "OCO",
    listStatusType: "EXEC_STARTED",
    listOrderStatus: "EXECUTING",
    listClientOrderId: "pair",
    symbol: "BTCUSD",
    orders: [
      { symbol: "BTCUSD", clientOrderId: "take" },
      { symbol: "BTCUSD", clientOrderId: "stop" },
    ],
    orderReports: [
      { type: "LIMIT_MAKER", price: "70000.00", status: "NEW", origQty: "0.1000" },
      { type: "STOP_LOSS", stopPrice: "60000.00", status: "NEW", workingTime: -1 },
    ],
  });
  const { orderListId } = placed;
  expect(placed.orderReports.map((report) => report.orderListId)).toEqual([
    orderListId,
    orderListId,
  ]);
  expect(await heldOf("BTC")).toBe(0.1);
  const summary = summaryOf(placed);
  expect(await list({ orderListId })).toEqual(summary);
  expect(await list({ origClientOrderId: "pair" })).toEqual(summary);
  expect(await list({ orderListId, origClientOrderId: "pair" })).toEqual(summary);
  expect(await open()).toEqual([summary]);
  const openOrders = await client.fetchOpenOrders("BTC/USD");
  expect(openOrders.map(({ info }) => (info as OrderReport).orderListId)).toEqual([
    orderListId,
    orderListId,
  ]);
  const cancelled = (await client.privateDeleteOrderList({
    symbol: "BTCUSD",
    listClientOrderId: "pair",
    newClientOrderId: "end",
  })) as List;
  expect(cancelled).toMatchObject({
    orderListId,
    listStatusType: "ALL_DONE",
    listOrderStatus: "ALL_DONE",
    orderReports: [
      { origClientOrderId: "take", clientOrderId: "end", status: "CANCELED" },
      { origClientOrderId: "stop", clientOrderId: "end", status: "CANCELED" },
    ],
  });
  expect(await heldOf("BTC")).toBe(0);
  expect(await open()).toEqual([]);
  expect(await list({ orderListId })).toEqual(summaryOf(cancelled));
  await expect(client.privateDeleteOrderList({ symbol: "BTCUSD", orderListId })).rejects.toThrow(
    "Unknown order list sent.",
  );
});

test("the pair to buy is the other way round, with a limit for its stop", async () => {
  const placed = await oco({
    side: "BUY",
    aboveType: "STOP_LOSS_LIMIT",
    abovePrice: "71000.00",
    aboveStopPrice: "70000.00",
    aboveTimeInForce: "GTC",
    belowType: "LIMIT_MAKER",
    belowPrice: "60000.00",
    belowStopPrice: undefined,
    selfTradePreventionMode: "EXPIRE_MAKER",
  });
  expect(placed.orderReports).toMatchObject([
    { type: "LIMIT_MAKER", side: "BUY", price: "60000.00" },
    {
      type: "STOP_LOSS_LIMIT",
      price: "71000.00",
      stopPrice: "70000.00",
      selfTradePreventionMode: "EXPIRE_MAKER",
    },
  ]);
});

test("the former call places the same pair, also with a stop that follows the market", async () => {
  const former = {
    symbol: "BTCUSD",
    side: "SELL",
    quantity: "0.1",
    price: "70000.00",
    limitClientOrderId: "take",
    stopClientOrderId: "stop",
  };
  const limited = (await client.privatePostOrderOco({
    ...former,
    stopPrice: "60000.00",
    stopLimitPrice: "59000.00",
    stopLimitTimeInForce: "GTC",
    limitIcebergQty: "0.05",
  })) as List;
  expect(limited.orderReports).toMatchObject([
    { clientOrderId: "take", type: "LIMIT_MAKER", icebergQty: "0.0500" },
    { clientOrderId: "stop", type: "STOP_LOSS_LIMIT", price: "59000.00" },
  ]);
  await client.cancelAllOrders("BTC/USD");
  const names = { limitClientOrderId: "take-2", stopClientOrderId: "stop-2" };
  const following = (await client.privatePostOrderOco({
    ...former,
    ...names,
    trailingDelta: "250",
  })) as List;
  expect(following.orderReports[1]).toMatchObject({ type: "STOP_LOSS", trailingDelta: 250 });
});

test("one of a pair that trades ends the other, and the list is done", async () => {
  const { orderListId, orders } = await oco({ abovePrice: "64000.50" });
  await maker({ market: "BTC-USD", side: "buy", price: "64000.50", quantity: "0.1" });
  expect(await order(orders[0].orderId)).toMatchObject({ status: "FILLED", orderListId });
  expect(await order(orders[1].orderId)).toMatchObject({ status: "EXPIRED", orderListId });
  expect(await list({ orderListId })).toMatchObject({ listOrderStatus: "ALL_DONE" });
});

test("one of a pair that is triggered ends the other, and one that is cancelled cancels it", async () => {
  const { orders } = await oco({ belowStopPrice: "63999.50" });
  const taker = await newUser();
  await maker({ market: "BTC-USD", side: "buy", price: "63999.25", quantity: "1" });
  await taker.client.createOrder("BTC/USD", "limit", "sell", 0.1, 63_999.25);
  expect(await order(orders[0].orderId)).toMatchObject({ status: "EXPIRED" });
  const { orders: others } = await oco();
  const [first, second] = others.map(({ orderId }) => orderId);
  await client.privateDeleteOrder({ symbol: "BTCUSD", orderId: second });
  expect(await order(first)).toMatchObject({ status: "CANCELED" });
});

test("each order of a list has the strategy that its owner gave it", async () => {
  const both = { aboveStrategyId: 7, aboveStrategyType: 1_000_000, belowStrategyId: 8 };
  const { orderReports } = await oco(both);
  expect(orderReports).toMatchObject([
    { strategyId: 7, strategyType: 1_000_000 },
    { strategyId: 8 },
  ]);
  expect(await order(orderReports[1].orderId)).not.toHaveProperty("strategyType");
});

test("a pending order holds nothing until its working order has filled", async () => {
  const { orderListId, orderReports } = await oto({ workingPrice: "64000.25" });
  expect(orderReports).toMatchObject([
    { type: "LIMIT", side: "BUY", status: "NEW" },
    { type: "LIMIT", side: "SELL", status: "PENDING_NEW", workingTime: -1 },
  ]);
  expect(await heldOf("BTC")).toBe(0);
  await maker({ market: "BTC-USD", side: "sell", price: "64000.25", quantity: "0.1" });
  expect(await heldOf("BTC")).toBe(0.05);
  const [working, pending] = orderReports;
  expect(await order(working.orderId)).toMatchObject({ status: "FILLED" });
  expect(await order(pending.orderId)).toMatchObject({ status: "NEW", price: "70000.00" });
  expect(await list({ orderListId })).toMatchObject({
    contingencyType: "OTO",
    listOrderStatus: "EXECUTING",
  });
  // Its working order has ended, the list has not.
  const cancelled = (await client.privateDeleteOrderList({
    symbol: "BTCUSD",
    orderListId,
  })) as List;
  expect(cancelled.orderReports).toMatchObject([
    { origClientOrderId: pending.clientOrderId, status: "CANCELED" },
  ]);
  expect(await open()).toEqual([]);
});

test("any type of order may be pending, and follows the end of its working order", async () => {
  const stop = { pendingPrice: undefined, pendingTimeInForce: undefined };
  const types: Params[] = [
    {},
    { ...stop, pendingType: "MARKET" },
    { pendingType: "LIMIT_MAKER", pendingTimeInForce: undefined },
    { ...stop, pendingType: "STOP_LOSS", pendingStopPrice: "50000.00" },
    { ...stop, pendingType: "TAKE_PROFIT", pendingStopPrice: "80000.00" },
    { ...stop, pendingType: "STOP_LOSS", pendingTrailingDelta: "100" },
    { pendingType: "STOP_LOSS_LIMIT", pendingStopPrice: "50000.00" },
    { pendingType: "TAKE_PROFIT_LIMIT", pendingStopPrice: "80000.00" },
    { pendingIcebergQty: "0.01" },
  ];
  for (const change of types) {
    const { orderReports } = await oto(change);
    expect(orderReports[1]).toMatchObject({
      type: change["pendingType"] ?? "LIMIT",
      status: "PENDING_NEW",
    });
    const [working] = orderReports;
    await client.privateDeleteOrder({ symbol: "BTCUSD", orderId: working.orderId });
    expect(await open()).toEqual([]);
  }
});

test("a working order can set a whole pair free", async () => {
  const placed = (await client.privatePostOrderListOtoco({
    ...WORKING,
    workingPrice: "64000.75",
    pendingSide: "SELL",
    pendingQuantity: "0.05",
    pendingAboveType: "LIMIT_MAKER",
    pendingAbovePrice: "70000.00",
    pendingBelowType: "STOP_LOSS_LIMIT",
    pendingBelowStopPrice: "60000.00",
    pendingBelowPrice: "59000.00",
    pendingBelowTimeInForce: "IOC",
    newOrderRespType: "ACK",
  })) as List;
  expect(placed).toMatchObject({ contingencyType: "OTO", listOrderStatus: "EXECUTING" });
  expect(placed.orderReports).toHaveLength(3);
  expect(placed.orderReports[0]).not.toHaveProperty("status");
  await maker({ market: "BTC-USD", side: "sell", price: "64000.75", quantity: "0.1" });
  const states = await Promise.all(placed.orders.map(({ orderId }) => order(orderId)));
  expect(states.map(({ type, status }) => [type, status])).toEqual([
    ["LIMIT", "FILLED"],
    ["LIMIT_MAKER", "NEW"],
    ["STOP_LOSS_LIMIT", "NEW"],
  ]);
  expect(await heldOf("BTC")).toBe(0.05);
});

test("what is refused places nothing, with Binance's code and text", async () => {
  const relation = "The relationship of the prices for the orders is not correct.";
  const missing = (name: string) =>
    `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`;
  const refusals: [() => Promise<unknown>, number, string][] = [
    [() => oco({ aboveType: "TAKE_PROFIT" }), -1158, "Order type not supported in OCO."],
    [() => oco({ aboveType: "LIMIT" }), -1158, "Order type not supported in OCO."],
    [
      () => oco({ belowType: "LIMIT_MAKER", belowPrice: "60000.00" }),
      -1168,
      "At least one OCO order must be contingent.",
    ],
    [() => oco({ side: "BUY" }), -1165, "A limit order in a buy OCO must be below."],
    [
      () => oco({ aboveType: "STOP_LOSS", belowType: "LIMIT_MAKER" }),
      -1166,
      "A limit order in a sell OCO must be above.",
    ],
    [
      () => oco({ side: "BUY", aboveType: "STOP_LOSS" }),
      -1196,
      "A stop loss order in a buy OCO must be above.",
    ],
    [
      () => oco({ aboveType: "STOP_LOSS" }),
      -1197,
      "A stop loss order in a sell OCO must be below.",
    ],
    [
      () => oco({ side: "BUY", aboveType: "TAKE_PROFIT", belowType: "LIMIT_MAKER" }),
      -1198,
      "A take profit order in a buy OCO must be below.",
    ],
    [
      () => oco({ belowType: "TAKE_PROFIT" }),
      -1199,
      "A take profit order in a sell OCO must be above.",
    ],
    [
      () =>
        oco({
          belowType: "STOP_LOSS_LIMIT",
          belowPrice: "59000.00",
          belowTimeInForce: "FOK",
          belowIcebergQty: "0.05",
        }),
      -1160,
      "Parameter 'belowIcebergQty' is not supported if 'belowTimeInForce' is not GTC.",
    ],
    [() => oco({ abovePrice: "59000.00" }), -2010, relation],
    [() => oco({ abovePrice: "63990.00" }), -2010, relation],
    [() => oco({ belowStopPrice: "65000.00" }), -2010, relation],
    [() => oco({ abovePrice: undefined }), -1102, missing("abovePrice")],
    [() => oco({ belowStopPrice: undefined }), -1102, missing("belowStopPrice")],
    [() => oco({ quantity: undefined }), -1102, missing("quantity")],
    [
      () => oco({ aboveTimeInForce: "GTC" }),
      -1106,
      "Parameter 'aboveTimeInForce' sent when not required.",
    ],
    [
      () => oco({ aboveClientOrderId: "same", belowClientOrderId: "same" }),
      -2010,
      "Duplicate order sent.",
    ],
    [() => oco({ quantity: "0.00001" }), -1013, "Filter failure: LOT_SIZE"],
    [() => oco({ quantity: "2" }), -2010, "Account has insufficient balance for requested action."],
    [() => oto({ workingType: "MARKET" }), -1116, "Invalid orderType."],
    [() => oto({ workingTimeInForce: undefined }), -1102, missing("workingTimeInForce")],
    [() => oto({ pendingPrice: undefined }), -1102, missing("pendingPrice")],
    [() => oto({ pendingSide: "LONG" }), -1117, "Invalid side."],
    [() => oto({ pendingPrice: "70000.001" }), -1013, "Filter failure: PRICE_FILTER"],
    [
      () =>
        oto({ workingType: "LIMIT_MAKER", workingTimeInForce: undefined, workingPrice: "65000" }),
      -2010,
      "Order would immediately match and take.",
    ],
    [() => list({ orderListId: "999" }), -2018, "Order list does not exist."],
    [() => list({ origClientOrderId: "none" }), -2018, "Order list does not exist."],
    [
      () => list({}),
      -1128,
      "Combination of optional parameters invalid. Recommendation: 'orderListId' should also be sent.",
    ],
    [
      () => client.privateDeleteOrderList({ symbol: "BTCUSD", listClientOrderId: "none" }),
      -2011,
      "Unknown order list sent.",
    ],
    [
      () => all({ fromId: "1", startTime: "1" }),
      -1128,
      "Combination of optional parameters invalid.",
    ],
  ];
  for (const [call, code, message] of refusals) {
    await expect(call()).rejects.toThrow(message);
    expect(JSON.parse(client.last_http_response ?? "")).toEqual({ code, msg: message });
  }
  expect(await client.fetchOpenOrders("BTC/USD")).toEqual([]);
  expect(await all()).toEqual([]);
});

test("the name of a list is unique among open lists, also if two are sent at once", async () => {
  const names = { listClientOrderId: "mine" };
  const outcomes = await Promise.allSettled([oco(names), oto(names)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const another = oto({ ...names, pendingPrice: "71000.00" });
  await expect(another).rejects.toThrow("Duplicate order sent.");
  const [placed] = await open();
  await client.privateDeleteOrderList({ symbol: "BTCUSD", listClientOrderId: "mine" });
  const next = await oco(names);
  // The open one comes before the newest, and each keeps its number.
  expect(await list({ origClientOrderId: "mine" })).toEqual(summaryOf(next));
  expect((await list({ orderListId: placed.orderListId })).listClientOrderId).toBe("mine");
  // Orders of earlier requests are identified by their own names.
  const named = { aboveClientOrderId: "above", belowClientOrderId: "below", quantity: "0.2" };
  await oco({ ...named, listClientOrderId: "first" });
  const repeated = oco({ ...named, listClientOrderId: "second" });
  await expect(repeated).rejects.toThrow("Duplicate order sent.");
});

test("past lists are read by number and by time, oldest first", async () => {
  const ids: number[] = [];
  for (let count = 0; count < 4; count++) {
    const { orderListId } = await oto({ listClientOrderId: `list-${count}` });
    ids.push(orderListId);
    if (count < 3) await client.privateDeleteOrderList({ symbol: "BTCUSD", orderListId });
  }
  const numbers = async (params: Params) =>
    (await all(params)).map(({ orderListId }) => orderListId);
  expect(await numbers({})).toEqual(ids);
  expect(await numbers({ limit: "2" })).toEqual(ids.slice(2));
  expect(await numbers({ fromId: ids[1], limit: "2" })).toEqual(ids.slice(1, 3));
  const [first] = await all({});
  const since = first.transactionTime - 60_000;
  expect(await numbers({ startTime: since })).toEqual(ids);
  expect(await numbers({ endTime: since })).toEqual([]);
  const states = (await all({})).map(({ listOrderStatus }) => listOrderStatus);
  expect(states).toEqual(["ALL_DONE", "ALL_DONE", "ALL_DONE", "EXECUTING"]);
});

test("no user reads or cancels another's lists", async () => {
  const { orderListId } = await oco({ listClientOrderId: "hers" });
  const other = (await newUser()).client;
  const byNumber = { orderListId };
  const byName = { origClientOrderId: "hers" };
  for (const name of [byNumber, byName]) {
    await expect(other.privateGetOrderList(name)).rejects.toThrow("Order list does not exist.");
  }
  for (const name of [byNumber, { listClientOrderId: "hers" }]) {
    const cancel = other.privateDeleteOrderList({ symbol: "BTCUSD", ...name });
    await expect(cancel).rejects.toThrow("Unknown order list sent.");
  }
  expect(await other.privateGetOpenOrderList()).toEqual([]);
  expect(await other.privateGetAllOrderList()).toEqual([]);
  // Each user has a namespace of their own.
  await other.privatePostOrderListOco({ ...SELL_PAIR, listClientOrderId: "hers" });
  const elsewhere = client.privateDeleteOrderList({ symbol: "ETHUSD", orderListId });
  await expect(elsewhere).rejects.toThrow("Unknown order list sent.");
  expect(await open()).toHaveLength(1);
});

test("cancelling everything answers a list as one item; a page's list has its number for a name", async () => {
  const single = await client.createOrder("BTC/USD", "limit", "buy", 0.01, 50_000);
  await scene.as(userId).done("orders:placeList", {
    market: "BTC-USD",
    kind: "oco",
    orders: [
      { side: "sell", type: "limit", price: "70000.00", quantity: "0.1" },
      {
        side: "sell",
        type: "market",
        quantity: "0.1",
        trigger: { type: "stop", price: "50000.00" },
      },
    ],
  });
  const [placed] = await open();
  expect(placed.listClientOrderId).toBe(String(placed.orderListId));
  const answer = (await client.privateDeleteOpenOrders({
    symbol: "BTCUSD",
  })) as unknown as (List & OrderReport)[];
  expect(answer).toMatchObject([
    { orderId: Number(single.id), status: "CANCELED" },
    {
      orderListId: placed.orderListId,
      listOrderStatus: "ALL_DONE",
      orderReports: [{ status: "CANCELED" }, { status: "CANCELED" }],
    },
  ]);
});

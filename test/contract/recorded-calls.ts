/** What two programs do and ask, so that every call is answered. */
import { functions } from "#contract/functions.ts";
import type { AnswerRecording, Texts } from "./answer-recording.ts";
import type { Program } from "./trading-programs.ts";

const MARKET = { symbol: "BTCUSD" };
const ORDER = "/api/v3/order";
const LIMIT = { ...MARKET, type: "LIMIT", timeInForce: "GTC" };

const DAY_MS = 86_400_000;

export interface RecordedPrograms {
  readonly recording: AnswerRecording;
  readonly maker: Program;
  readonly taker: Program;
}

export async function recordCalls(programs: RecordedPrograms): Promise<void> {
  await trade(programs);
  await changeOrders(programs);
  await readPublic(programs);
  await readOwn(programs);
  await cancel(programs);
  await meetOwnOrder(programs);
  await reportInTime(programs);
  await placeLists(programs);
  await payPlan(programs);
  await suffer(programs);
}

async function trade({ recording, maker, taker }: RecordedPrograms): Promise<void> {
  const place = (program: Program, terms: Texts) =>
    recording.call(`POST ${ORDER}`, program, { ...MARKET, ...terms });
  const rest = { ...LIMIT, side: "SELL", price: "64000" };
  const strategy = { strategyId: "7", strategyType: "1000000" };
  await place(maker, { ...rest, quantity: "0.3", newOrderRespType: "ACK" });
  await place(maker, { ...rest, quantity: "0.1", newOrderRespType: "RESULT" });
  await place(taker, { side: "BUY", type: "MARKET", quantity: "0.1" });
  await place(taker, { side: "BUY", type: "MARKET", quoteOrderQty: "640" });
  // Nothing is sold at that price.
  await place(taker, {
    ...LIMIT,
    timeInForce: "IOC",
    side: "BUY",
    price: "60000",
    quantity: "0.1",
  });
  await place(taker, { ...LIMIT, ...strategy, side: "BUY", price: "60000", quantity: "0.1" });
  await place(taker, { side: "SELL", type: "STOP_LOSS", stopPrice: "61000", quantity: "0.01" });
  await place(taker, { side: "SELL", type: "STOP_LOSS", trailingDelta: "200", quantity: "0.01" });
  const hidden = { ...LIMIT, side: "BUY", price: "59000", quantity: "0.1", icebergQty: "0.05" };
  await place(taker, hidden);
  await recording.call("POST /api/v3/openbell/order", taker, {
    ...LIMIT,
    timeInForce: "GTD",
    goodTillDate: `${Date.now() + DAY_MS}`,
    side: "BUY",
    price: "58000",
    quantity: "0.01",
  });
  const test = { ...MARKET, side: "BUY", type: "MARKET", quantity: "0.1" };
  await recording.call(`POST ${ORDER}/test`, taker, test);
  await recording.call(`POST ${ORDER}/test`, taker, { ...test, computeCommissionRates: "true" });
}

async function changeOrders({ recording, maker }: RecordedPrograms): Promise<void> {
  const rest = { ...LIMIT, side: "SELL", price: "66000", quantity: "0.1" };
  const { orderId } = await recording.call(`POST ${ORDER}`, maker, rest);
  const named = { ...MARKET, orderId: String(orderId) };
  await recording.call(`PUT ${ORDER}/amend/keepPriority`, maker, { ...named, newQty: "0.05" });
  await recording.call(`GET ${ORDER}/amendments`, maker, named);
  const replacement = { ...rest, price: "67000", cancelReplaceMode: "STOP_ON_FAILURE" };
  await recording.call(`POST ${ORDER}/cancelReplace`, maker, {
    ...replacement,
    cancelOrderId: String(orderId),
  });
}

async function readPublic({ recording, maker }: RecordedPrograms): Promise<void> {
  const read = (path: string, parameters: Texts = MARKET) =>
    recording.call(`GET ${path}`, maker, parameters);
  const v3 = "/api/v3";
  for (const path of ["/ping", "/time"]) await read(v3 + path, {});
  await read("/sapi/v1/system/status", {});
  await read(`${v3}/openbell/plans`, {});
  await read(`${v3}/openbell/markets`);
  for (const path of ["/exchangeInfo", "/depth", "/trades", "/historicalTrades", "/aggTrades"]) {
    await read(v3 + path);
  }
  for (const path of ["/klines", "/uiKlines"]) await read(v3 + path, { ...MARKET, interval: "1m" });
  await read(`${v3}/avgPrice`);
  for (const path of ["", "/price", "/bookTicker", "/24hr", "/tradingDay"]) {
    await read(`${v3}/ticker${path}`);
    await read(`${v3}/ticker${path}`, { symbols: '["BTCUSD"]' });
  }
  for (const path of ["", "/24hr", "/tradingDay"]) {
    await read(`${v3}/ticker${path}`, { ...MARKET, type: "MINI" });
  }
}

async function readOwn({ recording, taker }: RecordedPrograms): Promise<void> {
  const read = (path: string, parameters: Texts = {}) =>
    recording.call(`GET ${path}`, taker, parameters);
  const orders = (await read("/api/v3/allOrders", MARKET)) as unknown as { orderId: number }[];
  for (const { orderId } of orders) await read(ORDER, { ...MARKET, orderId: String(orderId) });
  await read("/api/v3/openOrders");
  await read("/api/v3/myTrades", MARKET);
  await read("/api/v3/myAllocations", MARKET);
  await read("/api/v3/account");
  await read("/api/v3/account/commission", MARKET);
  await read("/api/v3/myFilters", MARKET);
  await read("/api/v3/rateLimit/order");
  await read("/api/v3/openbell/plan");
  const hourMs = 3_600_000;
  const period = { startTime: `${Date.now() - hourMs}`, endTime: `${Date.now() + hourMs}` };
  await read("/api/v3/openbell/statements", period);
  for (const path of ["account/apiRestrictions", "asset/tradeFee", "capital/config/getall"]) {
    await read(`/sapi/v1/${path}`);
  }
  await read("/sapi/v1/capital/deposit/hisrec");
  await read("/sapi/v1/capital/withdraw/history");
  await read("/sapi/v1/fiat/orders", { transactionType: "0" });
  await read("/sapi/v1/asset/transfer", { type: "MAIN_FUNDING" });
}

async function cancel({ recording, taker }: RecordedPrograms): Promise<void> {
  const placed = { ...LIMIT, side: "BUY", price: "58000", quantity: "0.01" };
  const { orderId } = await recording.call(`POST ${ORDER}`, taker, placed);
  await recording.call(`DELETE ${ORDER}`, taker, { ...MARKET, orderId: String(orderId) });
  await recording.call("DELETE /api/v3/openOrders", taker, MARKET);
}

/** Nothing is left of either order. */
async function meetOwnOrder({ recording, taker }: RecordedPrograms): Promise<void> {
  const both = { ...LIMIT, price: "62000", selfTradePreventionMode: "EXPIRE_BOTH" };
  await recording.call(`POST ${ORDER}`, taker, { ...both, side: "BUY", quantity: "0.01" });
  const sell = { ...both, side: "SELL", quantity: "0.02" };
  const { orderId } = await recording.call(`POST ${ORDER}`, taker, sell);
  const named = { ...MARKET, orderId: String(orderId) };
  await recording.call("GET /api/v3/myPreventedMatches", taker, named);
}

/** A timer for all markets, and one that is ended. */
async function reportInTime({ recording, taker }: RecordedPrograms): Promise<void> {
  const timer = "POST /api/v3/openbell/cancelAllAfter";
  await recording.call(timer, taker, { countdownTime: "60000" });
  await recording.call(timer, taker, { ...MARKET, countdownTime: "60000" });
  await recording.call(timer, taker, { ...MARKET, countdownTime: "0" });
  await recording.call(timer, taker, { countdownTime: "0" });
}

/** Of every kind; a list as a whole is cancelled by its number. */
async function placeLists({ recording, taker }: RecordedPrograms): Promise<void> {
  const lists = "/api/v3/orderList";
  const place = (path: string, terms: Texts) =>
    recording.call(`POST ${path}`, taker, { ...MARKET, ...terms });
  const pair = { side: "SELL", quantity: "0.01" };
  const above = { aboveType: "LIMIT_MAKER", abovePrice: "70000" };
  const below = { belowType: "STOP_LOSS", belowStopPrice: "60000" };
  await place(`${lists}/oco`, { ...pair, ...above, ...below });
  await place("/api/v3/order/oco", { ...pair, price: "71000", stopPrice: "59000" });
  const working = {
    workingType: "LIMIT",
    workingTimeInForce: "GTC",
    workingSide: "BUY",
    workingPrice: "50000",
    workingQuantity: "0.01",
  };
  const pending = { pendingType: "MARKET", pendingSide: "SELL", pendingQuantity: "0.01" };
  await place(`${lists}/oto`, { ...working, ...pending });
  const placed = await place(`${lists}/otoco`, {
    ...working,
    pendingSide: "SELL",
    pendingQuantity: "0.01",
    pendingAboveType: "LIMIT_MAKER",
    pendingAbovePrice: "70000",
    pendingBelowType: "STOP_LOSS",
    pendingBelowStopPrice: "45000",
  });
  const orderListId = String(placed.orderListId);
  await recording.call(`GET ${lists}`, taker, { orderListId });
  await recording.call("GET /api/v3/openOrderList", taker);
  await recording.call(`DELETE ${lists}`, taker, { ...MARKET, orderListId });
  await recording.call("GET /api/v3/allOrderList", taker);
  await recording.call("DELETE /api/v3/openOrders", taker, MARKET);
}

/** Coins go otherwise than by trading. */
async function payPlan({ maker }: RecordedPrograms): Promise<void> {
  await maker.trader.http.mutation(functions.plans.choose, { plan: "pro" });
}

/** The fault lab, with a fault that is never felt. */
async function suffer({ recording, taker }: RecordedPrograms): Promise<void> {
  const faults = "/api/v3/openbell/faults";
  await recording.call(`GET ${faults}`, taker);
  await recording.call(`PUT ${faults}`, taker, { latencyMs: "1", seed: "7" });
  await recording.call(`DELETE ${faults}`, taker);
}

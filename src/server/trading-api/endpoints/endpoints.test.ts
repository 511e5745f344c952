/** Weights and parameters of all calls at their edges, from their declarations. */
import { describe, expect, test } from "vitest";
import { ApiError } from "../api-error.ts";
import { pairsOf, readParameters } from "../parameters.ts";
import { endpoints, findEndpoint } from "./endpoints.ts";

const listOf = (count: number) =>
  encodeURIComponent(JSON.stringify(Array.from({ length: count }, (_, at) => `COIN${at}USD`)));

function read(name: string, query: string) {
  const [method, path] = name.split(" ");
  const { parameters, weight } = findEndpoint(method, path);
  const given = readParameters(parameters, pairsOf(query, ""), false);
  return { given, weight: typeof weight === "number" ? weight : weight.of(given) };
}

function codeOf(name: string, query: string): number | "good" {
  try {
    read(name, query);
    return "good";
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

describe("the weight of a call at the edges of its parameters", () => {
  test.each<[string, string, number]>([
    ["GET /api/v3/depth", "symbol=BTCUSD", 5],
    ["GET /api/v3/depth", "symbol=BTCUSD&limit=100", 5],
    ["GET /api/v3/depth", "symbol=BTCUSD&limit=101", 25],
    ["GET /api/v3/depth", "symbol=BTCUSD&limit=500", 25],
    ["GET /api/v3/depth", "symbol=BTCUSD&limit=501", 50],
    ["GET /api/v3/depth", "symbol=BTCUSD&limit=1000", 50],
    ["GET /api/v3/depth", "symbol=BTCUSD&limit=1001", 250],
    ["GET /api/v3/depth", "symbol=BTCUSD&limit=9000", 250],
    ["GET /api/v3/ticker/24hr", "symbol=BTCUSD", 2],
    ["GET /api/v3/ticker/24hr", `symbols=${listOf(20)}`, 2],
    ["GET /api/v3/ticker/24hr", `symbols=${listOf(21)}`, 40],
    ["GET /api/v3/ticker/24hr", `symbols=${listOf(100)}`, 40],
    ["GET /api/v3/ticker/24hr", `symbols=${listOf(101)}`, 80],
    ["GET /api/v3/ticker/24hr", "", 80],
    ["GET /api/v3/ticker/price", "symbol=BTCUSD", 2],
    ["GET /api/v3/ticker/price", "", 4],
    ["GET /api/v3/ticker/bookTicker", "symbol=BTCUSD", 2],
    ["GET /api/v3/ticker/bookTicker", `symbols=${listOf(2)}`, 4],
    ["GET /api/v3/ticker", "symbol=BTCUSD", 4],
    ["GET /api/v3/ticker", `symbols=${listOf(50)}`, 200],
    ["GET /api/v3/ticker", `symbols=${listOf(51)}`, 200],
    ["GET /api/v3/ticker/tradingDay", `symbols=${listOf(3)}`, 12],
    ["GET /api/v3/openOrders", "symbol=BTCUSD", 6],
    ["GET /api/v3/openOrders", "", 80],
    ["GET /api/v3/myTrades", "symbol=BTCUSD", 20],
    ["GET /api/v3/myTrades", "symbol=BTCUSD&orderId=1", 5],
    ["GET /api/v3/myPreventedMatches", "symbol=BTCUSD&orderId=1", 20],
    ["GET /api/v3/myPreventedMatches", "symbol=BTCUSD&preventedMatchId=1", 2],
    ["POST /api/v3/order/test", "symbol=BTCUSD&side=BUY&type=MARKET&quantity=1", 1],
    [
      "POST /api/v3/order/test",
      "symbol=BTCUSD&side=BUY&type=MARKET&quantity=1&computeCommissionRates=true",
      20,
    ],
    ["GET /api/v3/openbell/markets", "symbol=BTCUSD", 2],
    ["GET /api/v3/openbell/markets", "", 4],
  ])("%s with %s", (name, query, weight) => {
    expect(read(name, query).weight).toBe(weight);
  });

  test("is at least 1, for what a request takes when it arrives", () => {
    const fixed = endpoints.flatMap(({ weight }) => (typeof weight === "number" ? weight : []));
    expect(Math.min(...fixed)).toBe(1);
  });
});

describe("the limit of a call's rows", () => {
  const own = "symbol=BTCUSD&orderId=1&";
  test.each([
    ["GET /api/v3/allOrders", own, 1_000, 500],
    ["GET /api/v3/myTrades", own, 1_000, 500],
    ["GET /api/v3/myPreventedMatches", own, 1_000, 500],
    ["GET /api/v3/myAllocations", own, 1_000, 500],
    ["GET /api/v3/order/amendments", own, 1_000, 500],
    ["GET /api/v3/allOrderList", "", 1_000, 500],
    ["GET /sapi/v1/capital/deposit/hisrec", "", 1_000, 1_000],
    ["GET /sapi/v1/capital/withdraw/history", "", 1_000, 1_000],
  ])("%s refuses more than it answers", (name, others, most, otherwise) => {
    expect(read(name, others).given).toMatchObject({ limit: otherwise });
    expect(read(name, `${others}limit=1`).given).toMatchObject({ limit: 1 });
    expect(read(name, `${others}limit=${most}`).given).toMatchObject({ limit: most });
    expect(codeOf(name, `${others}limit=${most + 1}`)).toBe(-1130);
    expect(codeOf(name, `${others}limit=0`)).toBe(-1130);
    expect(codeOf(name, `${others}limit=-1`)).toBe(-1100);
  });

  test.each([
    ["GET /api/v3/depth", "", 5_000, 100],
    ["GET /api/v3/trades", "", 1_000, 500],
    ["GET /api/v3/historicalTrades", "", 1_000, 500],
    ["GET /api/v3/aggTrades", "", 1_000, 500],
    ["GET /api/v3/klines", "interval=1m&", 1_000, 500],
    ["GET /api/v3/uiKlines", "interval=1m&", 1_000, 500],
  ])("%s takes the most for more", (name, others, most, otherwise) => {
    const market = `symbol=BTCUSD&${others}`;
    expect(read(name, market).given).toMatchObject({ limit: otherwise });
    expect(read(name, `${market}limit=${most}`).given).toMatchObject({ limit: most });
    expect(read(name, `${market}limit=${most + 1}`).given).toMatchObject({ limit: most });
    expect(codeOf(name, `${market}limit=0`)).toBe(-1130);
  });
});

describe("a parameter at its edges", () => {
  const order = "POST /api/v3/order";
  const terms = "symbol=BTCUSD&side=BUY&type=LIMIT";
  test.each<[string, string, number | "good"]>([
    ["GET /api/v3/ticker", "symbol=BTCUSD&windowSize=1m", "good"],
    ["GET /api/v3/ticker", "symbol=BTCUSD&windowSize=59m", "good"],
    ["GET /api/v3/ticker", "symbol=BTCUSD&windowSize=60m", -1100],
    ["GET /api/v3/ticker", "symbol=BTCUSD&windowSize=0m", -1100],
    ["GET /api/v3/ticker", "symbol=BTCUSD&windowSize=23h", "good"],
    ["GET /api/v3/ticker", "symbol=BTCUSD&windowSize=24h", -1100],
    ["GET /api/v3/ticker", "symbol=BTCUSD&windowSize=7d", "good"],
    ["GET /api/v3/ticker", "symbol=BTCUSD&windowSize=8d", -1100],
    ["GET /api/v3/klines", "symbol=BTCUSD&interval=1M", "good"],
    ["GET /api/v3/klines", "symbol=BTCUSD&interval=2M", -1120],
    ["GET /api/v3/klines", "symbol=BTCUSD", -1102],
    ["GET /api/v3/klines", "symbol=BTCUSD&interval=1d&timeZone=0", "good"],
    ["GET /api/v3/klines", "symbol=BTCUSD&interval=1d&timeZone=1", -1130],
    ["GET /api/v3/ticker/price", `symbols=${listOf(200)}`, "good"],
    ["GET /api/v3/ticker/price", `symbols=${listOf(201)}`, -1130],
    ["GET /api/v3/ticker/price", `symbols=${listOf(0)}`, -1130],
    ["GET /api/v3/ticker/price", "symbol=BTCUSD&symbolStatus=TRADING", "good"],
    ["GET /api/v3/ticker/price", "symbol=BTCUSD&symbolStatus=CLOSED", -1130],
    ["GET /api/v3/depth", `symbol=${"A".repeat(40)}`, "good"],
    ["GET /api/v3/depth", `symbol=${"A".repeat(41)}`, -1121],
    ["GET /api/v3/order", `symbol=BTCUSD&orderId=${Number.MAX_SAFE_INTEGER}`, "good"],
    ["GET /api/v3/order", `symbol=BTCUSD&orderId=${2 ** 53}`, -1130],
    ["GET /api/v3/allOrders", "symbol=BTCUSD&startTime=8640000000000000", "good"],
    ["GET /api/v3/allOrders", "symbol=BTCUSD&startTime=8640000000000001", -1130],
    ["GET /api/v3/account", "omitZeroBalances=maybe", -1130],
    [order, `${terms}&newClientOrderId=${"a".repeat(36)}`, "good"],
    [order, `${terms}&newClientOrderId=${"a".repeat(37)}`, -1100],
    [order, `${terms}&newClientOrderId=a%20b`, -1100],
    [order, `${terms}&strategyId=999999999999999`, "good"],
    [order, `${terms}&strategyId=1000000000000000`, -1100],
    [order, `${terms}&strategyType=1000000`, "good"],
    [order, `${terms}&strategyType=999999`, -1134],
    [order, `${terms}&strategyType=2147483648`, -1130],
    [order, `${terms}&price=0`, "good"],
    [order, `${terms}&price=-1`, -1100],
    [order, `${terms}&price=1e3`, -1100],
    [order, `${terms}&price=`, -1105],
    [order, `${terms}&timeInForce=GTD`, -1115],
    [order, `${terms}&timeInForce=FOK`, "good"],
    [order, `${terms}&newOrderRespType=ALL`, -1130],
    [order, `${terms}&selfTradePreventionMode=NONE`, -1130],
    [order, "symbol=BTCUSD&side=LONG&type=LIMIT", -1117],
    [order, "symbol=BTCUSD&side=BUY&type=OCO", -1116],
    ["DELETE /api/v3/order", "symbol=BTCUSD&orderId=1&cancelRestrictions=ANY", -1145],
    ["GET /sapi/v1/fiat/orders", "transactionType=0&rows=500", "good"],
    ["GET /sapi/v1/fiat/orders", "transactionType=0&rows=501", -1130],
    ["GET /sapi/v1/fiat/orders", "transactionType=2", -1130],
    ["GET /sapi/v1/asset/transfer", "type=MAIN_FUNDING&size=100", "good"],
    ["GET /sapi/v1/asset/transfer", "type=MAIN_FUNDING&size=101", -1130],
    ["GET /sapi/v1/capital/deposit/address", "coin=btc", -1100],
    ["GET /sapi/v1/capital/withdraw/history", `idList=${"1".repeat(1_001)}`, -1130],
  ])("%s with %s is %s", (name, query, outcome) => {
    expect(codeOf(name, query)).toBe(outcome);
  });
});

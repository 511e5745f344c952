/**
 * Two programs trade with the unmodified @binance/spot: what they read equals the ledger, and every
 * answer has the fields that the client declares.
 */
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createRequire } from "node:module";
import { Spot } from "@binance/spot";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import { exchangeStarter, type TestExchange } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";
import { Declarations } from "./declared-fields.ts";
import { expectLoopbackOnly } from "./loopback-only.ts";
import {
  expectLedger,
  expectTradesExplain,
  lastPositions,
  positionsIn,
  PRACTICE_FUNDS,
  twoPrograms,
} from "./program-ledger.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });
const POLL = { timeout: 60_000 };
const MARKET = { symbol: "BTCUSD" };

const declarations = new Declarations(
  createRequire(import.meta.url)
    .resolve("@binance/spot")
    .replace(/\.js$/, ".d.ts"),
);

/** Fields that an order or an answer has only sometimes, or that are of what is not here. */
const SOMETIMES: ReadonlySet<string> = new Set(
  ["expiryReason", "icebergQty", "stopPrice", "trailingDelta", "trailingTime"].concat(
    ["preventedMatchId", "preventedQuantity", "fills", "listStatus"],
    ["pegOffsetType", "pegOffsetValue", "pegPriceType", "peggedPrice"],
    ["strategyId", "strategyType", "sors", "usedSor", "workingFloor"],
    ["contingencyType", "listClientOrderId", "listOrderStatus", "listStatusType"],
    ["orderReports", "orders", "transactionTime"],
  ),
);

/** An answer has every field that is always declared, and none that is not declared. */
function expectDeclared(value: unknown, type: string, ...except: readonly string[]): void {
  const differences = declarations
    .differences(value, type)
    .filter((field) => !SOMETIMES.has(field.slice(1).split(".").at(-1) ?? ""))
    .filter((field) => !except.includes(field));
  expect([type, ...differences]).toEqual([type]);
}

/** Terms of an order for any call: the client's enumerations, one for each call, are these texts. */
function terms(more: object): never {
  return { ...MARKET, side: "SELL", type: "LIMIT", timeInForce: "GTC", ...more } as never;
}
function bought(more: object): never {
  return { ...MARKET, side: "BUY", type: "MARKET", ...more } as never;
}
function trading(more: object): never {
  return { ...MARKET, symbolStatus: "TRADING", ...more } as never;
}
function minutes(): never {
  return { ...MARKET, interval: "1m" } as never;
}

interface Key {
  readonly apiKey: string;
  readonly apiSecret?: string;
  readonly privateKey?: string;
}

function clientOf({ url }: TestExchange, key: Key) {
  const sockets = url.replace("http", "ws");
  // Usually it waits a second for an answer.
  const timeout = POLL.timeout;
  return new Spot({
    configurationRestAPI: { ...key, timeout, basePath: url },
    configurationWebsocketAPI: { ...key, timeout, wsURL: `${sockets}/ws-api/v3` },
    configurationWebsocketStreams: { wsURL: sockets },
  });
}

async function read<Value>(answer: Promise<{ data(): Promise<Value> }>): Promise<Value> {
  return (await answer).data();
}

describeOnSqlite("programs with @binance/spot", (openDatabase) => {
  const start = exchangeStarter(openDatabase);
  expectLoopbackOnly();
  const connections: { disconnect(): Promise<void> }[] = [];
  // The client reports its connections there.
  beforeEach(() => void vi.spyOn(console, "info").mockImplementation(() => {}));
  // Before the exchange stops: a connection that it closes would be opened again.
  afterEach(() => {
    for (const connection of connections.splice(0)) void connection.disconnect();
    vi.restoreAllMocks();
  });

  async function open() {
    const exchange = await start({ PRACTICE_FUNDS });
    const { maker, taker } = await twoPrograms(exchange);
    const making = clientOf(exchange, { apiKey: maker.apiKey, apiSecret: maker.secret });
    const taking = clientOf(exchange, { apiKey: taker.apiKey, apiSecret: taker.secret });
    return { exchange, maker, taker, making, taking };
  }

  /** One trade, and orders on both sides of the book. */
  async function openTraded() {
    const opened = await open();
    const { making, taking } = opened;
    await making.restAPI.newOrder(terms({ price: 64_000, quantity: 0.5 }));
    await making.restAPI.newOrder(terms({ side: "BUY", price: 63_000, quantity: 0.1 }));
    await taking.restAPI.newOrder(bought({ quantity: 0.2 }));
    return opened;
  }

  test("read market data in the fields that the client declares", async () => {
    const { restAPI } = (await openTraded()).making;
    expect(await read(restAPI.ping())).toEqual({});
    expectDeclared(await read(restAPI.time()), "TimeResponse$1");
    for (const which of [{}, MARKET, { symbols: ["BTCUSD", "ETHUSD"] }]) {
      const info = await read(restAPI.exchangeInfo(which));
      expect(info.symbols?.[0]).toMatchObject({ symbol: "BTCUSD", status: "TRADING" });
      expectDeclared(info, "ExchangeInfoResponse$1", "-rateLimits[].count");
    }
    const depth = await read(restAPI.depth(trading({ limit: 5 })));
    expect(depth).toMatchObject({ bids: [["63000.00", "0.1000"]], asks: [["64000.00", "0.3000"]] });
    expectDeclared(depth, "DepthResponse$1", "+T");
    expectDeclared(await read(restAPI.getTrades(MARKET)), "GetTradesResponse");
    expectDeclared(
      await read(restAPI.historicalTrades({ ...MARKET, fromId: 1 })),
      "HistoricalTradesResponse",
    );
    expectDeclared(await read(restAPI.aggTrades(MARKET)), "AggTradesResponse");
    expect((await read(restAPI.klines(minutes())))[0]).toHaveLength(12);
    expect((await read(restAPI.uiKlines(minutes())))[0]).toHaveLength(12);
    expectDeclared(await read(restAPI.avgPrice(MARKET)), "AvgPriceResponse$2");
    expectDeclared(await read(restAPI.ticker(MARKET)), "TickerResponse1$1");
    expectDeclared(await read(restAPI.ticker24hr(MARKET)), "Ticker24hrResponse1$1");
    expectDeclared(
      await read(restAPI.ticker24hr(trading({ symbol: undefined }))),
      "Ticker24hrResponse2$1",
    );
    expectDeclared(await read(restAPI.tickerTradingDay(MARKET)), "TickerTradingDayResponse1");
    expectDeclared(await read(restAPI.tickerPrice(MARKET)), "TickerPriceResponse1$1");
    expectDeclared(await read(restAPI.tickerPrice()), "TickerPriceResponse2$1");
    expectDeclared(await read(restAPI.tickerBookTicker(MARKET)), "TickerBookTickerResponse1");
    expectDeclared(await read(restAPI.tickerBookTicker()), "TickerBookTickerResponse2");
  });

  test("place every order type, change it and cancel it, in the fields that the client declares", async () => {
    const { making, taking } = await openTraded();
    const { restAPI } = making;
    const types = [
      { price: 66_000 },
      { price: 66_000, icebergQty: 0.002 },
      { type: "LIMIT_MAKER", timeInForce: undefined, price: 66_000 },
      { type: "STOP_LOSS", timeInForce: undefined, stopPrice: 60_000 },
      { type: "STOP_LOSS", timeInForce: undefined, trailingDelta: 250 },
      { type: "STOP_LOSS_LIMIT", stopPrice: 60_000, price: 59_990 },
      { type: "TAKE_PROFIT", timeInForce: undefined, stopPrice: 70_000 },
      { type: "TAKE_PROFIT_LIMIT", stopPrice: 70_000, price: 70_010 },
    ];
    for (const more of types) {
      const order = { ...more, quantity: 0.01, newOrderRespType: "RESULT" };
      expect(await read(restAPI.orderTest(terms(order)))).toEqual({});
      const { orderId, ...placed } = await read(restAPI.newOrder(terms(order)));
      expect(placed).toMatchObject({ status: "NEW", type: more.type ?? "LIMIT" });
      const name = { ...MARKET, orderId };
      const found = await read(restAPI.getOrder(name));
      expect(found).toMatchObject({ orderId, status: "NEW", type: more.type ?? "LIMIT" });
      expectDeclared(found, "GetOrderResponse");
      const cancelled = await read(restAPI.deleteOrder(name));
      expect(cancelled).toMatchObject({ orderId, status: "CANCELED" });
      expectDeclared(cancelled, "DeleteOrderResponse");
    }
    const { orderId } = await read(restAPI.newOrder(terms({ price: 66_000, quantity: 0.1 })));
    const name = { ...MARKET, orderId };
    const amended = await read(
      restAPI.orderAmendKeepPriority({ ...MARKET, orderId, newQty: 0.05 }),
    );
    expect(amended).toMatchObject({ amendedOrder: { orderId, qty: "0.0500" } });
    expectDeclared(amended, "OrderAmendKeepPriorityResponse$1");
    const amendments = await read(restAPI.orderAmendments({ ...MARKET, orderId: orderId ?? 0 }));
    expect(amendments).toHaveLength(1);
    expectDeclared(amendments, "OrderAmendmentsResponse$1");
    const replacement = { price: 67_000, quantity: 0.1, cancelOrderId: orderId };
    const replaced = await read(
      restAPI.orderCancelReplace(terms({ ...replacement, cancelReplaceMode: "STOP_ON_FAILURE" })),
    );
    expect(replaced).toMatchObject({ cancelResult: "SUCCESS", newOrderResult: "SUCCESS" });
    expectDeclared(replaced, "OrderCancelReplaceResponse$1");
    const resting = await read(restAPI.getOpenOrders(MARKET));
    expect(resting).toHaveLength(3);
    expectDeclared(resting, "GetOpenOrdersResponse");
    const all = await read(restAPI.allOrders(MARKET));
    expect(all).toHaveLength(types.length + 4);
    expectDeclared(all, "AllOrdersResponse$1");
    expectDeclared(await read(restAPI.rateLimitOrder()), "RateLimitOrderResponse");
    const gone = await read(restAPI.deleteOpenOrders(MARKET));
    expect(gone).toHaveLength(3);
    expectDeclared(gone, "DeleteOpenOrdersResponse");
    await expect(restAPI.deleteOrder(name)).rejects.toMatchObject({ code: -2011 });
    await expect(taking.restAPI.getOrder(name)).rejects.toMatchObject({ code: -2013 });
    expect(await read(restAPI.myAllocations(MARKET))).toEqual([]);
  });

  test("read the balances that the ledger has and that their trades explain", async () => {
    const { maker, taker, making, taking } = await open();
    await making.restAPI.newOrder(terms({ price: 64_000.01, quantity: 0.5 }));
    const met = await read(taking.restAPI.newOrder(bought({ quantity: 0.2003 })));
    expect(met).toMatchObject({ status: "FILLED", executedQty: "0.2003" });
    // As trades of the account have them.
    expectDeclared(met, "NewOrderResponse", "+fills[].isBuyer", "+fills[].isMaker");
    await taking.restAPI.newOrder(bought({ quoteOrderQty: 1_234.56 }));
    await taking.restAPI.newOrder(terms({ side: "BUY", price: 60_000, quantity: 0.1 }));
    for (const [program, { restAPI }] of [
      [maker, making],
      [taker, taking],
    ] as const) {
      const account = await read(restAPI.getAccount());
      expectDeclared(account, "GetAccountResponse");
      const trades = await read(restAPI.myTrades(MARKET));
      expectDeclared(trades, "MyTradesResponse$1");
      await expectLedger(program, account.balances ?? []);
      expectTradesExplain(trades, account.balances ?? []);
      const commission = await read(restAPI.accountCommission(MARKET));
      expectDeclared(commission, "AccountCommissionResponse$1");
    }
  });

  test("trade over the WebSocket API in a session and follow their account", async () => {
    const { exchange, maker, taking } = await open();
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const { key } = await maker.trader.http.action(functions.apiKeys.create, {
      name: "Session",
      kind: "ed25519",
      publicKey: publicKey.export({ format: "pem", type: "spki" }),
      permissions: ["read", "trade"],
    });
    const pem = privateKey.export({ format: "pem", type: "pkcs8" });
    const signed = clientOf(exchange, { apiKey: key.apiKey, privateKey: pem });
    expect(await read(signed.restAPI.getOpenOrders())).toEqual([]);
    const api = await signed.websocketAPI.connect();
    connections.push(api);
    const [session] = await api.sessionLogon();
    expectDeclared(session.data, "SessionLogonResponseResult");
    const events: { e?: string; x?: string }[] = [];
    const { stream } = await api.userDataStreamSubscribe();
    stream.on("message", (event) => void events.push(event));
    expectDeclared((await api.sessionStatus()).data, "SessionStatusResponseResult");
    expect((await api.sessionSubscriptions()).data).toEqual([{ subscriptionId: 0 }]);
    const { data: placed } = await api.orderPlace(terms({ price: 64_000, quantity: 0.3 }));
    expect(placed).toMatchObject({ status: "NEW" });
    expectDeclared(placed, "OrderPlaceResponseResult");
    await taking.restAPI.newOrder(bought({ quantity: 0.1 }));
    const name = { ...MARKET, orderId: placed.orderId };
    const { data: found } = await api.orderStatus(name);
    expect(found).toMatchObject({ status: "PARTIALLY_FILLED", executedQty: "0.1000" });
    expectDeclared(found, "OrderStatusResponseResult");
    expect((await api.openOrdersStatus(MARKET)).data).toHaveLength(1);
    expect((await api.allOrders(MARKET)).data).toHaveLength(1);
    expect((await api.depth(MARKET)).data).toMatchObject({ asks: [["64000.00", "0.2000"]] });
    const { data: ticker } = await api.ticker24hr(MARKET);
    expectDeclared(ticker, "Ticker24hrResponse1Result");
    expect((await api.klines(minutes())).data).toHaveLength(1);
    const replacement = { price: 65_000, quantity: 0.1, cancelOrderId: placed.orderId };
    const { data: replaced } = await api.orderCancelReplace(
      terms({ ...replacement, cancelReplaceMode: "STOP_ON_FAILURE" }),
    );
    const { orderId } = replaced?.newOrderResponse ?? {};
    const { data: cancelled } = await api.orderCancel({ ...MARKET, orderId });
    expect(cancelled).toMatchObject({ status: "CANCELED" });
    await expect(api.orderCancel(name)).rejects.toMatchObject({ code: -2011 });
    const { data: account } = await api.accountStatus();
    expectDeclared(account, "AccountStatusResponseResult");
    const { balances = [] } = account ?? {};
    await expectLedger(maker, balances);
    expectTradesExplain((await api.myTrades(MARKET)).data ?? [], balances);
    const reports = () => events.filter(({ e }) => e === "executionReport");
    await expect
      .poll(() => reports().map(({ x }) => x), POLL)
      .toEqual(["NEW", "TRADE", "CANCELED", "NEW", "CANCELED"]);
    await expect
      .poll(() => lastPositions(events), POLL)
      .toEqual(positionsIn(balances, "BTC", "USD"));
    for (const report of reports()) {
      const unknown = declarations
        .differences(report, "ExecutionReport$1")
        .filter((field) => field.startsWith("+"));
      // The client tells events apart by it, without declaring it.
      expect(unknown).toEqual(["+e"]);
    }
    await api.userDataStreamUnsubscribe();
    await api.sessionLogout();
  });

  test("learn that times are in milliseconds, whatever their settings ask for", async () => {
    const { exchange, maker } = await open();
    const key = { apiKey: maker.apiKey, apiSecret: maker.secret, timeUnit: "MICROSECOND" as const };
    const client = new Spot({ configurationRestAPI: { ...key, basePath: exchange.url } });
    await expect(client.restAPI.time()).rejects.toMatchObject({ code: -1130 });
    const sockets = exchange.url.replace("http", "ws");
    for (const path of [
      "/ws-api/v3?timeUnit=MICROSECOND",
      "/stream?streams=&timeUnit=microsecond",
    ]) {
      const socket = new WebSocket(sockets + path);
      const [{ code }] = (await once(socket, "close")) as [{ code: number }];
      expect(code).toBe(1008);
    }
    const usual = new WebSocket(`${sockets}/ws-api/v3?timeUnit=MILLISECOND`);
    await once(usual, "open");
    usual.close();
  });

  test("follow markets over streams in the fields that the client declares", async () => {
    const { making, taking } = await open();
    const streams = await making.websocketStreams.connect();
    connections.push(streams);
    const partial = { ...MARKET, levels: "5" } as unknown as Parameters<
      typeof streams.partialBookDepth
    >[0];
    const hour: never = { ...MARKET, windowSize: "1h" } as never;
    type Stream = { on(event: "message", listener: (data: unknown) => void): void };
    const opened: [type: string, subscribe: () => Stream][] = [
      ["AggTradeResponse", () => streams.aggTrade(MARKET)],
      ["TradeResponse", () => streams.trade(MARKET)],
      ["BookTickerResponse", () => streams.bookTicker(MARKET)],
      ["DiffBookDepthResponse", () => streams.diffBookDepth(MARKET)],
      ["PartialBookDepthResponse", () => streams.partialBookDepth(partial)],
      ["KlineResponse", () => streams.kline(minutes())],
      ["MiniTickerResponse", () => streams.miniTicker(MARKET)],
      ["AllMiniTickerResponse", () => streams.allMiniTicker()],
      ["TickerResponse", () => streams.ticker(MARKET)],
      ["RollingWindowTickerResponse", () => streams.rollingWindowTicker(hour)],
      ["AllMarketRollingWindowTickerResponse", () => streams.allMarketRollingWindowTicker(hour)],
      ["AvgPriceResponse", () => streams.avgPrice(MARKET)],
    ];
    const received = new Map<string, unknown>();
    let answers = 0;
    streams.on("message", (text: string) => {
      if (/"result":null/.test(text)) answers += 1;
    });
    for (const [type, subscribe] of opened) {
      const answered = answers;
      subscribe().on("message", (data) => received.set(type, data));
      // Five requests a second are allowed, and the client sends one for each.
      await expect.poll(() => answers, POLL).toBe(answered + 1);
      await new Promise((done) => setTimeout(done, 250));
    }
    let price = 64_000;
    const missing = async () => {
      await making.restAPI.newOrder(terms({ price, quantity: 0.001 }));
      await taking.restAPI.newOrder(bought({ quantity: 0.001 }));
      price += 1;
      return opened.map(([type]) => type).filter((type) => !received.has(type));
    };
    await expect.poll(missing, { ...POLL, interval: 500 }).toEqual([]);
    for (const [type, data] of received) expectDeclared(data, type);
  });
});

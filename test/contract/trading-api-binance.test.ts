/** Two programs trade with the unmodified client "binance", and what they read equals the ledger. */
import { MainClient, WebsocketAPIClient, WebsocketClient } from "binance";
import { afterEach, expect, test, vi } from "vitest";
import { exchangeStarter, type TestExchange } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";
import { expectLoopbackOnly } from "./loopback-only.ts";
import {
  expectLedger,
  expectTradesExplain,
  lastPositions,
  positionsIn,
  PRACTICE_FUNDS,
  twoPrograms,
} from "./program-ledger.ts";
import type { Program } from "./trading-programs.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });
const POLL = { timeout: 60_000 };
const MARKET = { symbol: "BTCUSD" };
const GTC = { timeInForce: "GTC" };
const QUIET = { trace() {}, info() {}, error() {} };

function clientOf({ url }: TestExchange, { apiKey, secret }: Program): MainClient {
  return new MainClient({
    api_key: apiKey,
    api_secret: secret,
    baseUrl: url,
    recvWindow: 60_000,
    // Its time would be that of the real venue, which would be sent the key.
    disableTimeSync: true,
  });
}

/** Terms of an order for any call, whose types differ by the type of the order. */
function terms(more: object): never {
  return { ...MARKET, side: "SELL", type: "LIMIT", ...more } as never;
}
function bought(more: object): never {
  return { ...MARKET, side: "BUY", type: "MARKET", ...more } as never;
}

describeOnSqlite("programs with the client binance", (openDatabase) => {
  const start = exchangeStarter(openDatabase);
  expectLoopbackOnly();
  const closers: (() => unknown)[] = [];
  // Before the exchange stops: a socket that it closes would connect again.
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  async function open() {
    const exchange = await start({ PRACTICE_FUNDS });
    const { maker, taker } = await twoPrograms(exchange);
    const making = clientOf(exchange, maker);
    const taking = clientOf(exchange, taker);
    return { exchange, maker, taker, making, taking };
  }

  /** One trade, and orders on both sides of the book. */
  async function openTraded() {
    const opened = await open();
    const { making, taking } = opened;
    await making.submitNewOrder(terms({ ...GTC, price: 64_000, quantity: 0.5 }));
    await making.submitNewOrder(terms({ ...GTC, side: "BUY", price: 63_000, quantity: 0.1 }));
    await taking.submitNewOrder(bought({ quantity: 0.2 }));
    return opened;
  }

  test("read every kind of market data", async () => {
    const { making } = await openTraded();
    expect(await making.testConnectivity()).toEqual({});
    for (const which of [undefined, MARKET, { symbols: ["BTCUSD", "ETHUSD"] }]) {
      const info = await making.getExchangeInfo(which);
      expect(info.symbols[0]).toMatchObject({ symbol: "BTCUSD", status: "TRADING" });
    }
    expect(await making.getOrderBook({ ...MARKET, limit: 5 })).toMatchObject({
      bids: [["63000.00", "0.1000"]],
      asks: [["64000.00", "0.3000"]],
    });
    const trade = { id: 1, price: "64000.00", qty: "0.2000" };
    expect(await making.getRecentTrades(MARKET)).toMatchObject([trade]);
    expect(await making.getHistoricalTrades({ ...MARKET, fromId: 1 })).toMatchObject([trade]);
    expect(await making.getAggregateTrades(MARKET)).toMatchObject([{ a: 1, q: "0.2000" }]);
    for (const candles of [
      await making.getKlines({ ...MARKET, interval: "1m" }),
      await making.getUIKlines({ ...MARKET, interval: "1d" }),
    ]) {
      expect(candles).toHaveLength(1);
      expect(candles[0][4]).toBe("64000.00");
    }
    expect(await making.getAvgPrice(MARKET)).toMatchObject({ price: "64000.00" });
    const last = { symbol: "BTCUSD", lastPrice: "64000.00" };
    expect(await making.get24hrChangeStatistics(MARKET)).toMatchObject(last);
    expect(await making.get24hrChangeStatistics({ symbols: ["BTCUSD"] })).toMatchObject([last]);
    expect(await making.get24hrChangeStatistics()).toContainEqual(expect.objectContaining(last));
    expect(await making.getTradingDayTicker({ ...MARKET, type: "FULL" })).toMatchObject(last);
    const hour = { symbols: ["BTCUSD"], windowSize: "1h", type: "FULL" as const };
    expect(await making.getRollingWindowTicker(hour)).toMatchObject([last]);
    expect(await making.getSymbolPriceTicker(MARKET)).toMatchObject({ price: "64000.00" });
    expect(await making.getSymbolPriceTicker({ symbols: ["BTCUSD"] })).toHaveLength(1);
    expect(await making.getSymbolOrderBookTicker(MARKET)).toMatchObject({ bidPrice: "63000.00" });
    expect(await making.getSystemStatus()).toEqual({ status: 0, msg: "normal" });
  });

  test("place every order type, change it and cancel it", async () => {
    const { making, taking } = await openTraded();
    const types = [
      { ...GTC, price: 66_000 },
      { ...GTC, price: 66_000, icebergQty: 0.002 },
      { type: "LIMIT_MAKER", price: 66_000 },
      { type: "STOP_LOSS", stopPrice: 60_000 },
      { type: "STOP_LOSS", trailingDelta: 250 },
      { type: "STOP_LOSS_LIMIT", ...GTC, stopPrice: 60_000, price: 59_990 },
      { type: "TAKE_PROFIT", stopPrice: 70_000 },
      { type: "TAKE_PROFIT_LIMIT", ...GTC, stopPrice: 70_000, price: 70_010 },
    ];
    for (const more of types) {
      const order = { type: "LIMIT", ...more, quantity: 0.01, newOrderRespType: "RESULT" };
      expect(await making.testNewOrder(terms(order))).toEqual({});
      const placed: { orderId: number } = await making.submitNewOrder(terms(order));
      expect(placed).toMatchObject({ status: "NEW", type: order.type });
      const name = { ...MARKET, orderId: placed.orderId };
      expect(await making.getOrder(name)).toMatchObject({ ...name, status: "NEW" });
      expect(await making.cancelOrder(name)).toMatchObject({ ...name, status: "CANCELED" });
    }
    const kept: { orderId: number } = await making.submitNewOrder(
      terms({ ...GTC, price: 66_000, quantity: 0.1 }),
    );
    const name = { ...MARKET, orderId: kept.orderId };
    const mode = { cancelReplaceMode: "STOP_ON_FAILURE", cancelOrderId: kept.orderId };
    expect(
      await making.replaceOrder(terms({ ...GTC, price: 67_000, quantity: 0.1, ...mode })),
    ).toMatchObject({ cancelResult: "SUCCESS", newOrderResult: "SUCCESS" });
    expect(await making.getOpenOrders(MARKET)).toHaveLength(3);
    expect(await making.getOpenOrders()).toHaveLength(3);
    expect(await making.getAllOrders(MARKET)).toHaveLength(types.length + 4);
    expect(await making.getOrderRateLimit()).toHaveLength(2);
    expect(await making.cancelAllSymbolOrders(MARKET)).toHaveLength(3);
    await expect(making.cancelOrder(name)).rejects.toMatchObject({ code: -2011 });
    await expect(taking.getOrder(name)).rejects.toMatchObject({ code: -2013 });
    // How much of it is used depends on how long the orders took: the allowance refills evenly.
    expect(making.getRateLimitStates()["x-mbx-order-count-1d"]).toBeGreaterThan(0);
  });

  test("read the balances that the ledger has and that their trades explain", async () => {
    const { maker, taker, making, taking } = await open();
    await making.submitNewOrder(terms({ ...GTC, price: 64_000.01, quantity: 0.5 }));
    const met: unknown = await taking.submitNewOrder(bought({ quantity: 0.2003 }));
    expect(met).toMatchObject({ status: "FILLED", executedQty: "0.2003" });
    await taking.submitNewOrder(bought({ quoteOrderQty: 1_234.56 }));
    await taking.submitNewOrder(terms({ ...GTC, side: "BUY", price: 60_000, quantity: 0.1 }));
    for (const [program, client] of [
      [maker, making],
      [taker, taking],
    ] as const) {
      const { balances } = await client.getAccountInformation();
      await expectLedger(program, balances);
      expectTradesExplain(await client.getAccountTradeList(MARKET), balances);
      expect(await client.getCommissionRates(MARKET)).toMatchObject({ symbol: "BTCUSD" });
      expect(await client.getTradeFee(MARKET)).toHaveLength(1);
      const coins = await client.getBalances();
      for (const { coin, free } of coins) {
        expect(free).toBe(balances.find(({ asset }) => asset === coin)?.free);
      }
    }
  });

  test("follow markets over streams", async () => {
    const { exchange, making, taking } = await open();
    const received = new Set<string>();
    const streams = new WebsocketClient({ wsUrl: exchange.url.replace("http", "ws") }, QUIET);
    closers.push(() => streams.closeAll());
    streams.on("message", (message) => {
      received.add((message as { streamName?: string }).streamName ?? "");
    });
    const kinds = ["trade", "aggTrade", "kline_1m", "miniTicker", "ticker", "bookTicker"];
    const names = [...kinds, "depth@100ms", "depth5@100ms", "avgPrice"].map(
      (kind) => `btcusd@${kind}`,
    );
    await streams.subscribe([...names, "!miniTicker@arr"], "main");
    let price = 64_000;
    const missing = async () => {
      await making.submitNewOrder(terms({ ...GTC, price, quantity: 0.001 }));
      await taking.submitNewOrder(bought({ quantity: 0.001 }));
      price += 1;
      return names.filter((name) => !received.has(name));
    };
    await expect.poll(missing, { ...POLL, interval: 500 }).toEqual([]);
    // User data by a listen key, as before the WebSocket API had them.
    const { listenKey } = await making.getSpotUserDataListenKey();
    expect(await making.getSpotUserDataListenKey()).toEqual({ listenKey });
    expect(await making.keepAliveSpotUserDataListenKey(listenKey)).toEqual({});
    const own: unknown[] = [];
    streams.on("message", (message) => own.push((message as { e?: string }).e));
    await streams.subscribeSpotUserDataStreamWithListenKey("main", listenKey);
    const reported = async () => {
      await making.submitNewOrder(terms({ ...GTC, price: 70_000, quantity: 0.001 }));
      return own.includes("executionReport") && own.includes("outboundAccountPosition");
    };
    await expect.poll(reported, { ...POLL, interval: 500 }).toBe(true);
    expect(await making.closeSpotUserDataListenKey(listenKey)).toEqual({});
    await expect.poll(() => own.includes("listenKeyExpired"), POLL).toBe(true);
    const gone = making.keepAliveSpotUserDataListenKey(listenKey);
    await expect(gone).rejects.toMatchObject({ code: -1125 });
  });

  test("trade over the WebSocket API and follow their account", async () => {
    const { exchange, maker, taking } = await open();
    const api = new WebsocketAPIClient(
      {
        api_key: maker.apiKey,
        api_secret: maker.secret,
        wsUrl: exchange.url.replace("http", "ws"),
        recvWindow: 60_000,
        attachEventListeners: false,
        muteLatencyWarning: true,
      },
      QUIET,
    );
    closers.push(() => api.disconnectAll());
    const events: { e?: string; x?: string }[] = [];
    api.getWSClient().on("message", (message) => {
      const { event } = message as { event?: object };
      events.push(event ?? (message as object));
    });
    await api.subscribeUserDataStream("mainWSAPI");
    const signed = <Params extends object>(params: Params) => ({
      ...params,
      timestamp: Date.now(),
    });
    const { result: placed } = await api.submitNewSpotOrder(
      terms(signed({ ...GTC, price: 64_000, quantity: 0.3, newOrderRespType: "RESULT" })),
    );
    expect(placed).toMatchObject({ status: "NEW" });
    // Listen keys are of keys that have signed before.
    const named = { apiKey: maker.apiKey };
    const { result: started } = await api.startUserDataStreamForKey(named);
    const followed = { ...named, listenKey: started.listenKey };
    expect((await api.pingUserDataStreamForKey(followed)).result).toEqual({});
    expect((await api.stopUserDataStreamForKey(followed)).result).toEqual({});
    await taking.submitNewOrder(bought({ quantity: 0.1 }));
    const name = { ...MARKET, orderId: placed.orderId };
    expect((await api.getSpotOrderStatus(signed(name))).result).toMatchObject({
      status: "PARTIALLY_FILLED",
    });
    expect((await api.getSpotOpenOrders(signed(MARKET))).result).toHaveLength(1);
    expect((await api.getSpotOrderBook(MARKET)).result).toMatchObject({
      asks: [["64000.00", "0.2000"]],
    });
    // The client makes up a new client order id unless one is given, but an order keeps its own.
    const newClientOrderId = placed.clientOrderId;
    const amendment = { ...name, newQty: "0.25", newClientOrderId };
    expect((await api.amendSpotOrderKeepPriority(signed(amendment))).result).toMatchObject({
      amendedOrder: { ...name, qty: "0.2500" },
    });
    const mode = { cancelReplaceMode: "STOP_ON_FAILURE", cancelOrderId: placed.orderId };
    const { result: replaced } = await api.cancelReplaceSpotOrder(
      terms(signed({ ...GTC, price: 65_000, quantity: 0.1, ...mode })),
    );
    const { orderId } = replaced.newOrderResponse as { orderId: number };
    expect((await api.cancelSpotOrder(signed({ ...MARKET, orderId }))).result).toMatchObject({
      status: "CANCELED",
    });
    const { result: account } = await api.getSpotAccountInformation(signed({}));
    const { result: trades } = await api.getSpotMyTrades(signed(MARKET));
    await expectLedger(maker, account.balances);
    expectTradesExplain(trades, account.balances);
    const reports = () => events.filter(({ e }) => e === "executionReport").map(({ x }) => x);
    await expect
      .poll(reports, POLL)
      .toEqual(["NEW", "TRADE", "REPLACED", "CANCELED", "NEW", "CANCELED"]);
    await expect
      .poll(() => lastPositions(events), POLL)
      .toEqual(positionsIn(account.balances, "BTC", "USD"));
  });
});

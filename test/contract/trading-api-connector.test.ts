/** Two programs trade with the unmodified @binance/connector, and what they read equals the ledger. */
import { Spot, WebsocketAPI, WebsocketStream } from "@binance/connector";
import { afterEach, expect, test, vi } from "vitest";
import { exchangeStarter, type TestExchange } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";
import { expectLoopbackOnly } from "./loopback-only.ts";
import {
  type Balance,
  expectLedger,
  expectTradesExplain,
  lastPositions,
  type OwnTrade,
  positionsIn,
  PRACTICE_FUNDS,
  twoPrograms,
} from "./program-ledger.ts";
import type { Program } from "./trading-programs.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });
const POLL = { timeout: 60_000 };

const GTC = { timeInForce: "GTC" };
const QUIET = { debug() {}, error() {}, info() {}, warn() {} };
type Json = Record<string, unknown>;

function clientOf({ url }: TestExchange, { apiKey, secret }: Program) {
  return new Spot(apiKey, secret, { baseURL: url });
}

async function balancesOf(client: Spot): Promise<Balance[]> {
  const { data } = await client.account();
  return (data as { balances: Balance[] }).balances;
}

async function tradesOf(client: Spot): Promise<OwnTrade[]> {
  return (await client.myTrades("BTCUSD")).data as OwnTrade[];
}

async function expectRefusal(answer: Promise<unknown>, code: number): Promise<void> {
  await expect(answer).rejects.toMatchObject({ response: { data: { code } } });
}

describeOnSqlite("programs with @binance/connector", (openDatabase) => {
  const start = exchangeStarter(openDatabase);
  expectLoopbackOnly();
  const sockets: { disconnect(): void }[] = [];
  // Before the exchange stops: a socket that it closes would connect again.
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.disconnect();
  });

  async function open() {
    const exchange = await start({ PRACTICE_FUNDS });
    const { maker, taker } = await twoPrograms(exchange);
    return {
      exchange,
      maker,
      taker,
      making: clientOf(exchange, maker),
      taking: clientOf(exchange, taker),
    };
  }

  test("read every kind of market data", async () => {
    const { making, taking } = await open();
    await making.newOrder("BTCUSD", "SELL", "LIMIT", { ...GTC, price: 64_000, quantity: 0.5 });
    await making.newOrder("BTCUSD", "BUY", "LIMIT", { ...GTC, price: 63_000, quantity: 0.1 });
    await taking.newOrder("BTCUSD", "BUY", "MARKET", { quantity: 0.2 });
    const read = async (answer: ReturnType<Spot["ping"]>) => (await answer).data;
    expect(await read(making.ping())).toEqual({});
    expect(await read(making.time())).toEqual({ serverTime: expect.any(Number) as number });
    expect(await read(making.exchangeInfo({ symbols: ["btcusd", "ETHUSD"] }))).toMatchObject({
      symbols: [{ symbol: "BTCUSD", status: "TRADING" }, { symbol: "ETHUSD" }],
    });
    expect(await read(making.depth("btcusd", { limit: 5 }))).toMatchObject({
      bids: [["63000.00", "0.1000"]],
      asks: [["64000.00", "0.3000"]],
    });
    const trade = { id: 1, price: "64000.00", qty: "0.2000", isBuyerMaker: false };
    expect(await read(making.trades("BTCUSD", { limit: 10 }))).toMatchObject([trade]);
    expect(await read(making.historicalTrades("BTCUSD", { fromId: 1 }))).toMatchObject([trade]);
    expect(await read(making.aggTrades("BTCUSD"))).toMatchObject([{ p: "64000.00", q: "0.2000" }]);
    const candle = [expect.any(Number), "64000.00", "64000.00", "64000.00", "64000.00", "0.2000"];
    for (const answer of [making.klines("BTCUSD", "1m"), making.uiklines("BTCUSD", "1d")]) {
      expect(await read(answer)).toEqual([expect.arrayContaining(candle)]);
    }
    expect(await read(making.avgPrice("BTCUSD"))).toMatchObject({ price: "64000.00" });
    const last = { symbol: "BTCUSD", lastPrice: "64000.00" };
    expect(await read(making.ticker24hr("BTCUSD"))).toMatchObject(last);
    expect(await read(making.ticker24hr("", ["BTCUSD"], "MINI"))).toMatchObject([last]);
    expect(await read(making.tickerPrice("BTCUSD"))).toMatchObject({ price: "64000.00" });
    expect(await read(making.tickerPrice())).toContainEqual({
      symbol: "BTCUSD",
      price: "64000.00",
    });
    expect(await read(making.bookTicker("BTCUSD"))).toMatchObject({
      bidPrice: "63000.00",
      askPrice: "64000.00",
    });
    expect(
      await read(making.rollingWindowTicker("BTCUSD", [], { windowSize: "1h" })),
    ).toMatchObject(last);
    expect(await read(making.systemStatus())).toEqual({ status: 0, msg: "normal" });
  });

  test("place every order type, follow it, replace it and cancel it", async () => {
    const { making, taking } = await open();
    await making.newOrder("BTCUSD", "SELL", "LIMIT", { ...GTC, price: 64_000, quantity: 0.1 });
    await taking.newOrder("BTCUSD", "BUY", "MARKET", { quantity: 0.01 });
    const types: [type: string, options: Json][] = [
      ["LIMIT", { ...GTC, price: 66_000 }],
      ["LIMIT", { ...GTC, price: 66_000, icebergQty: 0.002 }],
      ["LIMIT_MAKER", { price: 66_000 }],
      ["STOP_LOSS", { stopPrice: 60_000 }],
      ["STOP_LOSS", { trailingDelta: 250 }],
      ["STOP_LOSS_LIMIT", { ...GTC, stopPrice: 60_000, price: 59_990 }],
      ["TAKE_PROFIT", { stopPrice: 70_000 }],
      ["TAKE_PROFIT_LIMIT", { ...GTC, stopPrice: 70_000, price: 70_010 }],
    ];
    for (const [type, options] of types) {
      const terms = { ...options, quantity: 0.01, newOrderRespType: "RESULT" };
      expect((await making.newOrderTest("BTCUSD", "SELL", type, { ...terms })).data).toEqual({});
      const placed = await making.newOrder("BTCUSD", "SELL", type, { ...terms });
      expect(placed.data).toMatchObject({ type, status: "NEW", origQty: "0.0100" });
      const { orderId } = placed.data as { orderId: number };
      const read = await making.getOrder("BTCUSD", { orderId });
      expect(read.data).toMatchObject({ orderId, type, status: "NEW" });
      const { data } = await making.cancelOrder("BTCUSD", { orderId });
      expect(data).toMatchObject({ orderId, status: "CANCELED" });
    }
    const kept = await making.newOrder("BTCUSD", "SELL", "LIMIT", {
      ...GTC,
      price: 66_000,
      quantity: 0.01,
    });
    const { orderId: cancelOrderId } = kept.data as { orderId: number };
    const mode = "STOP_ON_FAILURE";
    const terms = { ...GTC, price: 67_000, quantity: 0.02, cancelOrderId };
    const replaced = await making.cancelAndReplace("BTCUSD", "SELL", "LIMIT", mode, terms);
    expect(replaced.data).toMatchObject({
      cancelResult: "SUCCESS",
      newOrderResult: "SUCCESS",
      newOrderResponse: { price: "67000.00", origQty: "0.0200" },
    });
    expect((await making.openOrders({ symbol: "BTCUSD" })).data).toHaveLength(2);
    expect((await making.openOrders()).data).toHaveLength(2);
    expect((await making.allOrders("BTCUSD")).data).toHaveLength(types.length + 3);
    expect((await making.orderCount()).data).toHaveLength(2);
    expect((await making.cancelOpenOrders("BTCUSD")).data).toHaveLength(2);
    await expectRefusal(making.cancelOrder("BTCUSD", { orderId: cancelOrderId }), -2011);
    await expectRefusal(making.cancelOpenOrders("BTCUSD"), -2011);
    await expectRefusal(taking.getOrder("BTCUSD", { orderId: cancelOrderId }), -2013);
  });

  test("read the balances that the ledger has and that their trades explain", async () => {
    const { maker, taker, making, taking } = await open();
    const sell = { ...GTC, price: 64_000.01, quantity: 0.5 };
    await making.newOrder("BTCUSD", "SELL", "LIMIT", sell);
    const bought = await taking.newOrder("BTCUSD", "BUY", "MARKET", { quantity: 0.2003 });
    expect(bought.data).toMatchObject({ status: "FILLED", executedQty: "0.2003" });
    expect(bought.headers).toMatchObject({ "x-mbx-order-count-10s": "1" });
    await taking.newOrder("BTCUSD", "BUY", "MARKET", { quoteOrderQty: 1_234.56 });
    const ioc = { timeInForce: "IOC", price: 64_100, quantity: 0.0107 };
    await taking.newOrder("BTCUSD", "BUY", "LIMIT", ioc);
    await taking.newOrder("BTCUSD", "BUY", "LIMIT", { ...GTC, price: 60_000, quantity: 0.1 });
    for (const [program, client] of [
      [maker, making],
      [taker, taking],
    ] as const) {
      const balances = await balancesOf(client);
      await expectLedger(program, balances);
      expectTradesExplain(await tradesOf(client), balances);
    }
    expect((await taking.account({ omitZeroBalances: true })).data).toMatchObject({
      canTrade: true,
      balances: expect.arrayContaining([
        expect.objectContaining({ asset: "USD", locked: expect.stringMatching(/^6000(\.0+)?$/) }),
      ]) as Balance[],
    });
    expect((await taking.tradeFee({ symbol: "BTCUSD" })).data).toHaveLength(1);
    expect((await taking.coinInfo()).data).not.toHaveLength(0);
    expect((await taking.apiPermissions()).data).toMatchObject({ enableReading: true });
  });

  test("follow markets over streams", async () => {
    const { exchange, making, taking } = await open();
    const received: { stream: string; data: Json }[] = [];
    const stream = new WebsocketStream({
      wsURL: exchange.url.replace("http", "ws"),
      combinedStreams: true,
      logger: QUIET,
      callbacks: {
        message: (text) => {
          const message = JSON.parse(text) as (typeof received)[number];
          if ("stream" in message) received.push(message);
        },
      },
    });
    sockets.push(stream);
    const kinds = ["trade", "aggTrade", "kline_1m", "miniTicker", "ticker", "bookTicker"];
    const names = [...kinds, "depth@100ms", "depth5@100ms", "avgPrice"].map(
      (kind) => `btcusd@${kind}`,
    );
    stream.subscribe(names.slice(0, 4));
    await expect.poll(() => stream.isConnected(), POLL).toBe(true);
    stream.subscribe(names.slice(4));
    // Until each has sent something: subscriptions are answered in their own time.
    let price = 64_000;
    const missing = async () => {
      await making.newOrder("BTCUSD", "SELL", "LIMIT", { ...GTC, price, quantity: 0.001 });
      await taking.newOrder("BTCUSD", "BUY", "MARKET", { quantity: 0.001 });
      price += 1;
      return names.filter((name) => !received.some((message) => message.stream === name));
    };
    await expect.poll(missing, { ...POLL, interval: 500 }).toEqual([]);
    const trade = received.find((message) => message.stream === "btcusd@trade")?.data;
    expect(trade).toMatchObject({ e: "trade", s: "BTCUSD", q: "0.0010" });
  });

  test("trade over the WebSocket API and follow their account", async () => {
    const { exchange, maker, taking } = await open();
    const answers = new Map<unknown, { status: number; result: unknown }>();
    const events: Json[] = [];
    const api = new WebsocketAPI(maker.apiKey, maker.secret, {
      wsURL: `${exchange.url.replace("http", "ws")}/ws-api/v3`,
      logger: QUIET,
      callbacks: {
        message: (text) => {
          const message = JSON.parse(text) as { id: unknown; status: number; result: unknown };
          if ("event" in message) events.push(message.event as Json);
          else answers.set(message.id, message);
        },
      },
    });
    sockets.push(api);
    await expect.poll(() => api.isConnected(), POLL).toBe(true);
    let count = 0;
    const ask = async (send: (id: string) => void) => {
      const id = `request-${++count}`;
      send(id);
      await expect.poll(() => answers.get(id), POLL).toBeDefined();
      const { status, result } = answers.get(id) ?? {};
      expect([status, result]).toEqual([200, expect.anything()]);
      return result;
    };
    // The client has no call for it yet, but signs any.
    await ask((id) => api.sendSignatureMessage("userDataStream.subscribe.signature", { id }));
    const terms = { ...GTC, price: 64_000, quantity: 0.3 };
    const placed = (await ask((id) =>
      api.newOrder("BTCUSD", "SELL", "LIMIT", { ...terms, id }),
    )) as { orderId: number };
    await taking.newOrder("BTCUSD", "BUY", "MARKET", { quantity: 0.1 });
    // The client chooses the ids of its calls of listen keys.
    const keyOf = ({ result }: { result: unknown }) => (result as Json | undefined)?.listenKey;
    const newest = async (send: () => void) => {
      const before = answers.size;
      send();
      await expect.poll(() => answers.size, POLL).toBe(before + 1);
      const [last] = [...answers.values()].slice(-1);
      expect(last).toMatchObject({ status: 200 });
      return String(keyOf(last));
    };
    const listenKey = await newest(() => api.startUserDataStream());
    await newest(() => api.pingUserDataStream(listenKey));
    await newest(() => api.stopUserDataStream(listenKey));
    const { orderId } = placed;
    expect(await ask((id) => api.getOrder("BTCUSD", { orderId, id }))).toMatchObject({
      status: "PARTIALLY_FILLED",
    });
    expect(await ask((id) => api.openOrders("BTCUSD", { id }))).toHaveLength(1);
    expect(await ask((id) => api.orderHistory("BTCUSD", { id }))).toHaveLength(1);
    expect(await ask((id) => api.orderbook("BTCUSD", { id }))).toMatchObject({
      asks: [["64000.00", "0.2000"]],
    });
    const mode = "STOP_ON_FAILURE";
    const replacement = { ...GTC, price: 65_000, quantity: 0.1, cancelOrderId: orderId };
    const replaced = (await ask((id) =>
      api.cancelReplaceOrder("BTCUSD", mode, "SELL", "LIMIT", { ...replacement, id }),
    )) as { newOrderResponse: { orderId: number } };
    const { newOrderResponse } = replaced;
    expect(
      await ask((id) => api.cancelOrder("BTCUSD", { orderId: newOrderResponse.orderId, id })),
    ).toMatchObject({ status: "CANCELED" });
    const { balances } = (await ask((id) => api.account({ id }))) as { balances: Balance[] };
    const trades = (await ask((id) => api.myTrades("BTCUSD", { id }))) as OwnTrade[];
    await expectLedger(maker, balances);
    expectTradesExplain(trades, balances);
    const reports = () => events.filter(({ e }) => e === "executionReport").map(({ x }) => x);
    await expect.poll(reports, POLL).toEqual(["NEW", "TRADE", "CANCELED", "NEW", "CANCELED"]);
    await expect
      .poll(() => lastPositions(events), POLL)
      .toEqual(positionsIn(balances, "BTC", "USD"));
  });
});

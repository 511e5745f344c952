/** Two programs trade with the unmodified node-binance-api, and what they read equals the ledger. */
import Binance from "node-binance-api";
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

function clientOf({ url }: TestExchange, { apiKey, secret }: Program): Binance {
  const sockets = url.replace("http", "ws");
  // The longest window that a request may have.
  const client = new Binance({ APIKEY: apiKey, APISECRET: secret, recvWindow: 60_000, log() {} });
  return Object.assign(client, {
    base: `${url}/api/`,
    sapi: `${url}/sapi/`,
    stream: `${sockets}/ws/`,
    combineStream: `${sockets}/stream?streams=`,
    wsApi: `${sockets}/ws-api/v3`,
  });
}

/** The client throws the answer's text. */
async function expectRefusal(answer: Promise<unknown>, code: number): Promise<void> {
  await expect(answer).rejects.toThrow(`"code":${code},`);
}

describeOnSqlite("programs with node-binance-api", (openDatabase) => {
  const start = exchangeStarter(openDatabase);
  expectLoopbackOnly();
  const clients: Binance[] = [];
  // Before the exchange stops: sockets that it closes would connect again.
  afterEach(() => {
    for (const client of clients.splice(0)) {
      client.setOption("reconnect", false);
      for (const endpoint of Object.keys(client.subscriptions)) client.terminate(endpoint);
      for (const connection of Object.keys(client.wsApiConnections)) {
        client.terminateWsApi(connection);
      }
    }
  });

  async function open() {
    const exchange = await start({ PRACTICE_FUNDS });
    const { maker, taker } = await twoPrograms(exchange);
    const making = clientOf(exchange, maker);
    const taking = clientOf(exchange, taker);
    clients.push(making, taking);
    return { maker, taker, making, taking };
  }

  /** One trade, and orders on both sides of the book. */
  async function openTraded() {
    const opened = await open();
    const { making, taking } = opened;
    await making.sell("BTCUSD", 0.5, 64_000);
    await making.buy("BTCUSD", 0.1, 63_000);
    await taking.marketBuy("BTCUSD", 0.2);
    return opened;
  }

  test("read every kind of market data", async () => {
    const { making } = await openTraded();
    expect(await making.ping()).toEqual({});
    expect(await making.useServerTime()).toEqual({ serverTime: expect.any(Number) as number });
    expect(await making.time()).toEqual({ serverTime: expect.any(Number) as number });
    const info = (await making.exchangeInfo()) as { symbols: { symbol: string }[] };
    expect(info.symbols.map(({ symbol }) => symbol)).toContain("BTCUSD");
    expect(await making.depth("BTCUSD", 5)).toMatchObject({
      bids: [{ price: "63000.00", quantity: "0.1000" }],
      asks: [{ price: "64000.00", quantity: "0.3000" }],
    });
    expect((await making.prices("BTCUSD")).BTCUSD).toBe(64_000);
    expect((await making.prices()).BTCUSD).toBe("64000.00");
    expect(await making.tickerPrice("BTCUSD")).toMatchObject({ price: "64000.00" });
    const { BTCUSD: best } = await making.bookTickers("BTCUSD");
    expect(best).toMatchObject({ bidPrice: "63000.00", askPrice: "64000.00" });
    expect((await making.bookTickers()).BTCUSD).toEqual(best);
    expect(await making.avgPrice("BTCUSD")).toMatchObject({ price: "64000.00" });
    expect(await making.prevDay("BTCUSD")).toMatchObject({ lastPrice: "64000.00" });
    expect(await making.dailyStats()).toContainEqual(expect.objectContaining({ symbol: "BTCUSD" }));
    // Out of the history, which follows.
    await expect
      .poll(() => making.aggTrades("BTCUSD"))
      .toMatchObject([{ aggId: 1, quantity: "0.2000" }]);
    expect(await making.recentTrades("BTCUSD")).toMatchObject([{ id: 1, qty: "0.2000" }]);
    expect(await making.historicalTrades("BTCUSD", 10, 1)).toMatchObject([{ id: 1 }]);
    expect(await making.candles("BTCUSD", "1m")).toMatchObject([
      { open: "64000.00", volume: "0.2000", trades: 1 },
    ]);
    expect(await making.systemStatus()).toEqual({ status: 0, msg: "normal" });
  });

  test("place every order type, follow it and cancel it", async () => {
    const { making, taking } = await openTraded();
    const types: [type: string, price: number, more: object][] = [
      ["LIMIT", 66_000, {}],
      ["LIMIT", 66_000, { icebergQty: 0.002 }],
      ["LIMIT_MAKER", 66_000, {}],
      ["STOP_LOSS", 0, { stopPrice: 60_000 }],
      ["STOP_LOSS", 0, { trailingDelta: 250 }],
      ["STOP_LOSS_LIMIT", 59_990, { stopPrice: 60_000 }],
      ["TAKE_PROFIT", 0, { stopPrice: 70_000 }],
      ["TAKE_PROFIT_LIMIT", 70_010, { stopPrice: 70_000 }],
    ];
    for (const [name, price, more] of types) {
      const terms = { ...more, newOrderRespType: "RESULT" };
      // Not all are declared.
      const type = name as Parameters<Binance["order"]>[0];
      const order = (params: object) =>
        making.order(type, "SELL", "BTCUSD", 0.01, price, { ...params });
      expect(await order({ ...terms, test: true })).toEqual({});
      const placed = await order(terms);
      expect(placed).toMatchObject({ type, status: "NEW", origQty: "0.0100" });
      const { orderId } = placed;
      expect(await making.orderStatus("BTCUSD", orderId)).toMatchObject({ orderId, status: "NEW" });
      const cancelled = await making.cancel("BTCUSD", orderId);
      expect(cancelled).toMatchObject({ orderId, status: "CANCELED" });
    }
    const { orderId } = await making.sell("BTCUSD", 0.01, 66_000);
    expect(await making.openOrders("BTCUSD")).toHaveLength(3);
    expect(await making.openOrders()).toHaveLength(3);
    expect(await making.allOrders("BTCUSD")).toHaveLength(types.length + 3);
    expect(await making.cancelAll("BTCUSD")).toHaveLength(3);
    await expectRefusal(making.cancel("BTCUSD", orderId), -2011);
    await expectRefusal(making.cancelAllOrders("BTCUSD"), -2011);
    await expectRefusal(taking.orderStatus("BTCUSD", orderId), -2013);
    const { orderId: cancelOrderId } = await making.sell("BTCUSD", 0.01, 66_000);
    // The client has no call for it, but signs any.
    const replaced: unknown = await making.privateSpotRequest(
      "v3/order/cancelReplace",
      {
        symbol: "BTCUSD",
        side: "SELL",
        type: "LIMIT",
        timeInForce: "GTC",
        quantity: 0.02,
        price: 67_000,
        cancelReplaceMode: "STOP_ON_FAILURE",
        cancelOrderId,
      },
      "POST",
    );
    expect(replaced).toMatchObject({ cancelResult: "SUCCESS", newOrderResult: "SUCCESS" });
  });

  test("read the balances that the ledger has and that their trades explain", async () => {
    const { maker, taker, making, taking } = await open();
    await making.sell("BTCUSD", 0.5, 64_000.01);
    await taking.marketBuy("BTCUSD", 0.2003);
    await taking.marketBuyWithCost("BTCUSD", 1_234.56);
    await taking.marketSell("BTCUSD", 0.0001).catch((error: unknown) => {
      // There are no bids: it is refused and changes nothing.
      expect(String(error)).toContain("-2010");
    });
    await taking.buy("BTCUSD", 0.1, 60_000);
    for (const [program, client] of [
      [maker, making],
      [taker, taking],
    ] as const) {
      const { balances } = await client.account();
      await expectLedger(program, balances);
      expectTradesExplain(await client.myTrades("BTCUSD"), balances);
      const byCoin = (await client.balance()) as Record<string, { available: string }>;
      for (const { asset, free } of balances) expect(byCoin[asset].available).toBe(free);
      expect(await client.tradeFee("BTCUSD")).toHaveLength(1);
      expect(await client.privateSapiRequest("v1/capital/deposit/hisrec")).toHaveLength(2);
    }
  });

  test("follow markets and their account over streams", async () => {
    const { maker, making, taking } = await open();
    const received = new Set<string>();
    const events: { e?: string; x?: string }[] = [];
    let subscribed = false;
    making.userData(
      (event: object) => void events.push(event),
      undefined,
      undefined,
      () => void (subscribed = true),
    );
    await expect.poll(() => subscribed, POLL).toBe(true);
    const note = (kind: string) => () => void received.add(kind);
    making.tradesStream(["BTCUSD"], note("trades"));
    making.aggTradesStream(["BTCUSD"], note("aggTrades"));
    making.candlesticksStream(["BTCUSD"], "1m", note("candles"));
    making.depthStream(["BTCUSD"], note("depth"));
    making.bookTickersStream("BTCUSD", note("bookTicker"));
    making.prevDayStream("BTCUSD", note("ticker"));
    making.miniTicker(note("miniTicker"));
    making.depthCacheStream(["BTCUSD"], note("depthCache"));
    const kinds = ["trades", "aggTrades", "candles", "depth", "bookTicker", "ticker"];
    let price = 64_000;
    const missing = async () => {
      await making.sell("BTCUSD", 0.001, price);
      await taking.marketBuy("BTCUSD", 0.001);
      price += 1;
      return [...kinds, "miniTicker", "depthCache"].filter((kind) => !received.has(kind));
    };
    await expect.poll(missing, { ...POLL, interval: 500 }).toEqual([]);
    await making.sell("BTCUSD", 0.1, price);
    const { balances } = await making.account();
    await expect
      .poll(() => lastPositions(events), POLL)
      .toEqual(positionsIn(balances, "BTC", "USD"));
    expect(events.filter(({ e }) => e === "executionReport").map(({ x }) => x)).toEqual([
      ...Array.from({ length: price - 64_000 }).flatMap(() => ["NEW", "TRADE"]),
      "NEW",
    ]);
    await expectLedger(maker, balances);
    await expect
      .poll(() => making.getDepthCache("BTCUSD").asks as Record<string, number>, POLL)
      .toEqual({ [price.toFixed(2)]: 0.1 });
  });
});

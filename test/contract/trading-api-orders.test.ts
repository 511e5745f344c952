/** Two programs trade with the unmodified ccxt, and what they compute equals the ledger. */
import { expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import { exchangeStarter } from "./accounts-exchange.ts";
import { describeShareOfDatabases } from "./databases.ts";
import { ask, type Program, programOf } from "./trading-programs.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

describeShareOfDatabases("programs with the interface of Binance", (openDatabase) => {
  const start = exchangeStarter(openDatabase);
  const SETTINGS = { PRACTICE_FUNDS: "USD:100000,BTC:1" };

  test("two of them trade through ccxt, and every figure equals the ledger", async () => {
    const exchange = await start(SETTINGS);
    const maker = await programOf(exchange, "maker@example.com");
    const taker = await programOf(exchange, "taker@example.com");
    const rested = await maker.client.createOrder("BTC/USD", "limit", "sell", 0.5, 64_000);
    expect(rested).toMatchObject({ status: "open", filled: 0, remaining: 0.5, price: 64_000 });
    const bought = await taker.client.createOrder("BTC/USD", "market", "buy", 0.2);
    expect(bought).toMatchObject({ status: "closed", filled: 0.2, cost: 12_800, average: 64_000 });
    expect(bought.trades).toMatchObject([{ side: "buy", takerOrMaker: "taker", amount: 0.2 }]);
    const spent = await taker.client.createOrder("BTC/USD", "market", "buy", 0, undefined, {
      quoteOrderQty: "6400",
    });
    expect(spent).toMatchObject({ status: "closed", filled: 0.1, cost: 6_400 });
    // What the program computes from its orders is what the ledger has.
    const fees = [bought, spent].flatMap(({ trades }) => trades).map(({ fee }) => fee?.cost ?? "");
    const balances = await taker.trader.http.query(functions.accounts.balances, {});
    const totalOf = (coin: string) => balances.find((balance) => balance.coin === coin)?.total;
    expect(fees).toHaveLength(2);
    expect(Number(totalOf("BTC"))).toBeCloseTo(1.3 - Number(fees[0]) - Number(fees[1]), 12);
    expect(Number(totalOf("USD"))).toBe(100_000 - 12_800 - 6_400);
    const known = await maker.client.fetchOrder(String(rested.id), "BTC/USD");
    expect(known).toMatchObject({ status: "open", filled: 0.3, remaining: 0.2 });
    const cancelled = await maker.client.cancelOrder(String(rested.id), "BTC/USD");
    expect(cancelled).toMatchObject({ status: "canceled", filled: 0.3 });
    expect(await maker.client.fetchOpenOrders("BTC/USD")).toEqual([]);
  });

  test("every order type is placed, named as Binance names it, and cancelled", async () => {
    const exchange = await start(SETTINGS);
    const maker = await programOf(exchange, "maker@example.com");
    const taker = await programOf(exchange, "taker@example.com");
    const order = (program: Program, parameters: Record<string, string>) =>
      ask(exchange, program, "POST", "/api/v3/order", { symbol: "BTCUSD", ...parameters });
    const sell = { side: "SELL", quantity: "0.01" };
    // A market needs a last price before any can wait for one.
    const first = { ...sell, type: "LIMIT", timeInForce: "GTC", price: "64000" };
    expect((await order(maker, { ...first, quantity: "0.5" })).status).toBe(200);
    const met = await order(taker, { side: "BUY", type: "MARKET", quantity: "0.01" });
    expect(met.body).toMatchObject({ status: "FILLED", executedQty: "0.0100", type: "MARKET" });
    const types: [Record<string, string>, Record<string, unknown>][] = [
      [
        { type: "LIMIT_MAKER", price: "65000" },
        { type: "LIMIT_MAKER", status: "NEW" },
      ],
      [
        { type: "STOP_LOSS", stopPrice: "60000" },
        { type: "STOP_LOSS", stopPrice: "60000.00", isWorking: false },
      ],
      [
        { type: "STOP_LOSS_LIMIT", stopPrice: "60000", price: "59990", timeInForce: "GTC" },
        { type: "STOP_LOSS_LIMIT", price: "59990.00" },
      ],
      [
        { type: "STOP_LOSS", trailingDelta: "250" },
        { type: "STOP_LOSS", trailingDelta: 250 },
      ],
      [
        { type: "TAKE_PROFIT", stopPrice: "70000" },
        { type: "TAKE_PROFIT", stopPrice: "70000.00" },
      ],
      [
        { type: "TAKE_PROFIT_LIMIT", stopPrice: "70000", price: "70010", timeInForce: "GTC" },
        { type: "TAKE_PROFIT_LIMIT", price: "70010.00" },
      ],
      [
        { type: "LIMIT", price: "66000", timeInForce: "GTC", icebergQty: "0.002" },
        { type: "LIMIT", icebergQty: "0.0020" },
      ],
      [
        { type: "LIMIT", price: "66000", timeInForce: "GTC", selfTradePreventionMode: "DECREMENT" },
        { selfTradePreventionMode: "DECREMENT" },
      ],
    ];
    for (const [parameters, expected] of types) {
      const placed = await order(maker, { ...sell, ...parameters, newOrderRespType: "RESULT" });
      expect([placed.status, placed.body.msg]).toEqual([200, undefined]);
      const { orderId, clientOrderId } = placed.body as { orderId: number; clientOrderId: string };
      const name = { symbol: "BTCUSD", origClientOrderId: clientOrderId };
      const read = await ask(exchange, maker, "GET", "/api/v3/order", name);
      expect(read.body).toMatchObject({ orderId, status: "NEW", ...expected });
      const cancelled = await ask(exchange, maker, "DELETE", "/api/v3/order", name);
      expect(cancelled.body).toMatchObject({
        orderId,
        status: "CANCELED",
        origClientOrderId: clientOrderId,
      });
    }
    const rest = await ask(exchange, maker, "DELETE", "/api/v3/openOrders", { symbol: "BTCUSD" });
    expect(rest.body).toHaveLength(1);
  });

  test("what is refused changes nothing and has Binance's code and text", async () => {
    const exchange = await start(SETTINGS);
    const program = await programOf(exchange, "ada@example.com");
    const good = {
      symbol: "BTCUSD",
      side: "BUY",
      type: "LIMIT",
      timeInForce: "GTC",
      quantity: "0.01",
      price: "60000.00",
    };
    const refusal = async (change: Record<string, string>, omit: string[] = []) => {
      const parameters: Record<string, string> = { ...good, ...change };
      for (const name of omit) delete parameters[name];
      const { body } = await ask(exchange, program, "POST", "/api/v3/order", parameters);
      return [body.code, body.msg];
    };
    const missing = (name: string) =>
      `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`;
    const cases: [Record<string, string>, string[], number, string][] = [
      [{}, ["price"], -1102, missing("price")],
      [{}, ["timeInForce"], -1102, missing("timeInForce")],
      [{}, ["side"], -1102, missing("side")],
      [{ side: "LONG" }, [], -1117, "Invalid side."],
      [{ type: "PEGGED" }, [], -1116, "Invalid orderType."],
      [{ timeInForce: "GTX" }, [], -1115, "Invalid timeInForce."],
      [{ symbol: "BTCEUR" }, [], -1121, "Invalid symbol."],
      [{ stopPrice: "1" }, [], -1106, "Parameter 'stopPrice' sent when not required."],
      [{ type: "MARKET" }, ["timeInForce"], -1106, "Parameter 'price' sent when not required."],
      [{ price: "60000.001" }, [], -1013, "Filter failure: PRICE_FILTER"],
      [{ price: "0" }, [], -1013, "Filter failure: PRICE_FILTER"],
      [{ quantity: "0.00001" }, [], -1013, "Filter failure: LOT_SIZE"],
      [{ quantity: "99999999" }, [], -1013, "Filter failure: LOT_SIZE"],
      [{ quantity: "0.0001", price: "10" }, [], -1013, "Filter failure: NOTIONAL"],
      [{ icebergQty: "0.0001" }, [], -1013, "Filter failure: ICEBERG_PARTS"],
      [{ quantity: "10" }, [], -2010, "Account has insufficient balance for requested action."],
      [
        { price: "-1" },
        [],
        -1100,
        "Illegal characters found in parameter 'price'; legal range is '^([0-9]{1,20})(\\.[0-9]{1,20})?$'.",
      ],
      [
        { newClientOrderId: "a b" },
        [],
        -1100,
        "Illegal characters found in parameter 'newClientOrderId'; legal range is '^[.A-Z:/a-z0-9_-]{1,36}$'.",
      ],
    ];
    for (const [change, omit, code, message] of cases) {
      expect(await refusal(change, omit), JSON.stringify(change)).toEqual([code, message]);
    }
    expect((await ask(exchange, program, "GET", "/api/v3/openOrders")).body).toEqual([]);
    const name = { symbol: "BTCUSD", orderId: "999" };
    const cancel = await ask(exchange, program, "DELETE", "/api/v3/order", name);
    expect(cancel.body).toEqual({ code: -2011, msg: "Unknown order sent." });
    const query = await ask(exchange, program, "GET", "/api/v3/order", name);
    expect(query.body).toEqual({ code: -2013, msg: "Order does not exist." });
    // The same client order id places nothing a second time, whatever the terms.
    const own = { ...good, newClientOrderId: "mine" };
    expect((await ask(exchange, program, "POST", "/api/v3/order", own)).status).toBe(200);
    for (const quantity of ["0.01", "0.02"]) {
      const again = await ask(exchange, program, "POST", "/api/v3/order", { ...own, quantity });
      expect(again.body).toEqual({ code: -2010, msg: "Duplicate order sent." });
    }
    expect((await ask(exchange, program, "GET", "/api/v3/openOrders")).body).toHaveLength(1);
  });

  test("orders are counted for their owner, through programs and pages, and refused beyond the plan's number", async () => {
    const exchange = await start(SETTINGS);
    const program = await programOf(exchange, "ada@example.com");
    const counts = async () => {
      const { body } = await ask(exchange, program, "GET", "/api/v3/rateLimit/order");
      return body as unknown as { interval: string; limit: number; count: number }[];
    };
    const used = async () => (await counts()).find(({ interval }) => interval === "DAY")?.count;
    expect(await counts()).toMatchObject([
      { interval: "SECOND", intervalNum: 10, limit: 100 },
      { interval: "DAY", intervalNum: 1, limit: 50_000, count: 0 },
    ]);
    await program.trader.rest();
    expect(await used()).toBe(1);
    const order = { symbol: "BTCUSD", side: "BUY", type: "LIMIT", timeInForce: "GTC" };
    // Without names of their own, two of one millisecond would be one request sent twice.
    const place = (name: number) =>
      ask(exchange, program, "POST", "/api/v3/order", {
        ...order,
        price: "1000",
        quantity: "0.01",
        newClientOrderId: `order-${name}`,
      });
    const refusals: unknown[] = [];
    // The allowance refills by ten a second.
    for (let count = 0; refusals.length === 0 && count < 400; count += 20) {
      const placed = await Promise.all(Array.from({ length: 20 }, (_, at) => place(count + at)));
      refusals.push(...placed.filter(({ status }) => status === 429));
    }
    expect(refusals[0]).toMatchObject({ body: { code: -1015 } });
    // Cancelling goes on.
    const cancel = await ask(exchange, program, "DELETE", "/api/v3/openOrders", {
      symbol: "BTCUSD",
    });
    expect(cancel.status).toBe(200);
  });

  test("a key acts for its owner alone, as far as it may, and stops at once", async () => {
    const exchange = await start(SETTINGS);
    const ada = await programOf(exchange, "ada@example.com");
    const bob = await programOf(exchange, "bob@example.com");
    const reader = await ada.trader.http.action(functions.apiKeys.create, {
      name: "Reader",
      kind: "hmac",
      permissions: ["read"],
    });
    const readOnly = { apiKey: reader.key.apiKey, secret: reader.secret ?? "" };
    const order = { symbol: "BTCUSD", orderId: await ada.trader.rest() };
    const notPermitted = {
      status: 401,
      body: { code: -2015, msg: "Invalid API-key, IP, or permissions for action." },
    };
    expect(await ask(exchange, readOnly, "DELETE", "/api/v3/order", order)).toMatchObject(
      notPermitted,
    );
    expect((await ask(exchange, bob, "GET", "/api/v3/order", order)).body).toMatchObject({
      code: -2013,
    });
    expect((await ask(exchange, bob, "DELETE", "/api/v3/order", order)).body).toMatchObject({
      code: -2011,
    });
    expect((await ask(exchange, readOnly, "GET", "/api/v3/order", order)).body).toMatchObject({
      orderId: Number(order.orderId),
      status: "NEW",
    });
    await ada.trader.http.mutation(functions.apiKeys.revoke, { keyId: ada.keyId });
    expect(await ask(exchange, ada, "DELETE", "/api/v3/order", order)).toMatchObject(notPermitted);
    expect(exchange.logged()).not.toContain(ada.secret);
  });
});

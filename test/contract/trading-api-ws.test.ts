/** Calls, sessions and user data over the WebSocket API, by hand and with the unmodified ccxt. */
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import ccxt from "ccxt";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { functions } from "#contract/functions.ts";
import { exchangeStarter, type TestExchange } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";
import { signed, signedWith } from "./signed-params.ts";
import { ask, programOf } from "./trading-programs.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

type Json = Record<string, unknown>;
type Answer = { id: unknown; status: number; result: Json; error: Json; rateLimits: Json[] };

const sockets: WebSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

class Connection {
  readonly events: { subscriptionId: number; event: Json }[] = [];
  readonly socket: WebSocket;
  readonly #answers = new Map<unknown, (answer: Answer) => void>();
  #asked = 0;

  constructor(url: string, origin?: string) {
    this.socket = new WebSocket(`${url.replace("http", "ws")}/ws-api/v3`, {
      ...(origin !== undefined && { origin }),
    });
    sockets.push(this.socket);
    this.socket.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString("utf8")) as Answer | (typeof this.events)[number];
      if ("event" in message) this.events.push(message);
      else this.#answers.get(message.id)?.(message);
    });
  }

  ask(method: string, params?: Json): Promise<Answer> {
    const id = ++this.#asked;
    const answered = new Promise<Answer>((resolve) => this.#answers.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, ...(params && { params }) }));
    return answered;
  }

  /** Messages of a kind, in the order in which they came. */
  of(kind: string): Json[] {
    return this.events.map(({ event }) => event).filter(({ e }) => e === kind);
  }
}

async function open({ url }: TestExchange, origin?: string): Promise<Connection> {
  const connection = new Connection(url, origin);
  await once(connection.socket, "open");
  return connection;
}

const SETTINGS = { PRACTICE_FUNDS: "USD:100000,BTC:1" };
const ORDER = { symbol: "BTCUSD", side: "SELL", type: "LIMIT", timeInForce: "GTC" };

describeOnSqlite("the WebSocket API", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  test("ends the connection of an address that does not listen to refusals", async () => {
    const exchange = await start({ ...SETTINGS, TRADING_API_WEIGHT: "100" });
    const connection = await open(exchange);
    const closed = once(connection.socket, "close");
    const statuses = new Set<number>();
    // The minute may roll over in the meantime, which resets the allowance.
    while (!statuses.has(418)) statuses.add((await connection.ask("ping")).status);
    const [code, reason] = (await closed) as [number, Buffer];
    expect([code, reason.toString("utf8")]).toEqual([1008, "Too much request weight."]);
    expect(statuses).toEqual(new Set([200, 429, 418]));
  });

  test("takes what a page makes its visitors send from the allowance of pages", async () => {
    const exchange = await start({ ...SETTINGS, TRADING_API_WEIGHT: "100" });
    const program = await open(exchange);
    const page = await open(exchange, "https://elsewhere.example");
    const isShutOut = async () => (await page.ask("ping")).status;
    await expect.poll(isShutOut, { timeout: 60_000, interval: 0 }).toBe(418);
    expect((await program.ask("ping")).status).toBe(200);
  });

  test("answers the calls of HTTP, with the same refusals and the same allowance", async () => {
    const exchange = await start(SETTINGS);
    const program = await programOf(exchange, "ada@example.com");
    const connection = await open(exchange);
    expect(await connection.ask("ping")).toMatchObject({ status: 200, result: {} });
    expect(await connection.ask("depth", { symbol: "BTCUSD", limit: 5 })).toMatchObject({
      status: 200,
      result: { bids: [], asks: [] },
      rateLimits: [{ rateLimitType: "REQUEST_WEIGHT", limit: 6_000 }],
    });
    const place = { ...ORDER, price: "64000.00", quantity: "0.01", newClientOrderId: "mine" };
    const params = signed(program, place);
    expect(await connection.ask("order.place", params)).toMatchObject({
      status: 200,
      result: { symbol: "BTCUSD", status: "NEW", clientOrderId: "mine" },
    });
    expect(await connection.ask("order.place", params)).toMatchObject({
      status: 400,
      error: { code: -1022, msg: "This request was sent before." },
    });
    const status = signed(program, { symbol: "BTCUSD", origClientOrderId: "mine" });
    expect((await connection.ask("order.status", status)).result).toMatchObject({
      price: "64000.00",
    });
    // Sent together: the cancellation does not overtake the order that it names.
    const brief = { symbol: "BTCUSD", origClientOrderId: "brief" };
    const pair = [
      connection.ask("order.place", signed(program, { ...place, newClientOrderId: "brief" })),
      connection.ask("order.cancel", signed(program, brief)),
    ];
    expect((await Promise.all(pair)).map(({ result }) => result?.status)).toEqual([
      "NEW",
      "CANCELED",
    ]);
    const altered = { ...signed(program, place), quantity: "0.02" };
    expect(await connection.ask("order.place", altered)).toMatchObject({ error: { code: -1022 } });
    expect(await connection.ask("account.status", { timestamp: Date.now() })).toMatchObject({
      status: 401,
      error: { code: -2014 },
    });
    expect(await connection.ask("order.shout")).toMatchObject({ status: 404 });
    expect(await connection.ask("depth", { symbol: "NONE" })).toMatchObject({
      error: { code: -1121, msg: "Invalid symbol." },
    });
    const cancel = signed(program, { symbol: "BTCUSD" });
    expect((await connection.ask("openOrders.cancelAll", cancel)).result).toHaveLength(1);
    const working = { side: "SELL", price: "64000.00", quantity: "0.01", timeInForce: "GTC" };
    const list = { symbol: "BTCUSD", listClientOrderId: "list" };
    for (const [name, value] of Object.entries(working)) {
      const capitalized = name.charAt(0).toUpperCase() + name.slice(1);
      Object.assign(list, { [`working${capitalized}`]: value, [`pending${capitalized}`]: value });
    }
    const types = { workingType: "LIMIT", pendingType: "LIMIT" };
    const placed = await connection.ask(
      "orderList.place.oto",
      signed(program, { ...list, ...types }),
    );
    expect(placed.result).toMatchObject({
      listClientOrderId: "list",
      listOrderStatus: "EXECUTING",
    });
    const named = signed(program, { origClientOrderId: "list" });
    expect((await connection.ask("orderList.status", named)).result).toMatchObject({
      orderListId: placed.result["orderListId"],
    });
    const openLists = await connection.ask("openOrderLists.status", signed(program));
    expect(openLists.result).toHaveLength(1);
    const ended = signed(program, { symbol: "BTCUSD", listClientOrderId: "list" });
    expect((await connection.ask("orderList.cancel", ended)).result).toMatchObject({
      listOrderStatus: "ALL_DONE",
    });
    // Over HTTP the same address has used as much; what its key sent is not the address's.
    const ping = await fetch(`${exchange.url}/api/v3/ping`);
    expect(Number(ping.headers.get("x-mbx-used-weight-1m"))).toBeGreaterThan(6);
  });

  test("a session of an Ed25519 key needs no signatures, and ends with its key", async () => {
    const exchange = await start(SETTINGS);
    const { trader, ...hmac } = await programOf(exchange, "ada@example.com");
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const { key } = await trader.http.action(functions.apiKeys.create, {
      name: "Session",
      kind: "ed25519",
      publicKey: publicKey.export({ format: "pem", type: "spki" }),
      permissions: ["read", "trade"],
    });
    const connection = await open(exchange);
    const logOn = () => signedWith(privateKey, { apiKey: key.apiKey, timestamp: Date.now() });
    expect(await connection.ask("session.logon", signed(hmac))).toMatchObject({
      error: { code: -1020 },
    });
    expect(await connection.ask("userDataStream.subscribe")).toMatchObject({ status: 401 });
    expect((await connection.ask("session.logon", logOn())).result).toMatchObject({
      apiKey: key.apiKey,
    });
    expect((await connection.ask("userDataStream.subscribe")).result).toEqual({
      subscriptionId: 0,
    });
    const account = () => connection.ask("account.status", { timestamp: Date.now() });
    expect((await account()).result).toMatchObject({ accountType: "SPOT", canTrade: true });
    const late = await connection.ask("account.status", { timestamp: Date.now() - 6_000 });
    expect(late.error).toMatchObject({ code: -1021 });
    await trader.http.mutation(functions.apiKeys.revoke, { keyId: key.keyId });
    await expect.poll(() => connection.of("eventStreamTerminated")).toHaveLength(1);
    expect((await account()).error).toMatchObject({ code: -2014 });
    // From now on no event belongs to anyone here.
    await trader.rest();
    expect((await connection.ask("ping")).status).toBe(200);
    expect(connection.of("executionReport")).toEqual([]);
  });

  test("a subscription says when it ends, with its session or by request", async () => {
    const exchange = await start(SETTINGS);
    const { trader, ...hmac } = await programOf(exchange, "ada@example.com");
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const { key } = await trader.http.action(functions.apiKeys.create, {
      name: "Session",
      kind: "ed25519",
      publicKey: publicKey.export({ format: "pem", type: "spki" }),
      permissions: ["read"],
    });
    const connection = await open(exchange);
    const logOn = signedWith(privateKey, { apiKey: key.apiKey, timestamp: Date.now() });
    await connection.ask("session.logon", logOn);
    const subscribe = async () =>
      (await connection.ask("userDataStream.subscribe.signature", signed(hmac))).result;
    expect((await connection.ask("userDataStream.subscribe")).result).toEqual({
      subscriptionId: 0,
    });
    expect([await subscribe(), await subscribe()]).toEqual([
      { subscriptionId: 1 },
      { subscriptionId: 2 },
    ]);
    const terminated = () =>
      connection.events
        .filter(({ event }) => event.e === "eventStreamTerminated")
        .map(({ subscriptionId }) => subscriptionId);
    // Those with signatures of their own go on.
    expect((await connection.ask("session.logout")).result).toMatchObject({ userDataStream: true });
    expect(terminated()).toEqual([0]);
    await connection.ask("userDataStream.unsubscribe", { subscriptionId: 2 });
    expect(terminated()).toEqual([0, 2]);
    await trader.rest();
    await expect.poll(() => connection.of("executionReport").length).toBe(1);
    await connection.ask("userDataStream.unsubscribe");
    expect(terminated()).toEqual([0, 2, 1]);
    expect((await connection.ask("session.subscriptions")).result).toEqual([]);
  });

  test("listen keys are made, extended and closed by a key that has signed there before", async () => {
    const exchange = await start(SETTINGS);
    const { apiKey, secret } = await programOf(exchange, "ada@example.com");
    const connection = await open(exchange);
    const refused = await connection.ask("userDataStream.start", { apiKey });
    expect(refused).toMatchObject({ status: 401, error: { code: -2015 } });
    expect((await connection.ask("account.status", signed({ apiKey, secret }))).status).toBe(200);
    const { rateLimits, result } = await connection.ask("userDataStream.start", { apiKey });
    const listenKey = String(result["listenKey"]);
    expect(listenKey).toMatch(/^[0-9a-f]{64}$/);
    // Nothing proves who has sent it, so its sender pays.
    expect(rateLimits).toMatchObject([{ limit: 6_000 }]);
    const named = { apiKey, listenKey };
    expect((await connection.ask("userDataStream.ping", named)).result).toEqual({});
    const stream = new WebSocket(`${exchange.url.replace("http", "ws")}/ws/${listenKey}`);
    sockets.push(stream);
    await once(stream, "open");
    const ended = once(stream, "message") as Promise<[Buffer]>;
    expect((await connection.ask("userDataStream.stop", named)).result).toEqual({});
    expect(JSON.parse((await ended)[0].toString("utf8"))).toMatchObject({ e: "listenKeyExpired" });
    const again = await connection.ask("userDataStream.ping", named);
    expect(again.error).toMatchObject({ code: -1125 });
    const missing = await connection.ask("userDataStream.ping", { apiKey });
    expect(missing.error).toMatchObject({ code: -1102 });
  });

  test("user data tell every step of every order and what is left of each coin", async () => {
    const exchange = await start(SETTINGS);
    const maker = await programOf(exchange, "maker@example.com");
    const taker = await programOf(exchange, "taker@example.com");
    const before = { ...ORDER, price: "65000.00", quantity: "0.1", newClientOrderId: "before" };
    expect((await ask(exchange, maker, "POST", "/api/v3/order", before)).status).toBe(200);
    const connection = await open(exchange);
    const subscribed = await connection.ask("userDataStream.subscribe.signature", signed(maker));
    expect(subscribed.result).toEqual({ subscriptionId: 0 });
    const place = { ...ORDER, price: "64000.00", quantity: "0.3", newClientOrderId: "mine" };
    await ask(exchange, maker, "POST", "/api/v3/order", place);
    const buy = { symbol: "BTCUSD", side: "BUY", type: "MARKET" };
    for (const quantity of ["0.1", "0.2"]) {
      await ask(exchange, taker, "POST", "/api/v3/order", { ...buy, quantity });
    }
    const name = { symbol: "BTCUSD", origClientOrderId: "before" };
    await ask(exchange, maker, "DELETE", "/api/v3/order", name);
    await expect.poll(() => connection.of("executionReport").length).toBe(4);
    const reports = connection.of("executionReport");
    expect(reports.map(({ c, x, X, l, z }) => [c, x, X, l, z])).toEqual([
      ["mine", "NEW", "NEW", "0.0000", "0.0000"],
      ["mine", "TRADE", "PARTIALLY_FILLED", "0.1000", "0.1000"],
      ["mine", "TRADE", "FILLED", "0.2000", "0.3000"],
      ["before", "CANCELED", "CANCELED", "0.0000", "0.0000"],
    ]);
    expect(reports[2]).toMatchObject({
      s: "BTCUSD",
      S: "SELL",
      o: "LIMIT",
      f: "GTC",
      L: "64000.00",
      N: "USD",
      m: true,
      w: true,
      Y: "12800.000000",
      Z: "19200.000000",
    });
    // The last balances are those of the ledger.
    const { body } = await ask(exchange, maker, "GET", "/api/v3/account");
    const expected = (body.balances as { asset: string; free: string; locked: string }[])
      .filter(({ asset }) => asset === "BTC" || asset === "USD")
      .map(({ asset: a, free: f, locked: l }) => ({ a, f, l }));
    const [position] = connection.of("outboundAccountPosition").slice(-1);
    expect(position.B).toEqual(expect.arrayContaining(expected));
    // Nothing of the other account.
    expect(new Set(reports.map(({ i }) => i)).size).toBe(2);
    await connection.ask("userDataStream.unsubscribe", { subscriptionId: 0 });
    await ask(exchange, maker, "POST", "/api/v3/order", { ...place, newClientOrderId: "unseen" });
    expect((await connection.ask("ping")).status).toBe(200);
    expect(connection.of("executionReport")).toHaveLength(4);
  });

  test("ccxt follows its orders, trades and balance, and places an order over the socket", async () => {
    const exchange = await start(SETTINGS);
    const maker = await programOf(exchange, "maker@example.com");
    const taker = await programOf(exchange, "taker@example.com");
    const { url } = exchange;
    const socketUrl = url.replace("http", "ws");
    const client = new ccxt.pro.binanceus({
      apiKey: maker.apiKey,
      secret: maker.secret,
      enableRateLimit: false,
      urls: {
        api: {
          public: `${url}/api/v3`,
          private: `${url}/api/v3`,
          sapi: `${url}/sapi/v1`,
          ws: { spot: `${socketUrl}/ws`, "ws-api": { spot: `${socketUrl}/ws-api/v3` } },
        },
      },
    });
    await client.loadHttpProxyAgent();
    try {
      await client.loadMarkets();
      const orders = client.watchOrders("BTC/USD");
      const trades = client.watchMyTrades("BTC/USD");
      const balance = client.watchBalance();
      const ofMaker = () => ask(exchange, maker, "GET", "/api/v3/openOrders");
      await new Promise((done) => setTimeout(done, 1_000));
      const placed = await client.createOrderWs("BTC/USD", "limit", "sell", 0.5, 64_000);
      expect(placed).toMatchObject({ status: "open", remaining: 0.5 });
      expect((await ofMaker()).body).toHaveLength(1);
      expect((await orders)[0]).toMatchObject({ id: placed.id, status: "open" });
      await taker.client.createOrder("BTC/USD", "market", "buy", 0.2);
      expect((await trades)[0]).toMatchObject({ order: placed.id, amount: 0.2, price: 64_000 });
      // It goes on changing as events come.
      const followed = await balance;
      await expect.poll(() => followed.BTC.used).toBe(0.3);
    } finally {
      await client.close();
    }
  });
});

/** The fault lab over HTTP and the WebSocket API: what a key suffers, and what nothing else notices. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { functions } from "#contract/functions.ts";
import { exchangeStarter, type TestExchange } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";
import { ask, newKey, type Program, programOf } from "./trading-programs.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

type Key = Pick<Program, "apiKey" | "secret" | "client">;
type Faults = Readonly<Record<string, string>>;

const SETTINGS = { PRACTICE_FUNDS: "USD:100000,BTC:1" };
const ORDER = {
  symbol: "BTCUSD",
  side: "SELL",
  type: "LIMIT",
  timeInForce: "GTC",
  price: "64000.00",
  quantity: "0.01",
};
const FAULTS = "/api/v3/openbell/faults";

const sockets: WebSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

describeOnSqlite("the fault lab", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  /** Two keys of one user, one of which will have faults. */
  async function scene() {
    const exchange = await start(SETTINGS);
    const { trader, ...faulty } = await programOf(exchange, "ada@example.com");
    const sound = await newKey(exchange, trader);
    const call = (key: Key, method: string, path: string, parameters?: Faults) =>
      ask(exchange, key, method, path, parameters);
    return {
      exchange,
      trader,
      faulty,
      sound,
      call,
      suffer: async (faults: Faults) => {
        expect((await call(faulty, "PUT", FAULTS, faults)).status).toBe(200);
      },
      place: (key: Key, more: Faults = {}) =>
        call(key, "POST", "/api/v3/order", { ...ORDER, ...more }),
      openOrders: async () => {
        const { body } = await call(sound, "GET", "/api/v3/openOrders");
        return body as unknown as { clientOrderId: string }[];
      },
    };
  }

  test("is set, read and ended with the key, and refuses what is out of bounds by its name", async () => {
    const { call, faulty, sound } = await scene();
    const none = { faults: {}, seed: null, endsAt: null };
    expect((await call(faulty, "GET", FAULTS)).body).toEqual(none);
    const set = await call(faulty, "PUT", FAULTS, { jitterMs: "5", clockSkewMs: "-9", seed: "1" });
    expect(set.body).toEqual({
      faults: { jitterMs: 5, clockSkewMs: -9 },
      seed: 1,
      endsAt: expect.any(Number) as number,
    });
    expect((await call(faulty, "GET", FAULTS)).body).toEqual(set.body);
    expect((await call(sound, "GET", FAULTS)).body).toEqual(none);
    const wrong = { latencyMs: "5001", cutPercent: "101", clockSkewMs: "-30001", seconds: "86401" };
    for (const [name, value] of Object.entries(wrong)) {
      const { body, status } = await call(faulty, "PUT", FAULTS, { [name]: value });
      expect([status, body.msg]).toEqual([400, `Data sent for parameter '${name}' is not valid.`]);
    }
    expect((await call(faulty, "GET", FAULTS)).body).toEqual(set.body);
    const { headers } = await call(faulty, "GET", "/api/v3/account");
    expect(headers.get("x-openbell-faults")).toBe("jitterMs=5, clockSkewMs=-9");
    expect((await call(sound, "GET", "/api/v3/account")).headers.has("x-openbell-faults")).toBe(
      false,
    );
    expect((await call(faulty, "DELETE", FAULTS)).body).toEqual(none);
    expect((await call(faulty, "GET", "/api/v3/account")).headers.has("x-openbell-faults")).toBe(
      false,
    );
  });

  test("an order whose answer is lost is in the book once, and one that was cut off is not", async () => {
    const { call, faulty, openOrders, place, suffer, trader } = await scene();
    await suffer({ lostAnswerPercent: "100" });
    await expect(place(faulty, { newClientOrderId: "lost" })).rejects.toThrow("fetch failed");
    expect(await openOrders()).toMatchObject([{ clientOrderId: "lost" }]);
    // Reading finds what became of it.
    const name = { symbol: "BTCUSD", origClientOrderId: "lost" };
    expect((await call(faulty, "GET", "/api/v3/order", name)).body).toMatchObject({
      status: "NEW",
    });
    await suffer({ cutPercent: "100" });
    await expect(place(faulty, { newClientOrderId: "cut" })).rejects.toThrow("fetch failed");
    expect(await openOrders()).toHaveLength(1);
    const balances = await trader.http.query(functions.accounts.balances, {});
    expect(balances.find(({ coin }) => coin === "BTC")).toMatchObject({ held: "0.01000000" });
  });

  test("a late answer comes after the order is in the book", async () => {
    const { faulty, openOrders, place, suffer } = await scene();
    await suffer({ lateAnswerPercent: "100", lateAnswerMs: "30000" });
    let isAnswered = false;
    // The test's end cuts it off.
    void place(faulty)
      .catch(() => undefined)
      .then(() => (isAnswered = true));
    await expect.poll(openOrders).toHaveLength(1);
    expect(isAnswered).toBe(false);
  });

  test("a 429 says when to come again, and a key beside it notices nothing", async () => {
    const { faulty, openOrders, place, sound, suffer } = await scene();
    await suffer({ rateLimitPercent: "100" });
    const { body, headers, status } = await place(faulty);
    expect([status, body.code, headers.get("retry-after")]).toEqual([429, -1003, "1"]);
    expect((await place(sound)).status).toBe(200);
    expect(await openOrders()).toHaveLength(1);
  });

  test("a skewed clock refuses the true time, and takes its own", async () => {
    const { call, exchange, faulty, suffer } = await scene();
    for (const skewMs of [20_000, -20_000]) {
      await suffer({ clockSkewMs: String(skewMs) });
      expect((await call(faulty, "GET", "/api/v3/account")).body.code).toBe(-1021);
      const timeFor = async (headers: Record<string, string>) => {
        const answer = await fetch(`${exchange.url}/api/v3/time`, { headers });
        return ((await answer.json()) as { serverTime: number }).serverTime;
      };
      const trueTime = await timeFor({});
      const skewed = await timeFor({ "x-mbx-apikey": faulty.apiKey });
      expect(skewed - trueTime).toBeGreaterThanOrEqual(skewMs);
      expect(skewed - trueTime).toBeLessThan(skewMs + 15_000);
      // ccxt corrects its clock by what a call with its key tells.
      const { client } = faulty;
      client.headers = { "X-MBX-APIKEY": faulty.apiKey };
      client.options.adjustForTimeDifference = true;
      await client.loadTimeDifference();
      const placed = await client.createOrder("BTC/USD", "limit", "sell", 0.01, 64_000);
      expect(placed.status).toBe("open");
    }
  });

  test("a halt is the key's own: it cancels and places nothing, and others trade", async () => {
    const { call, exchange, faulty, openOrders, place, sound, suffer } = await scene();
    await place(faulty, { newClientOrderId: "before" });
    await suffer({ halted: "1" });
    expect((await place(faulty)).body).toEqual({ code: -1013, msg: "Market is closed." });
    expect((await place(sound, { newClientOrderId: "beside" })).status).toBe(200);
    const name = { symbol: "BTCUSD", origClientOrderId: "before" };
    expect((await call(faulty, "DELETE", "/api/v3/order", name)).status).toBe(200);
    expect(await openOrders()).toMatchObject([{ clientOrderId: "beside" }]);
    const statusFor = async (headers: Record<string, string>) => {
      const answer = await fetch(`${exchange.url}/api/v3/exchangeInfo?symbol=BTCUSD`, { headers });
      const { symbols } = (await answer.json()) as { symbols: { status: string }[] };
      return symbols[0].status;
    };
    expect(await statusFor({ "x-mbx-apikey": faulty.apiKey })).toBe("HALT");
    expect(await statusFor({})).toBe("TRADING");
  });

  test("ends with its key", async () => {
    const { exchange, faulty, suffer, trader } = await scene();
    await suffer({ latencyMs: "1" });
    const headers = { "x-mbx-apikey": faulty.apiKey };
    const named = async () => {
      const answer = await fetch(`${exchange.url}/api/v3/ping`, { headers });
      return answer.headers.get("x-openbell-faults");
    };
    expect(await named()).toBe("latencyMs=1");
    const { keys } = (await trader.http.query(functions.apiKeys.list, {})) ?? { keys: [] };
    const { keyId } = keys.find(({ apiKey }) => apiKey === faulty.apiKey) ?? { keyId: "" };
    await trader.http.mutation(functions.apiKeys.revoke, { keyId });
    expect(await named()).toBeNull();
  });

  test("a stream whose connection names the key misses updates of books, and one beside it none", async () => {
    const { exchange, faulty, place, sound, suffer } = await scene();
    await suffer({ depthGapPercent: "100" });
    const named = await follow(exchange, `/ws/btcusd@depth@100ms?faults=${faulty.apiKey}`);
    expect(named.faults).toBe("depthGapPercent=100");
    const beside = await follow(exchange, "/ws/btcusd@depth@100ms");
    expect(beside.faults).toBeUndefined();
    await place(sound);
    await expect.poll(() => beside.updates()).toHaveLength(1);
    // With other faults nothing is left out any more, but what was stays out.
    await suffer({ latencyMs: "1" });
    await place(sound, { price: "64001.00" });
    await expect.poll(() => beside.updates()).toHaveLength(2);
    await expect.poll(() => named.updates()).toEqual(beside.updates().slice(1));
    expect(beside.updates()[1].U).toBe(beside.updates()[0].u + 1);
  });

  test("late messages of an account stay in order", async () => {
    const { exchange, faulty, place, sound, suffer } = await scene();
    await suffer({ jitterMs: "500" });
    const connection = await openWsApi(exchange);
    await connection.ask("userDataStream.subscribe.signature", faulty);
    for (let count = 0; count < 5; count++) await place(sound);
    const reports = () => connection.events().filter(({ e }) => e === "executionReport");
    await expect.poll(reports).toHaveLength(5);
    const orders = reports().map(({ i }) => Number(i));
    expect(orders).toEqual(orders.toSorted((one, other) => one - other));
  });

  test("connections that name the key are cut when they are old enough, and no others", async () => {
    const { exchange, faulty, sound, suffer } = await scene();
    const header = { "X-MBX-APIKEY": faulty.apiKey };
    const named = await follow(exchange, "/ws/btcusd@depth", header);
    const beside = await follow(exchange, "/ws/btcusd@depth");
    const asking = await openWsApi(exchange);
    await asking.ask("account.status", faulty);
    const other = await openWsApi(exchange);
    await other.ask("account.status", sound);
    await suffer({ connectionSeconds: "1" });
    await expect.poll(() => [named.socket.readyState, asking.socket.readyState]).toEqual([3, 3]);
    expect([beside.socket.readyState, other.socket.readyState]).toEqual([1, 1]);
  });

  test("the WebSocket API suffers as HTTP does, and says so", async () => {
    const { exchange, faulty, openOrders, sound, suffer } = await scene();
    await suffer({ lostAnswerPercent: "100" });
    const beside = await openWsApi(exchange);
    expect(await beside.ask("account.status", sound)).not.toHaveProperty("faults");
    const connection = await openWsApi(exchange);
    expect(await connection.ask("account.status", faulty)).toMatchObject({
      status: 200,
      faults: "lostAnswerPercent=100",
    });
    const closed = once(connection.socket, "close");
    connection.send("order.place", faulty, ORDER);
    // Cut, without a closing handshake.
    expect((await closed)[0]).toBe(1006);
    expect(await openOrders()).toHaveLength(1);
    const placed = await beside.ask("order.place", sound, ORDER);
    expect(placed).toMatchObject({ status: 200 });
  });
});

interface Update {
  readonly U: number;
  readonly u: number;
}

/** A market stream, and what it has told. */
async function follow({ url }: TestExchange, path: string, headers = {}) {
  const messages: Update[] = [];
  const socket = new WebSocket(`${url.replace("http", "ws")}${path}`, { headers });
  sockets.push(socket);
  socket.on("message", (data: Buffer) => {
    messages.push(JSON.parse(data.toString("utf8")) as Update);
  });
  const upgraded = once(socket, "upgrade");
  await once(socket, "open");
  const [answer] = (await upgraded) as [IncomingMessage];
  return {
    socket,
    faults: answer.headers["x-openbell-faults"],
    /** Numbers of the first and last update of each. */
    updates: () => messages.map(({ U, u }) => ({ U, u })),
  };
}

async function openWsApi({ url }: TestExchange) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws-api/v3`);
  sockets.push(socket);
  await once(socket, "open");
  const events: Record<string, unknown>[] = [];
  const answers: object[] = [];
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString("utf8")) as object;
    if ("event" in message) events.push(message.event as Record<string, unknown>);
    else answers.push(message);
  });
  const send = (method: string, { apiKey, secret }: Key, given: Faults = {}) => {
    const sent: Faults = { ...given, apiKey, timestamp: Date.now().toString() };
    const names = Object.keys(sent).toSorted();
    const payload = names.map((name) => `${name}=${sent[name]}`).join("&");
    const signature = createHmac("sha256", secret).update(payload).digest("hex");
    socket.send(JSON.stringify({ id: 1, method, params: { ...sent, signature } }));
  };
  return {
    socket,
    send,
    events: () => events,
    async ask(...request: Parameters<typeof send>): Promise<object> {
      const { length } = answers;
      send(...request);
      await expect.poll(() => answers.length).toBeGreaterThan(length);
      return answers[length];
    },
  };
}

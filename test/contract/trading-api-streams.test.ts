/** Market streams of a running exchange, read by an unmodified client and by a book of the test's own. */
import { once } from "node:events";
import ccxt from "ccxt";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";

// A whole server with its simulation: on a busy machine it takes its time.
vi.setConfig({ testTimeout: 120_000 });

let server: RunningServer;
let socketUrl: string;
beforeAll(async () => {
  server = await startServerProcess();
  socketUrl = server.url.replace("http", "ws");
});
afterAll(() => server?.remove());

type Message = Record<string, unknown>;

/** A connection and what it has received. */
class Listener {
  readonly messages: Message[] = [];
  readonly socket: WebSocket;
  closed: [code: number, reason: string] | undefined;

  constructor(path: string) {
    this.socket = new WebSocket(`${socketUrl}${path}`);
    this.socket.on("message", (data: Buffer) => {
      this.messages.push(JSON.parse(data.toString("utf8")) as Message);
    });
    this.socket.on("close", (code, reason) => (this.closed = [code, reason.toString()]));
  }

  async opened(): Promise<this> {
    await once(this.socket, "open");
    return this;
  }

  /** The first message of a kind, however long it takes. */
  async first(isIt: (message: Message) => boolean): Promise<Message> {
    await expect.poll(() => this.messages.some(isIt), { timeout: 60_000 }).toBe(true);
    return this.messages.find(isIt) as Message;
  }

  ask(request: unknown): void {
    this.socket.send(typeof request === "string" ? request : JSON.stringify(request));
  }
}

async function openListener(path: string): Promise<Listener> {
  return new Listener(path).opened();
}

async function snapshot() {
  const answer = await fetch(`${server.url}/api/v3/depth?symbol=BTCUSD&limit=5000`);
  const { lastUpdateId, bids, asks } = (await answer.json()) as {
    lastUpdateId: number;
    bids: Pairs;
    asks: Pairs;
  };
  return { lastUpdateId, bids, asks };
}

type Pairs = [price: string, quantity: string][];
type Update = { U: number; u: number; b: Pairs; a: Pairs };

/** The book that the snapshot and the updates after it make, by Binance's own instructions. */
function bookOf(start: Awaited<ReturnType<typeof snapshot>>, updates: readonly Update[]) {
  const bids = new Map(start.bids);
  const asks = new Map(start.asks);
  let lastId = start.lastUpdateId;
  for (const { U, u, b, a } of updates) {
    if (u <= lastId) continue;
    expect(U, "no update is missing").toBeLessThanOrEqual(lastId + 1);
    for (const [side, levels] of [
      [bids, b],
      [asks, a],
    ] as const) {
      for (const [price, quantity] of levels) {
        if (Number(quantity) === 0) side.delete(price);
        else side.set(price, quantity);
      }
    }
    lastId = u;
  }
  const sorted = (side: Map<string, string>, sign: 1 | -1) =>
    [...side].toSorted(([one], [other]) => sign * (Number(one) - Number(other)));
  return { lastUpdateId: lastId, bids: sorted(bids, -1), asks: sorted(asks, 1) };
}

test("a book made of a snapshot and the updates after it equals a later snapshot, level by level", async () => {
  const listener = await openListener("/ws/btcusd@depth@100ms");
  const updates = () => listener.messages as unknown as Update[];
  await expect.poll(() => updates().length, { timeout: 60_000 }).toBeGreaterThan(2);
  const start = await snapshot();
  await expect.poll(() => updates().length, { timeout: 60_000 }).toBeGreaterThan(10);
  const { length } = updates();
  for (let at = 1; at < length; at++) expect(updates()[at].U).toBe(updates()[at - 1].u + 1);
  // A snapshot of the very moment of an update: between two of them the market may be quiet.
  await expect
    .poll(
      async () => {
        const end = await snapshot();
        const known = updates().filter(({ u }) => u <= end.lastUpdateId);
        if (known.at(-1)?.u !== end.lastUpdateId) return "not yet";
        expect(bookOf(start, known)).toEqual(end);
        return "equal";
      },
      { timeout: 60_000 },
    )
    .toBe("equal");
  listener.socket.close();
});

test("every stream sends its events in Binance's shapes", async () => {
  const names = ["trade", "aggTrade", "kline_1m", "miniTicker", "ticker", "bookTicker", "avgPrice"];
  const all = [...names, "depth", "depth5@100ms"].map((name) => `btcusd@${name}`);
  const path = `/stream?streams=${[...all, "!miniTicker@arr", "!ticker@arr"].join("/")}`;
  const listener = await openListener(path);
  const dataOf = async (stream: string) => {
    const found = await listener.first((message) => message.stream === stream);
    return found.data as Message;
  };
  const decimal = /^\d+(\.\d+)?$/;
  const expectDecimals = (event: Message, fields: readonly string[]) => {
    for (const field of fields) expect(event[field], field).toMatch(decimal);
  };
  const trade = await dataOf("btcusd@trade");
  expect(trade).toMatchObject({ e: "trade", s: "BTCUSD", M: true });
  expectDecimals(trade, ["p", "q"]);
  expect(await dataOf("btcusd@aggTrade")).toMatchObject({ e: "aggTrade", s: "BTCUSD" });
  const candle = await dataOf("btcusd@kline_1m");
  expect(candle).toMatchObject({ e: "kline", k: { i: "1m", s: "BTCUSD" } });
  expectDecimals(candle.k as Message, ["o", "h", "l", "c", "v"]);
  expectDecimals(await dataOf("btcusd@miniTicker"), ["c", "o", "h", "l", "v", "q"]);
  expectDecimals(await dataOf("btcusd@ticker"), ["c", "o", "h", "l", "v", "q", "b", "B", "a", "A"]);
  expectDecimals(await dataOf("btcusd@bookTicker"), ["b", "B", "a", "A"]);
  expectDecimals(await dataOf("btcusd@avgPrice"), ["w"]);
  expect(await dataOf("btcusd@depth")).toMatchObject({ e: "depthUpdate", s: "BTCUSD" });
  expect((await dataOf("btcusd@depth5@100ms")).bids).toHaveLength(5);
  for (const name of ["!miniTicker@arr", "!ticker@arr"]) {
    expect((await dataOf(name)) as unknown as Message[]).toContainEqual(
      expect.objectContaining({ s: "BTCUSD" }),
    );
  }
  listener.socket.close();
});

test("streams are subscribed to, listed and left, and ids come back as they were", async () => {
  const listener = await openListener("/ws");
  const answerTo = (id: unknown) => listener.first((message) => message.id === id);
  listener.ask({ method: "SUBSCRIBE", params: ["btcusd@bookTicker", "ethusd@trade"], id: 1 });
  expect(await answerTo(1)).toEqual({ result: null, id: 1 });
  listener.ask({ method: "UNSUBSCRIBE", params: ["ethusd@trade"], id: "two" });
  expect(await answerTo("two")).toEqual({ result: null, id: "two" });
  listener.ask({ method: "LIST_SUBSCRIPTIONS", id: 3 });
  expect(await answerTo(3)).toEqual({ result: ["btcusd@bookTicker"], id: 3 });
  listener.ask({ method: "SET_PROPERTY", params: ["combined", true], id: 4 });
  listener.ask({ method: "GET_PROPERTY", params: ["combined"], id: 5 });
  expect(await answerTo(5)).toEqual({ result: true, id: 5 });
  expect(await listener.first((message) => "stream" in message)).toMatchObject({
    stream: "btcusd@bookTicker",
  });
  listener.ask({ method: "SUBSCRIBE", params: ["nonesuch@trade"], id: 6 });
  expect(await answerTo(6)).toMatchObject({ error: { code: 2 } });
  listener.ask({ method: "SHOUT", id: 7 });
  expect(await answerTo(7)).toMatchObject({ error: { code: 2 } });
  listener.ask("{");
  expect(await answerTo(null)).toMatchObject({ error: { code: 3 } });
  expect(listener.closed).toBeUndefined();
  listener.socket.close();
});

test("a connection that asks too fast, or for what there is not, is closed with a reason", async () => {
  const hasty = await openListener("/ws");
  for (let id = 0; id < 30; id++) hasty.ask({ method: "LIST_SUBSCRIPTIONS", id });
  await expect.poll(() => hasty.closed).toEqual([1008, "Too many messages: at most 5 a second."]);
  const mistaken = await openListener("/ws/nonesuch@trade");
  await expect.poll(() => mistaken.closed).toEqual([1008, "There is no stream nonesuch@trade."]);
});

test("ccxt follows the book, the trades, the ticker and the candles", async () => {
  const { url } = server;
  const client = new ccxt.pro.binanceus({
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
    for (let count = 0; count < 5; count++) {
      const book = await client.watchOrderBook("BTC/USD");
      expect(Number(book.bids[0][0])).toBeLessThan(Number(book.asks[0][0]));
    }
    expect((await client.watchTrades("BTC/USD")).length).toBeGreaterThan(0);
    expect(Number((await client.watchTicker("BTC/USD")).last)).toBeGreaterThan(0);
    expect((await client.watchOHLCV("BTC/USD", "1m")).length).toBeGreaterThan(0);
  } finally {
    await client.close();
  }
});

/**
 * What programs keep over cut connections and a kill -9 of the server: a book made of thousands of
 * updates equals the exchange's, and of the own trades none is missed and none counted twice.
 */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import ccxt from "ccxt";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { ask, newProgram, type Program } from "../contract/trading-programs.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";

const UPDATES = 10_000;
const ORDERS = 150;
const PATIENCE = { timeout: 30_000, interval: 50 };

let server: RunningServer | undefined;
let folder: string | undefined;
let isOver = false;
afterEach(async () => {
  isOver = true;
  await server?.remove();
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
});

async function started(settings: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  isOver = false;
  server = await startServerProcess({
    ...settings,
    AUTH_RATE_LIMIT: "off",
    PRACTICE_FUNDS: "USD:100000,BTC:1",
    TRADING_API_WEIGHT: "1000000",
  });
  return server;
}

type Asker = Pick<Program, "apiKey" | "secret">;
type Pairs = [price: string, quantity: string][];
interface Snapshot {
  readonly lastUpdateId: number;
  readonly bids: Pairs;
  readonly asks: Pairs;
}
interface Update {
  readonly s: string;
  readonly U: number;
  readonly u: number;
  readonly b: Pairs;
  readonly a: Pairs;
}

async function snapshotOf({ url }: RunningServer, symbol: string): Promise<Snapshot> {
  const answer = await fetch(`${url}/api/v3/depth?symbol=${symbol}&limit=5000`);
  if (!answer.ok) throw new Error(`depth was answered ${answer.status}`);
  return (await answer.json()) as Snapshot;
}

const sorted = (side: ReadonlyMap<string, string>, sign: 1 | -1): Pairs =>
  [...side].toSorted(([one], [other]) => sign * (Number(one) - Number(other)));

/** A book kept by Binance's own instructions, started again with every connection. */
class OwnBook {
  #lastId = 0;
  #waiting: Update[] | undefined = [];
  readonly #bids = new Map<string, string>();
  readonly #asks = new Map<string, string>();

  disconnected(): void {
    this.#waiting = [];
  }

  begin({ lastUpdateId, bids, asks }: Snapshot): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const [side, levels] of [
      [this.#bids, bids],
      [this.#asks, asks],
    ] as const) {
      side.clear();
      for (const [price, quantity] of levels) side.set(price, quantity);
    }
    // What was known before the cut is never taken back.
    expect(lastUpdateId).toBeGreaterThanOrEqual(this.#lastId);
    this.#lastId = lastUpdateId;
    for (const update of waiting) this.take(update);
  }

  take(update: Update): void {
    if (this.#waiting !== undefined) {
      this.#waiting.push(update);
      return;
    }
    if (update.u <= this.#lastId) return;
    if (update.U > this.#lastId + 1) throw new Error(`${update.s}: an update is missing`);
    for (const [side, levels] of [
      [this.#bids, update.b],
      [this.#asks, update.a],
    ] as const) {
      for (const [price, quantity] of levels) {
        if (Number(quantity) === 0) side.delete(price);
        else side.set(price, quantity);
      }
    }
    this.#lastId = update.u;
  }

  read(): Snapshot {
    return {
      lastUpdateId: this.#lastId,
      bids: sorted(this.#bids, -1),
      asks: sorted(this.#asks, 1),
    };
  }
}

/** Changes one level far below the market again and again, so that each update has something to say. */
async function keepMoving(running: RunningServer, program: Asker, symbol: string): Promise<void> {
  const [[best]] = (await snapshotOf(running, symbol)).bids;
  const decimals = best.split(".")[1]?.length ?? 0;
  const price = (Number(best) * 0.8).toFixed(decimals);
  const quantity = String(Math.ceil(20 / Number(price)));
  for (let count = 1; !isOver; count++) {
    const newClientOrderId = `${symbol}-${count}`;
    const order = { symbol, side: "BUY", type: "LIMIT", timeInForce: "GTC", price, quantity };
    // While the server is away nothing moves.
    await ask(running, program, "POST", "/api/v3/order", { ...order, newClientOrderId }).catch(
      () => undefined,
    );
    await delay(60);
    const named = { symbol, origClientOrderId: newClientOrderId };
    await ask(running, program, "DELETE", "/api/v3/order", named).catch(() => undefined);
    await delay(60);
  }
}

test(`${UPDATES} updates of all books over cuts and a kill lead to the exchange's books`, async () => {
  folder = mkdtempSync(join(tmpdir(), "openbell-streams-"));
  const CATALOGUE = join(folder, "catalogue.yaml");
  writeFileSync(
    CATALOGUE,
    readFileSync("catalogues/simulated.yaml", "utf8").replace(
      /ordersPerTenSeconds: 100\n *ordersPerDay: 50000\n/,
      "ordersPerTenSeconds: 1000000\n    ordersPerDay: 100000000\n",
    ),
  );
  const running = await started({ CATALOGUE });
  const info = (await (await fetch(`${running.url}/api/v3/exchangeInfo`)).json()) as {
    symbols: { symbol: string }[];
  };
  const symbols = info.symbols.map(({ symbol }) => symbol);
  const mover = await newProgram(running.url, "mover@example.com");
  const moving = Promise.all(symbols.map((symbol) => keepMoving(running, mover, symbol)));
  const books = new Map(symbols.map((symbol) => [symbol, new OwnBook()]));
  const bookOf = (symbol: string) => books.get(symbol) as OwnBook;
  const failures: unknown[] = [];
  let taken = 0;
  let socket: WebSocket | undefined;
  async function connect(): Promise<void> {
    const names = symbols.map((symbol) => `${symbol.toLowerCase()}@depth@100ms`).join("/");
    const opened = new WebSocket(`${running.url.replace("http", "ws")}/stream?streams=${names}`);
    socket = opened;
    opened.on("error", () => undefined);
    opened.on("close", () => {
      for (const book of books.values()) book.disconnected();
      if (!isOver && socket === opened) setTimeout(() => void connect(), 100);
    });
    opened.on("message", (data: Buffer) => {
      const { data: update } = JSON.parse(data.toString("utf8")) as { data: Update };
      try {
        bookOf(update.s).take(update);
      } catch (error) {
        failures.push(error);
      }
      taken += 1;
    });
    try {
      await once(opened, "open");
      for (const symbol of symbols) bookOf(symbol).begin(await snapshotOf(running, symbol));
    } catch {
      // Not there yet: the connection ends, and the next one begins.
      opened.terminate();
    }
  }
  const pro = new ccxt.pro.binanceus({
    enableRateLimit: false,
    urls: {
      api: {
        public: `${running.url}/api/v3`,
        private: `${running.url}/api/v3`,
        sapi: `${running.url}/sapi/v1`,
        ws: {
          spot: `${running.url.replace("http", "ws")}/ws`,
          "ws-api": { spot: `${running.url.replace("http", "ws")}/ws-api/v3` },
        },
      },
    },
  });
  await pro.loadHttpProxyAgent();
  await pro.loadMarkets();
  const watched = (async () => {
    // It reconnects with the next call after an error, as its readers write it.
    while (!isOver) {
      await pro.watchOrderBook("BTC/USD").catch(() => new Promise((next) => setTimeout(next, 200)));
    }
  })();
  await connect();
  for (const part of [0.25, 0.5, 0.75]) {
    await expect.poll(() => taken, PATIENCE).toBeGreaterThan(UPDATES * part);
    if (part === 0.5) {
      await running.kill();
      await running.restart();
    } else socket?.terminate();
  }
  await expect.poll(() => taken, PATIENCE).toBeGreaterThan(UPDATES);
  for (const symbol of symbols) {
    // Between two updates a market may be quiet for a moment: then both are of the same one.
    const bothAtOnce = async () => {
      const theirs = await snapshotOf(running, symbol);
      const own = bookOf(symbol).read();
      if (own.lastUpdateId !== theirs.lastUpdateId) return "not yet";
      expect(theirs).toMatchObject(own);
      return "equal";
    };
    await expect.poll(bothAtOnce, PATIENCE).toBe("equal");
  }
  const clientsToo = async () => {
    const theirs = await snapshotOf(running, "BTCUSD");
    const own = pro.orderbooks["BTC/USD"] as (typeof pro.orderbooks)[string] | undefined;
    if (own?.nonce !== theirs.lastUpdateId) return "not yet";
    const { asks, bids } = own;
    const numbers = (side: Pairs) => side.slice(0, 100).map((level) => level.map(Number));
    const first = (side: unknown[][]) => side.slice(0, 100).map((level) => level.slice(0, 2));
    expect([first(bids), first(asks)]).toEqual([numbers(theirs.bids), numbers(theirs.asks)]);
    return "equal";
  };
  await expect.poll(clientsToo, PATIENCE).toBe("equal");
  expect(failures).toEqual([]);
  isOver = true;
  socket?.terminate();
  await pro.close();
  await Promise.all([watched, moving]);
});

test("own trades are heard once, and what was missed while away is caught up with", async () => {
  const running = await started();
  const program = await newProgram(running.url, "bot@example.com");
  const heard = new Map<number, string>();
  const twice: number[] = [];
  let socket: WebSocket | undefined;
  /** Of the last trade up to which none is missed. */
  let wholeUntil = 0;
  async function catchUp(): Promise<void> {
    const fromId = String(wholeUntil + 1);
    const { body, status } = await ask(running, program, "GET", "/api/v3/myTrades", {
      symbol: "BTCUSD",
      fromId,
      limit: "1000",
    });
    if (status !== 200) throw new Error(`myTrades was answered ${status}`);
    for (const { id, qty } of body as unknown as { id: number; qty: string }[]) {
      if (!heard.has(id)) heard.set(id, qty);
    }
  }
  async function listen(): Promise<void> {
    const opened = new WebSocket(`${running.url.replace("http", "ws")}/ws-api/v3`);
    socket = opened;
    const ofThisConnection = new Set<number>();
    let isCaughtUp = false;
    const subscribed = Promise.withResolvers<void>();
    subscribed.promise.catch(() => undefined);
    opened.on("error", () => undefined);
    opened.on("close", () => {
      subscribed.reject(new Error("closed"));
      // A connection's events are whole only together with what was missed before it.
      if (isCaughtUp) wholeUntil = Math.max(0, ...heard.keys());
      if (!isOver && socket === opened) setTimeout(() => void listen(), 100);
    });
    opened.on("message", (data: Buffer) => {
      const { event, status } = JSON.parse(data.toString("utf8")) as {
        status?: number;
        event?: { e: string; x: string; t: number; l: string };
      };
      if (status === 200) subscribed.resolve();
      if (event?.e !== "executionReport" || event.x !== "TRADE") return;
      if (ofThisConnection.has(event.t)) twice.push(event.t);
      ofThisConnection.add(event.t);
      heard.set(event.t, event.l);
    });
    try {
      await once(opened, "open");
      opened.send(
        JSON.stringify({
          id: 1,
          method: "userDataStream.subscribe.signature",
          params: signed(program),
        }),
      );
      await subscribed.promise;
      await catchUp();
      isCaughtUp = true;
    } catch {
      // It is away, or says that it has too much to do: the next connection tries again.
      opened.terminate();
    }
  }
  await listen();
  let placed = 0;
  for (let at = 0; at < ORDERS; at++) {
    if (at % 20 === 10) socket?.terminate();
    if (at === Math.floor(ORDERS / 2)) {
      await running.kill();
      await running.restart();
    }
    const { status } = await ask(running, program, "POST", "/api/v3/order", {
      symbol: "BTCUSD",
      side: at % 2 === 0 ? "BUY" : "SELL",
      type: "MARKET",
      quantity: "0.0100",
    });
    if (status === 200) placed += 1;
  }
  expect(placed).toBeGreaterThan(ORDERS / 2);
  const everything = async () => {
    const { body } = await ask(running, program, "GET", "/api/v3/myTrades", {
      symbol: "BTCUSD",
      limit: "1000",
    });
    return (body as unknown as { id: number; qty: string }[]).map(({ id, qty }) => [id, qty]);
  };
  const known = () => [...heard].toSorted(([one], [other]) => one - other);
  const unlike = async () => {
    const all = await everything();
    const [theirs, own] = [all, known()].map((trades) => trades.map((trade) => trade.join(": ")));
    const missed = theirs.filter((trade) => !own.includes(trade));
    return { missed, invented: own.filter((trade) => !theirs.includes(trade)) };
  };
  await expect.poll(unlike, PATIENCE).toEqual({ missed: [], invented: [] });
  expect(known().length).toBeGreaterThanOrEqual(placed);
  expect(twice).toEqual([]);
  isOver = true;
  socket?.terminate();
});

function signed({ apiKey, secret }: Asker) {
  const timestamp = Date.now();
  const payload = `apiKey=${apiKey}&timestamp=${timestamp}`;
  const signature = createHmac("sha256", secret).update(payload).digest("hex");
  return { apiKey, timestamp, signature };
}

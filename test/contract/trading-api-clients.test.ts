/** Market data of a running exchange, read by an unmodified client made for another one. */
import ccxt from "ccxt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";

let server: RunningServer;
let client: InstanceType<typeof ccxt.binanceus>;

beforeAll(async () => {
  server = await startServerProcess();
  const { url } = server;
  client = new ccxt.binanceus({
    enableRateLimit: false,
    urls: { api: { public: `${url}/api/v3`, private: `${url}/api/v3`, sapi: `${url}/sapi/v1` } },
  });
});
afterAll(async () => {
  await client?.close();
  await server?.remove();
});

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(`${server.url}/api/v3/${path}`);
  expect(answer.status).toBe(200);
  return answer.json();
}

test("ccxt knows every market with its steps and limits", async () => {
  const markets = await client.loadMarkets();
  const { symbols } = (await ask("exchangeInfo")) as { symbols: { symbol: string }[] };
  expect(symbols.length).toBeGreaterThan(5);
  expect(Object.values(markets).map((market) => market?.id)).toEqual(
    expect.arrayContaining(symbols.map(({ symbol }) => symbol)),
  );
  expect(client.market("BTC/USD")).toMatchObject({
    id: "BTCUSD",
    spot: true,
    active: true,
    precision: { price: 0.01, amount: 0.0001 },
    limits: { amount: { min: 0.0001 }, price: { min: 0.01 } },
  });
});

test("ccxt reads the time and the state of the exchange", async () => {
  const { serverTime } = (await ask("time")) as { serverTime: number };
  expect(await client.fetchTime()).toBeGreaterThanOrEqual(serverTime);
});

test("ccxt reads the book, best first and without a crossed spread", async () => {
  const { bids, asks, nonce } = await client.fetchOrderBook("BTC/USD", 20);
  expect(bids).toHaveLength(20);
  expect(asks).toHaveLength(20);
  expect(nonce).toBeGreaterThan(0);
  const prices = [...bids.toReversed(), ...asks].map(([price]) => Number(price));
  expect(prices).toEqual([...new Set(prices)].sort((a, b) => a - b));
});

test("ccxt reads trades and continues from a time without gap or repetition", async () => {
  const newest = () => client.fetchTrades("BTC/USD", undefined, 20);
  // The simulation begins with an empty tape.
  await expect.poll(async () => (await newest()).length, { timeout: 30_000 }).toBeGreaterThan(1);
  const first = await newest();
  const again = await client.fetchTrades("BTC/USD", first[0].timestamp, 20);
  const { id, price } = first[0];
  expect(again.find((trade) => trade.id === id)).toMatchObject({ price });
  // ccxt orders trades of one millisecond by their ids as text: "10" before "9". Some of it may be older.
  const ids = again.map((trade) => Number(trade.id)).sort((a, b) => a - b);
  expect(ids[0]).toBeLessThanOrEqual(Number(id));
  expect(ids).toEqual(ids.map((_, index) => ids[0] + index));
});

test("ccxt reads candles and pages through them by their beginnings", async () => {
  const newest = await client.fetchOHLCV("BTC/USD", "1m", undefined, 30);
  expect(newest).toHaveLength(30);
  const since = await client.fetchOHLCV("BTC/USD", "1m", newest[3][0], 10);
  expect(since.map(([openTime]) => openTime)).toEqual(
    newest.slice(3, 13).map(([openTime]) => openTime),
  );
});

test("ccxt reads tickers of one market and of all", async () => {
  const ticker = await client.fetchTicker("ETH/USD");
  expect(ticker).toMatchObject({ symbol: "ETH/USD", last: expect.any(Number) as number });
  expect(Number(ticker.bid)).toBeLessThan(Number(ticker.ask));
  const tickers = await client.fetchTickers();
  expect(Object.keys(tickers)).toContain("BTC/USD");
  const best = await client.fetchBidsAsks(["BTC/USD"]);
  expect(Number(best["BTC/USD"].bid)).toBeGreaterThan(0);
  const last = await client.fetchLastPrices(["BTC/USD"]);
  expect(Number(last["BTC/USD"].price)).toBeGreaterThan(0);
});

test("ccxt knows a wrong market by the refusal's text", async () => {
  await client.loadMarkets();
  const wrong = client.publicGetDepth({ symbol: "NONE" });
  await expect(wrong).rejects.toBeInstanceOf(ccxt.BadSymbol);
});

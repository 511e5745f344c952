import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  type FunctionScene,
  openFunctionScene,
  type PlaceForParticipant,
} from "#test/support/function-scene.ts";
import { CLIENT_ADDRESS_HEADER } from "../http/client-address.ts";
import { HeldBytes } from "../limits/held-bytes.ts";
import { WorkShares } from "../limits/work-shares.ts";
import { Calls } from "./calls.ts";
import { createTradingApi } from "./trading-api.ts";

let scene: FunctionScene;
let server: Server;
let shares: WorkShares;
const held = new HeldBytes({ all: 1e9, perClient: 1e9 });
let maker: PlaceForParticipant;
let taker: PlaceForParticipant;
let unsettled: Promise<void> | undefined;

beforeAll(async () => {
  scene = await openFunctionScene({ settings: { TRADING_API_WEIGHT: "1000" } });
  maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000 });
  taker = await scene.participant("taker", { USD: 100_000_000, BTC: 1_000 });
  const order = { market: "BTC-USD", type: "limit" } as const;
  await maker({ ...order, side: "sell", price: "64001.00", quantity: "0.5" });
  await maker({ ...order, side: "sell", price: "64001.00", quantity: "0.5" });
  await maker({ ...order, side: "sell", price: "64002.00", quantity: "1" });
  await maker({ ...order, side: "buy", price: "63000.00", quantity: "2" });
  // Meets two orders at one price and a part of a third.
  await taker({ ...order, side: "buy", price: "64002.00", quantity: "1.2" });
  await taker({ ...order, side: "sell", price: "63000.00", quantity: "0.25" });
  shares = new WorkShares();
  const { exchange } = scene.services;
  const services = { ...scene.services, exchange: { ...exchange, unsettled: () => unsettled } };
  const answer = createTradingApi(new Calls(services, shares), held);
  server = createServer((request, response) => {
    request.headers[CLIENT_ADDRESS_HEADER] = String(request.headers["x-from"] ?? "192.0.2.1");
    void Promise.resolve(answer(request, response)).then((isOurs) => {
      if (!isOurs) response.writeHead(421).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  shares.close();
  await scene.close();
});

async function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers, method });
  const text = await answer.text();
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- compared as a whole
  const body = text === "" ? undefined : JSON.parse(text);
  return { status: answer.status, headers: answer.headers, body: body as unknown };
}

async function refusalOf(path: string) {
  const { status, body } = await ask(path);
  return [status, (body as { code: number }).code, (body as { msg: string }).msg];
}

test("the book is what rests, best first, with the number of its newest change", async () => {
  const { body } = await ask("/api/v3/depth?symbol=BTCUSD&limit=5");
  const market = scene.services.views.catalogue.marketBySymbol("BTC-USD");
  expect(body).toEqual({
    T: expect.closeTo(scene.services.views.nowMs(), -5) as number,
    lastUpdateId: scene.services.views.books.updateId(market?.marketId ?? 0),
    bids: [["63000.00", "1.7500"]],
    asks: [["64002.00", "0.8000"]],
  });
});

test("trades are read oldest first, from a number or a time on, and aggregated by taker and price", async () => {
  await expect.poll(async () => (await ask("/api/v3/trades?symbol=BTCUSD")).body).toHaveLength(4);
  const { body } = await ask("/api/v3/trades?symbol=BTCUSD");
  const trades = body as { id: number; time: number; price: string; qty: string }[];
  expect(trades[0]).toEqual({
    id: trades[0].id,
    price: "64001.00",
    qty: "0.5000",
    quoteQty: "32000.500000",
    time: trades[0].time,
    isBuyerMaker: false,
    isBestMatch: true,
  });
  expect(trades.map(({ price, qty }) => `${qty} at ${price}`)).toEqual([
    "0.5000 at 64001.00",
    "0.5000 at 64001.00",
    "0.2000 at 64002.00",
    "0.2500 at 63000.00",
  ]);
  const fromId = await ask(`/api/v3/historicalTrades?symbol=BTCUSD&fromId=${trades[1].id}&limit=2`);
  expect(fromId.body).toEqual(trades.slice(1, 3));
  const aggregated = await ask("/api/v3/aggTrades?symbol=BTCUSD");
  expect(aggregated.body).toMatchObject([
    { a: trades[0].id, p: "64001.00", q: "1.0000", f: trades[0].id, l: trades[1].id, m: false },
    { a: trades[2].id, p: "64002.00", q: "0.2000", f: trades[2].id, l: trades[2].id, m: false },
    { a: trades[3].id, p: "63000.00", q: "0.2500", f: trades[3].id, l: trades[3].id, m: true },
  ]);
  const [first, last] = [trades[0].time, trades[3].time];
  const during = await ask(`/api/v3/aggTrades?symbol=BTCUSD&startTime=${first}&endTime=${last}`);
  expect(during.body).toEqual(aggregated.body);
  const after = await ask(`/api/v3/aggTrades?symbol=BTCUSD&startTime=${last + 1}`);
  expect(after.body).toEqual([]);
  const before = await ask(`/api/v3/aggTrades?symbol=BTCUSD&endTime=${first - 1}`);
  expect(before.body).toEqual([]);
});

test.each(["trades", "historicalTrades", "aggTrades"])(
  "%s are a thousand at most, whatever a program asks for",
  async (path) => {
    const most = await ask(`/api/v3/${path}?symbol=BTCUSD&limit=12000`);
    expect(most.status).toBe(200);
    expect(most.body).toEqual((await ask(`/api/v3/${path}?symbol=BTCUSD&limit=1000`)).body);
    expect((await ask(`/api/v3/${path}?symbol=BTCUSD&limit=0`)).status).toBe(400);
  },
);

test("candles are read by their beginnings", async () => {
  const newest = await ask("/api/v3/klines?symbol=BTCUSD&interval=1d&limit=1");
  const [candle] = newest.body as (string | number)[][];
  expect(candle.slice(1, 6)).toEqual(["64001.00", "64002.00", "63000.00", "63000.00", "1.4500"]);
  expect(Number(candle[6]) - Number(candle[0])).toBe(86_400_000 - 1);
  const from = `/api/v3/klines?symbol=BTCUSD&interval=1d&startTime=${candle[0]}`;
  expect((await ask(from)).body).toEqual([candle]);
  expect((await ask(`${from}&endTime=${candle[0]}`)).body).toEqual([candle]);
  const later = `/api/v3/klines?symbol=BTCUSD&interval=1d&startTime=${Number(candle[0]) + 1}`;
  expect((await ask(later)).body).toEqual([]);
});

test("tickers come for one market, for several or for all", async () => {
  const price = { symbol: "BTCUSD", price: "63000.00" };
  expect((await ask("/api/v3/ticker/price?symbol=BTCUSD")).body).toEqual(price);
  const several = encodeURIComponent('["BTCUSD","ETHUSD"]');
  for (const [status, count] of [
    ["TRADING", 2],
    ["BREAK", 0],
  ]) {
    for (const ticker of ["ticker/price", "ticker/24hr", "ticker"]) {
      const path = `/api/v3/${ticker}?symbols=${several}&symbolStatus=${status}`;
      expect((await ask(path)).body, path).toHaveLength(Number(count));
    }
  }
  expect((await ask(`/api/v3/ticker/price?symbols=${several}`)).body).toEqual([
    price,
    { symbol: "ETHUSD", price: "0" },
  ]);
  const all = (await ask("/api/v3/ticker/bookTicker")).body as { symbol: string }[];
  expect(all).toHaveLength(scene.services.views.catalogue.markets().length);
  expect(all.find(({ symbol }) => symbol === "BTCUSD")).toEqual({
    symbol: "BTCUSD",
    bidPrice: "63000.00",
    bidQty: "1.7500",
    askPrice: "64002.00",
    askQty: "0.8000",
  });
  const { body } = await ask("/api/v3/ticker/24hr?symbol=BTCUSD");
  expect(body).toMatchObject({
    openPrice: "64001.00",
    highPrice: "64002.00",
    lowPrice: "63000.00",
    lastPrice: "63000.00",
    lastQty: "0.2500",
    priceChange: "-1001.00",
    priceChangePercent: "-1.56",
    // (64 001 × 1 + 64 002 × 0.2 + 63 000 × 0.25) / 1.45
    weightedAvgPrice: "63828.55",
    volume: "1.45000000",
    quoteVolume: "92551.400000",
  });
  const mini = await ask("/api/v3/ticker/24hr?symbol=BTCUSD&type=MINI");
  expect(Object.keys(mini.body as object)).not.toContain("bidPrice");
});

test("a market's filters are what its orders are refused by", async () => {
  const { body } = await ask("/api/v3/exchangeInfo?symbol=BTCUSD");
  const [market] = (body as { symbols: { filters: object[] }[] }).symbols;
  expect(market).toMatchObject({
    symbol: "BTCUSD",
    status: "TRADING",
    baseAsset: "BTC",
    quoteAsset: "USD",
    permissionSets: [["SPOT"]],
  });
  expect(market.filters).toContainEqual(
    expect.objectContaining({ filterType: "PRICE_FILTER", minPrice: "0.01", tickSize: "0.01" }),
  );
  expect(market.filters).toContainEqual(
    expect.objectContaining({ filterType: "LOT_SIZE", minQty: "0.0001", stepSize: "0.0001" }),
  );
  const { views } = scene.services;
  const all = (await ask("/api/v3/exchangeInfo")).body as { symbols: { symbol: string }[] };
  expect(all.symbols.map(({ symbol }) => symbol)).toEqual(
    views.catalogue.markets().map(({ base, quote }) => base.symbol + quote.symbol),
  );
});

test("no call is answered from half of a command", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  unsettled = promise;
  const hasAnswered = ask("/api/v3/depth?symbol=BTCUSD").then(() => true);
  const sooner = delay(100, false);
  expect(await Promise.race([hasAnswered, sooner])).toBe(false);
  unsettled = undefined;
  resolve();
  expect(await hasAnswered).toBe(true);
});

const INTEGERS = "legal range is '^[0-9]{1,20}$'.";

test.each([
  [
    "/api/v3/depth",
    400,
    -1102,
    "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.",
  ],
  ["/api/v3/depth?symbol=", 400, -1105, "Parameter 'symbol' was empty."],
  ["/api/v3/depth?symbol=NONE", 400, -1121, "Invalid symbol."],
  [
    "/api/v3/depth?symbol=BTCUSD&symbolStatus=HALT",
    400,
    -1220,
    "The symbol's status does not match the requested symbolStatus.",
  ],
  [
    "/api/v3/depth?symbol=BTCUSD&limit=x",
    400,
    -1100,
    `Illegal characters found in parameter 'limit'; ${INTEGERS}`,
  ],
  [
    "/api/v3/depth?symbol=BTCUSD&limit=0",
    400,
    -1130,
    "Data sent for parameter 'limit' is not valid.",
  ],
  [
    "/api/v3/depth?symbol=BTCUSD&symbol=BTCUSD",
    400,
    -1101,
    "Duplicate values for a parameter detected.",
  ],
  [
    "/api/v3/depth?symbol=BTCUSD&colour=1",
    400,
    -1101,
    "Too many parameters; expected '3' and received '2'.",
  ],
  ["/api/v3/klines?symbol=BTCUSD&interval=7m", 400, -1120, "Invalid interval."],
  [
    "/api/v3/ticker/price?symbols=BTCUSD",
    400,
    -1130,
    "Data sent for parameter 'symbols' is not valid.",
  ],
  [
    "/api/v3/aggTrades?symbol=BTCUSD&fromId=1&startTime=1",
    400,
    -1128,
    "Combination of optional parameters invalid.",
  ],
  ["/api/v3/nothing", 404, -1000, "There is no such call."],
] as const)("%s is refused with %i and %i", async (path, status, code, message) => {
  expect(await refusalOf(path)).toEqual([status, code, message]);
});

test("more parameters than any call has are refused before they are read", async () => {
  const many = Array.from({ length: 65 }, (_, index) => `p${index}`).join("&");
  const body = { code: -1101, msg: "Too many parameters; expected '64' and received '65'." };
  expect(await ask(`/api/v3/ping?${many}`)).toMatchObject({ status: 400, body });
  const repeated = Array(64).fill("p").join("&");
  expect((await refusalOf(`/api/v3/ping?${repeated}`))[2]).toMatch("Duplicate values");
});

test("parameters are read in the turn of their address", async () => {
  // For as long as the test lasts.
  shares.charge("address:198.51.100.20", 1_000_000);
  const repeated = (address: string) => ask("/api/v3/ping?p&p", { "x-from": address });
  const first = await Promise.race([
    repeated("198.51.100.20").then(
      () => "the address at rest",
      () => "closed at the end",
    ),
    repeated("198.51.100.21").then(() => "another address"),
  ]);
  expect(first).toBe("another address");
});

test("an answer is charged to its address by its length", async () => {
  const charge = vi.spyOn(shares, "charge");
  await ask("/api/v3/ping", { "x-from": "198.51.100.22" });
  expect(charge).toHaveBeenCalledWith("address:198.51.100.22", "{}".length * 1.5e-5);
  charge.mockRestore();
});

test("the documents are sent as compressed as the client accepts", async () => {
  const path = "/api/v3/openbell/openapi.json";
  const read = async (accepted: string) => {
    const { body, headers } = await ask(path, { "accept-encoding": accepted });
    const length = Number(headers.get("content-length"));
    return { body, length, encoding: headers.get("content-encoding") };
  };
  const plain = await read("identity");
  expect(plain).toMatchObject({ encoding: null, body: { openapi: "3.1.1" } });
  for (const encoding of ["br", "gzip"]) {
    const sent = await read(encoding);
    expect(sent).toMatchObject({ encoding, body: plain.body });
    expect(sent.length).toBeLessThan(plain.length / 5);
  }
});

test("a request weighs 1 however it ends, and each answer says how much was used", async () => {
  const from = { "x-from": "198.51.100.9" };
  const used: (string | null)[] = [];
  for (const path of ["nothing", "depth", "depth?symbol=BTCUSD", "account", "ping"]) {
    const { headers } = await ask(`/api/v3/${path}`, from);
    used.push(headers.get("x-mbx-used-weight-1m"));
  }
  // The minute may roll over in the meantime, which resets the allowance.
  const steps = used.map((now, index) => Number(now) - Number(used[index - 1] ?? 0));
  expect(steps.filter((step) => step > 0).length).toBeGreaterThanOrEqual(4);
  expect(Math.max(...steps)).toBe(5);
});

test("a signed call needs a key", async () => {
  const { status, body } = await ask("/sapi/v1/account/apiRestrictions?timestamp=1&signature=1");
  expect([status, body]).toEqual([401, { code: -2014, msg: "API-key format invalid." }]);
  const unknown = { "x-mbx-apikey": "A".repeat(64) };
  const refused = await ask("/sapi/v1/account/apiRestrictions?timestamp=1&signature=1", unknown);
  expect(refused.body).toMatchObject({ code: -2015 });
});

test("a call is read with GET, by any site, and never with a cookie", async () => {
  expect((await ask("/api/v3/ping", {}, "POST")).status).toBe(405);
  const { headers } = await ask("/api/v3/ping", { origin: "https://elsewhere.example" });
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
  expect(headers.get("access-control-expose-headers")).toContain("x-mbx-used-weight-1m");
  const preflight = await ask("/api/v3/order", { origin: "https://elsewhere.example" }, "OPTIONS");
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, POST, PUT, DELETE");
  expect(preflight.headers.get("access-control-allow-headers")).toContain("x-mbx-apikey");
  expect((await ask("/api/other")).status).toBe(421);
});

test.each([
  ["/api/v3/ping", "GET", 200],
  ["/api/v3/openbell/openapi.json", "GET", 200],
  ["/api/v3/account", "GET", 401],
  ["/api/v3/order", "OPTIONS", 204],
])("what %s answers to %s may do nothing as a page", async (path, method, expected) => {
  const { headers, status } = await ask(path, {}, method);
  expect(status).toBe(expected);
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
});

test("what has arrived of a body counts as held, also of a call without a key", async () => {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  const head = [
    "GET /api/v3/time HTTP/1.1",
    "Host: x",
    "Content-Type: application/x-www-form-urlencoded",
    "Content-Length: 60000",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${"a".repeat(1_000)}`);
  await expect.poll(() => held.bytes).toBe(1_000);
  socket.destroy();
  await expect.poll(() => held.bytes).toBe(0);
});

test("an address has an allowance a minute, and who goes on beyond it is shut out", async () => {
  const from = { "x-from": "198.51.100.7" };
  const call = () => ask("/api/v3/depth?symbol=BTCUSD&limit=5000", from);
  const statuses: number[] = [];
  let answer = await call();
  // The minute may roll over in the meantime, which resets the allowance.
  for (let count = 0; answer.status !== 418 && count < 24; count += 1) {
    statuses.push(answer.status);
    answer = await call();
  }
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(answer.status).toBe(418);
  expect(Number(answer.headers.get("retry-after"))).toBe(120);
  expect((await ask("/api/v3/ping", from)).status).toBe(418);
  const other = await ask("/api/v3/ping", { "x-from": "198.51.100.8" });
  expect(other.headers.get("x-mbx-used-weight-1m")).toBe("1");
});

test.each<Record<string, string>>([
  { origin: "https://elsewhere.example" },
  { "sec-fetch-site": "cross-site" },
])("what a page makes its visitors send is not taken from their programs: %j", async (ofPage) => {
  const from = { "x-from": `198.51.100.${Object.keys(ofPage)[0].length}` };
  const call = () => ask("/api/v3/depth?symbol=BTCUSD&limit=5000", { ...from, ...ofPage });
  const isShutOut = { timeout: 15_000, interval: 0 };
  await expect.poll(async () => (await call()).status, isShutOut).toBe(418);
  const { status, headers } = await ask("/api/v3/ping", from);
  expect(status).toBe(200);
  expect(headers.get("x-mbx-used-weight-1m")).toBe("1");
});

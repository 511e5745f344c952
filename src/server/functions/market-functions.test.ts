import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Plan } from "#contract/plans.ts";
import type { Book, Candle, Coin, Market, PublicTrade, Ticker } from "#contract/types.ts";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene();
  const maker = await scene.participant("maker", { USD: 10_000_000, BTC: 100, DOGE: 1_000_000 });
  const taker = await scene.participant("taker", { USD: 10_000_000 });
  await maker({ side: "sell", price: "50000", quantity: "0.5" });
  await taker({ side: "buy", quantity: "0.3" });
  await maker({ side: "sell", price: "50000.01", quantity: "1" });
  await maker({ side: "sell", price: "50010", quantity: "2" });
  await maker({ side: "buy", price: "49999.99", quantity: "1.5" });
  await maker({ side: "buy", price: "49990", quantity: "2" });
});
afterAll(() => scene.close());

const visitor = () => scene.as(null);

test("pages are told the time by which the exchange takes requests", () => {
  const { views } = scene.services;
  const beforeMs = views.nowMs();
  const { result, topics } = visitor().query("venue:time");
  const toldMs = result.status === "success" ? Number(result.value) : Number.NaN;
  expect(toldMs).toBeGreaterThanOrEqual(beforeMs);
  expect(toldMs).toBeLessThanOrEqual(views.nowMs());
  expect([...topics]).toEqual(["heartbeat"]);
});

test("the venue tells its name, its currency and that it is simulated", () => {
  const { result, topics, readsIdentity } = visitor().query("venue:info");
  expect(result).toEqual({
    status: "success",
    value: {
      productName: "Openbell",
      settlementCoin: "USD",
      simulated: true,
      funds: "practice",
      development: true,
    },
  });
  expect([...topics]).toEqual(["catalogue"]);
  expect(readsIdentity).toBe(false);
});

test("coins have a price, its source and their volume where something traded", () => {
  const coins = visitor().value<Coin[]>("coins:list");
  const coin = (symbol: string) => coins.find((candidate) => candidate.symbol === symbol);
  expect(coins).toHaveLength(15);
  expect(coin("USD")).toMatchObject({
    price: "1",
    priceSource: "settlement",
    volume24h: "0.000000",
  });
  expect(coin("BTC")).toMatchObject({
    name: "Bitcoin",
    price: "50000.00",
    priceSource: "simulated",
    change24h: "0.00",
    volume24h: "15000.000000",
    markets: ["BTC-USD"],
  });
  expect(coin("BTC")?.sparkline.at(-1)).toBe(50_000);
  expect(coin("ETH")).toMatchObject({
    price: null,
    priceSource: "none",
    change24h: null,
    sparkline: [],
  });
  expect([...visitor().query("coins:list").topics]).toEqual(["catalogue", "prices"]);
});

test("plans stand in order and a paid one says from which volume it pays", () => {
  const plans = visitor().value<Plan[]>("plans:list");
  expect(plans.map(({ slug, breakEvenVolume }) => [slug, breakEvenVolume])).toEqual([
    ["free", null],
    ["active", null],
    ["pro", "28823.53"],
    ["market-maker", null],
  ]);
  expect(plans[0]).not.toHaveProperty("position");
});

test("markets say their steps and limits as decimals", () => {
  const markets = visitor().value<Market[]>("markets:list");
  expect(markets[0]).toEqual({
    symbol: "BTC-USD",
    base: "BTC",
    quote: "USD",
    baseName: "Bitcoin",
    tickSize: "0.01",
    lotSize: "0.0001",
    notionalMin: "1",
    quantityMax: "80.0000",
    priceDecimals: 2,
    quantityDecimals: 4,
    quoteDecimals: 2,
    status: "trading",
    closesAt: null,
    simulated: true,
    notionalMax: "5000000",
    priceBand: null,
    funds: null,
    protectionBps: 500,
    fees: null,
  });
  expect(markets.find(({ base }) => base === "DOGE")).toMatchObject({
    tickSize: "0.00001",
    lotSize: "1",
    quantityDecimals: 0,
  });
});

test("tickers agree with the book and the trades", () => {
  const [bitcoin, ether] = visitor().value<Ticker[]>("markets:tickers");
  expect(bitcoin).toEqual({
    market: "BTC-USD",
    last: "50000.00",
    bid: "49999.99",
    ask: "50000.00",
    open24h: "50000.00",
    high24h: "50000.00",
    low24h: "50000.00",
    change24h: "0.00",
    baseVolume24h: "0.30000000",
    quoteVolume24h: "15000.000000",
  });
  expect(ether).toMatchObject({ last: null, bid: null, ask: null, change24h: null });
});

describe("the book", () => {
  test("lists levels flat, best first", () => {
    const { result, topics, readsIdentity } = visitor().query("markets:book", {
      market: "BTC-USD",
    });
    expect(result).toMatchObject({
      value: {
        asks: ["50000.00", "0.2000", "50000.01", "1.0000", "50010.00", "2.0000"],
        bids: ["49999.99", "1.5000", "49990.00", "2.0000"],
      },
    });
    expect([...topics]).toEqual(["catalogue", "book:1"]);
    expect(readsIdentity).toBe(false);
  });

  test("can be grouped and cut", () => {
    const book = (args: object) =>
      visitor().value<Book>("markets:book", { market: "BTC-USD", ...args });
    expect(book({ grouping: "10" })).toMatchObject({
      asks: ["50000.00", "0.2000", "50010.00", "3.0000"],
      bids: ["49990.00", "3.5000"],
    });
    expect(book({ levels: 1 })).toMatchObject({
      asks: ["50000.00", "0.2000"],
      bids: ["49999.99", "1.5000"],
    });
  });

  test.each([
    [{ grouping: "0.05" }, "grouping", /power of ten times 0.01/],
    [{ grouping: "0.001" }, "grouping", /multiple of 0.01/],
    [{ grouping: "1000" }, "grouping", /up to the fourth/],
    [{ grouping: "1.0" }, "grouping", /must be written 1\./],
    [{ grouping: "010" }, "grouping", /must be written 10\./],
    [{ grouping: "0" }, "grouping", /more than 0/],
    [{ grouping: "1e1" }, "grouping", /is not a number/],
    [{ levels: 0 }, "levels", /at least 1/],
    [{ levels: 101 }, "levels", /at most 100/],
    [{ levels: 2.5 }, "levels", /whole number/],
    [{ levels: "5" }, "levels", /a number/],
    [{ market: "NOPE-USD" }, "market", /no market "NOPE-USD"/],
    [{ market: "" }, "market", /must not be empty/],
    [{ market: 7 }, "market", /must be a text/],
    [{ market: "X".repeat(10_000) }, "market", /too long/],
    [{ depth: 5 }, "depth", /not an argument/],
  ])("refuses %j", (args, field, message) => {
    const { result } = visitor().query("markets:book", { market: "BTC-USD", ...args });
    expect(refusal(result)).toMatchObject({ field, message: expect.stringMatching(message) });
  });
});

test("trades are public and name no one", () => {
  const trades = visitor().value<PublicTrade[]>("markets:trades", { market: "BTC-USD" });
  expect(trades).toEqual([
    {
      tradeId: 1,
      price: "50000.00",
      quantity: "0.3000",
      takerSide: "buy",
      time: expect.any(Number),
    },
  ]);
  expect(visitor().value("markets:trades", { market: "ETH-USD" })).toEqual([]);
});

test("candles are numbers in whole coins, the same live and from the action", async () => {
  const latest = visitor().value<Candle[]>("markets:latestCandles", {
    market: "BTC-USD",
    interval: "1h",
  });
  expect(latest).toMatchObject([
    { open: 50_000, high: 50_000, low: 50_000, close: 50_000, volume: 0.3 },
  ]);
  const asked = { market: "BTC-USD", interval: "1h" };
  expect(await visitor().answer("markets:candles", asked)).toEqual(latest);
  const [{ openTime }] = latest;
  expect(await visitor().answer("markets:candles", { ...asked, before: openTime })).toEqual([]);
  expect(refusal(await visitor().act("markets:candles", { ...asked, limit: 5_000 }))).toMatchObject(
    {
      field: "limit",
    },
  );
  expect(refusal(await visitor().act("markets:candles", { ...asked, interval: "7m" }))).toEqual({
    code: "invalidArgument",
    field: "interval",
    message: expect.stringMatching(/^interval must be one of 1s, 1m, /),
  });
});

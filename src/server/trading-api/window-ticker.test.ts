/** Volumes, counts and numbers of trades in candles and tickers, compared with the trades themselves. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatDecimal, parseDecimal } from "#contract/decimal.ts";
import { CandlePages } from "../functions/candle-pages.ts";
import { Candles } from "../views/candles.ts";
import { candleWith, naiveCandle, traded } from "#test/support/trades.ts";
import { openTradingApiScene, type TradingApiScene } from "#test/support/trading-api-scene.ts";
import { candleSince } from "./candles.ts";

let scene: TradingApiScene;
beforeAll(async () => {
  scene = await openTradingApiScene();
  const maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000 });
  const taker = await scene.participant("taker", { USD: 100_000_000, BTC: 1_000 });
  const market = "BTC-USD";
  await maker({ market, side: "sell", price: "64001.00", quantity: "0.5" });
  await maker({ market, side: "sell", price: "64002.50", quantity: "1" });
  await maker({ market, side: "buy", price: "63000.00", quantity: "2" });
  await taker({ market, side: "buy", price: "64002.50", quantity: "1.2" });
  await taker({ market, side: "sell", price: "63000.00", quantity: "0.25" });
});
afterAll(() => scene.close());

async function ask(path: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${scene.url}/api/v3/${path}`)).json()) as Record<string, unknown>;
}

/** The totals of the market's trades. */
async function sums() {
  const trades = (await scene.services.history.read.trades({ marketId: marketId(), limit: 100 }))
    .items;
  const { views } = scene.services;
  const { tickLotUnits } = views.catalogue.market(marketId()).definition;
  const quote = (of: typeof trades) =>
    of.reduce((sum, { priceTicks, quantityLots }) => sum + priceTicks * quantityLots, 0);
  const buys = trades.filter(({ takerSide }) => takerSide === "buy");
  return {
    count: trades.length,
    quoteVolume: formatDecimal(BigInt(quote(trades) * tickLotUnits), 6),
    takerBuyQuote: formatDecimal(BigInt(quote(buys) * tickLotUnits), 6),
  };
}
const marketId = () => scene.services.views.catalogue.marketBySymbol("BTC-USD")?.marketId ?? 0;

test("a candle has its quote volume, its trades and what takers bought", async () => {
  await scene.services.history.whenFresh();
  const { count, quoteVolume, takerBuyQuote } = await sums();
  expect([count, quoteVolume, takerBuyQuote]).toEqual([3, "92552.250000", "76802.250000"]);
  for (const path of ["klines", "uiKlines"]) {
    const [candle] = (await ask(`${path}?symbol=BTCUSD&interval=1w`)) as unknown as unknown[][];
    expect(candle.slice(1, 6)).toEqual(["64001.00", "64002.50", "63000.00", "63000.00", "1.4500"]);
    expect(candle.slice(7)).toEqual([quoteVolume, count, "1.2000", takerBuyQuote, "0"]);
  }
  const elsewhere = await ask("klines?symbol=BTCUSD&interval=1d&timeZone=8");
  expect(elsewhere).toMatchObject({ code: -1130 });
});

test("tickers of a day, of a chosen window and since midnight agree with the trades", async () => {
  const { count, quoteVolume } = await sums();
  const expected = {
    symbol: "BTCUSD",
    openPrice: "64001.00",
    highPrice: "64002.50",
    lowPrice: "63000.00",
    lastPrice: "63000.00",
    quoteVolume,
    firstId: 1,
    lastId: count,
    count,
    priceChange: "-1001.00",
    priceChangePercent: "-1.56",
    weightedAvgPrice: "63829.14",
  };
  const paths = ["ticker/24hr", "ticker", "ticker/tradingDay"].map((path) => `${path}?`);
  for (const path of [...paths, "ticker?windowSize=3h&", "ticker?windowSize=7d&"]) {
    const ticker = await ask(`${path}symbol=BTCUSD`);
    expect(ticker, path).toMatchObject(expected);
    expect(parseDecimal(String(ticker.volume), 8), path).toBe(145_000_000n);
    const mini = await ask(`${path}symbol=BTCUSD&type=MINI`);
    expect(Object.keys(ticker), path).toEqual(expect.arrayContaining(Object.keys(mini)));
    expect(mini, path).not.toHaveProperty("priceChange");
  }
  const several = `ticker?symbols=${encodeURIComponent('["BTCUSD","ETHUSD"]')}`;
  expect(await ask(several)).toMatchObject([
    { symbol: "BTCUSD", count },
    { symbol: "ETHUSD", openPrice: "0", volume: "0.0000", count: 0, firstId: -1, lastId: -1 },
  ]);
});

test.each([
  ["ticker", -1102],
  ["ticker?symbol=BTCUSD&windowSize=60m", -1100],
  ["ticker?symbol=BTCUSD&windowSize=8d", -1100],
  ["ticker?symbol=BTCUSD&windowSize=0h", -1100],
  ["ticker/tradingDay?symbol=BTCUSD&timeZone=1", -1130],
])("%s is refused with %i", async (path, code) => {
  expect(await ask(path)).toMatchObject({ code });
});

test("a window of any length is the sum of its trades", async () => {
  const START = Date.UTC(2026, 0, 5);
  const MINUTE = 60_000;
  const trades = Array.from({ length: 400 }, (_, index) =>
    traded({
      timestampMs: START + index * 7 * MINUTE + (index % 3) * 20_000,
      priceTicks: 50 + ((index * 13) % 31),
      quantityLots: 1 + (index % 5),
      takerSide: index % 2 === 0 ? "buy" : "sell",
    }),
  );
  const candles = new Candles();
  for (const trade of trades) candles.foldTraded(trade);
  const none = { read: { candles: () => Promise.resolve([]) } };
  const views = { candles } as unknown as TradingApiScene["services"]["views"];
  const candlePages = new CandlePages(views, none);
  const market = { marketId: 1 } as Parameters<typeof candleSince>[1];
  for (const minutes of [0, 1, 59, 60, 61, 777, 1_440, 2_799]) {
    const since = START + minutes * MINUTE;
    const within = trades.filter(({ timestampMs }) => timestampMs >= since);
    const sum = await candleSince({ candlePages }, market, since);
    const { openTime } = sum ?? candleWith({ ...naiveCandle(0, within) });
    expect(sum, `${minutes}`).toEqual(
      within.length === 0 ? undefined : naiveCandle(openTime, within),
    );
  }
});

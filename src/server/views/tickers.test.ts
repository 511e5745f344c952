import { expect, test } from "vitest";
import { traded } from "#test/support/trades.ts";
import { Tickers } from "./tickers.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2024, 5, 1);

function tickersWith(trades: readonly (readonly [atMs: number, ticks: number, lots: number])[]) {
  const tickers = new Tickers();
  for (const [atMs, priceTicks, quantityLots] of trades) {
    tickers.foldTraded(traded({ timestampMs: START + atMs, priceTicks, quantityLots }));
  }
  return tickers;
}

test("a market without a trade has no ticker", () => {
  expect(new Tickers().ticker(1, START)).toBeUndefined();
  expect(new Tickers().sparkline(1, START)).toEqual([]);
});

test("the ticker opens with the first price, ends with the last and adds up the volume", () => {
  const tickers = tickersWith([
    [0, 100, 5],
    [HOUR, 120, 1],
    [2 * HOUR, 90, 2],
    [3 * HOUR, 95, 2],
  ]);
  expect(tickers.ticker(1, START + 3 * HOUR)).toEqual({
    lastTicks: 95,
    openTicks: 100,
    highTicks: 120,
    lowTicks: 90,
    baseVolume: 10n,
    quoteVolume: 990n,
    lastTradeId: expect.any(Number) as number,
    tradeIdBefore: 0,
  });
});

test("a trade leaves the window a day after its minute; its price is where the day began", () => {
  const tickers = tickersWith([
    [0, 200, 5],
    [HOUR, 100, 1],
    [2 * HOUR, 110, 2],
  ]);
  expect(tickers.ticker(1, START + 24 * HOUR - 1)?.baseVolume).toBe(8n);
  expect(tickers.ticker(1, START + 24 * HOUR)).toMatchObject({ baseVolume: 3n, openTicks: 200 });
  const later = tickers.ticker(1, START + 25 * HOUR);
  expect(later).toMatchObject({
    baseVolume: 2n,
    quoteVolume: 220n,
    openTicks: 100,
    highTicks: 110,
  });
});

test("after a day without trades the price has stood still", () => {
  const tickers = tickersWith([[0, 100, 5]]);
  const still = tickers.ticker(1, START + 72 * HOUR);
  expect(still?.tradeIdBefore).toBe(still?.lastTradeId);
  expect(still).toMatchObject({
    lastTicks: 100,
    openTicks: 100,
    highTicks: 100,
    lowTicks: 100,
    baseVolume: 0n,
    quoteVolume: 0n,
  });
  tickers.foldTraded(traded({ timestampMs: START + 72 * HOUR, priceTicks: 90, quantityLots: 1 }));
  expect(tickers.ticker(1, START + 72 * HOUR)).toMatchObject({ openTicks: 100, lowTicks: 90 });
});

test("the window equals a naive sum over all trades at every moment", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  const trades: [number, number, number][] = [];
  let time = 0;
  for (let index = 0; index < 2_000; index += 1) {
    time += random(5 * MINUTE);
    trades.push([time, 50 + random(100), 1 + random(10)]);
  }
  const tickers = new Tickers();
  const ids: number[] = [];
  for (const [index, [atMs, ticks, lots]] of trades.entries()) {
    const trade = traded({ timestampMs: START + atMs, priceTicks: ticks, quantityLots: lots });
    ids.push(trade.tradeId);
    tickers.foldTraded(trade);
    if (index % 10 !== 0) continue;
    const firstMinute = Math.floor(atMs / MINUTE) - 1_439;
    const inside = trades
      .slice(0, index + 1)
      .filter(([t]) => Math.floor(t / MINUTE) >= firstMinute);
    const before = trades.findLast(([t]) => Math.floor(t / MINUTE) < firstMinute);
    const prices = [...inside.map(([, price]) => price), ...(before ? [before[1]] : [])];
    expect(tickers.ticker(1, START + atMs)).toEqual({
      lastTicks: ticks,
      openTicks: before ? before[1] : inside[0][1],
      highTicks: Math.max(...prices),
      lowTicks: Math.min(...prices),
      baseVolume: BigInt(inside.reduce((sum, [, , quantity]) => sum + quantity, 0)),
      quoteVolume: BigInt(inside.reduce((sum, [, price, quantity]) => sum + price * quantity, 0)),
      lastTradeId: ids[index],
      tradeIdBefore: before === undefined ? 0 : ids[index - inside.length],
    });
  }
});

test("the sparkline has a price per half hour, carried over where nothing traded", () => {
  const tickers = tickersWith([
    [0, 100, 1],
    [6 * HOUR, 150, 1],
  ]);
  const points = tickers.sparkline(1, START + 12 * HOUR);
  expect(points.at(-1)).toBe(150);
  expect(points[0]).toBe(100);
  expect(points.filter((ticks) => ticks === 150)).toHaveLength(13);
  expect(tickers.sparkline(1, START + 48 * HOUR)).toEqual(Array(48).fill(150));
});

test("a window has what traded in its minutes, and numbers its trades from the one before", () => {
  const tickers = tickersWith([
    [0, 100, 5],
    [HOUR, 120, 1],
    [HOUR + MINUTE, 90, 2],
    [2 * HOUR - 1, 95, 2],
  ]);
  const { lastTradeId = 0 } = tickers.ticker(1, START + 2 * HOUR - 1) ?? {};
  const hour = tickers.window(1, START + 2 * HOUR - 1, 60);
  expect(hour).toEqual({
    openTicks: 120,
    highTicks: 120,
    lowTicks: 90,
    closeTicks: 95,
    baseVolume: 5n,
    quoteVolume: 490n,
    lastTradeId,
    tradeIdBefore: lastTradeId - 3,
  });
  // A minute later the window no longer contains its first trade.
  expect(tickers.window(1, START + 2 * HOUR, 60)).toMatchObject({
    openTicks: 90,
    baseVolume: 4n,
    tradeIdBefore: lastTradeId - 2,
  });
  expect(tickers.window(1, START + 3 * HOUR, 60)).toBeUndefined();
  expect(tickers.window(1, START + 3 * HOUR, 1_440)).toMatchObject({ openTicks: 100 });
  expect(tickers.window(2, START, 60)).toBeUndefined();
});

test("of a window's earlier minutes the sums are made once a minute, however often it is read", () => {
  const tickers = tickersWith(
    Array.from({ length: 600 }, (_, minute) => [minute * MINUTE, 100 + minute, 1] as const),
  );
  let reads = 0;
  const counted = tickers.state().map((ticker) => ({
    ...ticker,
    base: new Proxy(ticker.base, {
      get(volumes, key) {
        reads += 1;
        return Reflect.get(volumes, key) as unknown;
      },
    }),
  }));
  tickers.restore(counted);
  const atMs = START + 599 * MINUTE;
  const first = tickers.window(1, atMs, 1_440);
  expect(reads).toBeGreaterThanOrEqual(600);
  reads = 0;
  tickers.foldTraded(traded({ timestampMs: atMs + 1, priceTicks: 900, quantityLots: 3 }));
  const next = tickers.window(1, atMs + 1, 1_440);
  expect(reads).toBeLessThan(10);
  expect(next).toMatchObject({ openTicks: 100, highTicks: 900, lowTicks: 100, closeTicks: 900 });
  expect(next?.baseVolume).toBe((first?.baseVolume ?? 0n) + 3n);
});

test("a trade that is stamped in an earlier minute is in the window as well", () => {
  const tickers = tickersWith([[0, 100, 5]]);
  expect(tickers.window(1, START + MINUTE, 60)).toMatchObject({ baseVolume: 5n });
  tickers.foldTraded(traded({ timestampMs: START + 1, priceTicks: 90, quantityLots: 2 }));
  expect(tickers.window(1, START + MINUTE, 60)).toMatchObject({ baseVolume: 7n, lowTicks: 90 });
});

import { expect, test } from "vitest";
import type { CandleRecord } from "../records/candles.ts";
import type { MarketView } from "../views/catalogue.ts";
import type { Views } from "../views/views.ts";
import { candleWith } from "#test/support/trades.ts";
import { CandlePages } from "./candle-pages.ts";

const MINUTE_MS = 60_000;
const NOW_MS = 100 * MINUTE_MS;

function candle(openTime: number, closeTicks = 5): CandleRecord {
  const prices = { openTicks: 5, highTicks: 9, lowTicks: 1, closeTicks };
  return candleWith({ openTime, ...prices, volumeLots: 1 });
}

/** A market whose newest candles are in memory and all older ones in the history. */
function scene() {
  const market = {
    marketId: 1,
    tickSize: "1",
    priceDecimals: 0,
    tickStep: 1,
    base: { scale: 0 },
    definition: { lotUnits: 1 },
  } as unknown as MarketView;
  let recent = [candle(98 * MINUTE_MS), candle(99 * MINUTE_MS)];
  const views = {
    candles: {
      isComplete: () => false,
      read: (_market: number, _interval: string, before: number, limit: number) =>
        recent.filter(({ openTime }) => openTime < before).slice(-limit),
    },
  } as unknown as Views;
  const asked: { before: number; answer: (rows: CandleRecord[]) => void; fail: () => void }[] = [];
  const history = {
    read: {
      candles: ({ before }: { before: number }) =>
        new Promise<CandleRecord[]>((answer, reject) =>
          asked.push({ before, answer, fail: () => reject(new Error("no database")) }),
        ),
    },
  };
  let nowMs = NOW_MS;
  const pages = new CandlePages(views, history, () => nowMs);
  return {
    asked,
    trade: (closeTicks: number) => {
      recent = [recent[0], candle(99 * MINUTE_MS, closeTicks)];
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
    read: (until: number, limit = 10) => pages.read({ market, interval: "1m", until, limit }),
  };
}

test("equal questions are read once, also while the first is under way", async () => {
  const { asked, read } = scene();
  const pages = Array.from({ length: 200 }, () => read(50 * MINUTE_MS));
  expect(asked).toHaveLength(1);
  asked[0].answer([candle(49 * MINUTE_MS)]);
  const [first, ...others] = await Promise.all(pages);
  expect(others.every((page) => page === first)).toBe(true);
  expect(first.value).toEqual([
    { openTime: 49 * MINUTE_MS, open: 5, high: 9, low: 1, close: 5, volume: 1 },
  ]);
  expect(await read(50 * MINUTE_MS)).toBe(first);
  expect(asked).toHaveLength(1);
});

test("a page with the newest candle is made again once that candle changed", async () => {
  const { read, trade } = scene();
  const before = await read(Number.POSITIVE_INFINITY, 1);
  expect(await read(NOW_MS + 5, 1)).toBe(before);
  trade(7);
  expect((await read(Number.POSITIVE_INFINITY, 1)).value).toMatchObject([{ close: 7 }]);
});

test("a page that ends before the newest candle stays when that one changes", async () => {
  const { read, trade } = scene();
  const before = await read(99 * MINUTE_MS, 1);
  trade(7);
  expect(await read(99 * MINUTE_MS, 1)).toBe(before);
});

test("a page is read again after a while, because the history may have caught up", async () => {
  const { asked, read, pass } = scene();
  void read(50 * MINUTE_MS);
  pass(5_001);
  void read(50 * MINUTE_MS);
  expect(asked).toHaveLength(2);
});

test("a failed reading is not kept", async () => {
  const { asked, read } = scene();
  const failed = read(50 * MINUTE_MS);
  asked[0].fail();
  await expect(failed).rejects.toThrow("no database");
  const again = read(50 * MINUTE_MS);
  asked[1].answer([]);
  expect((await again).value).toEqual([]);
});

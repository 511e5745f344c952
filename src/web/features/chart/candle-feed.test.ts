import { beforeEach, expect, test } from "vitest";
import type { Candle } from "#contract/types.ts";
import type { DataLoadType, KLineData } from "klinecharts";
import { createCandleFeed, type FeedStatus } from "./candle-feed.ts";

const SYMBOL = { ticker: "BTC-USD", pricePrecision: 2, volumePrecision: 4 };
const PERIOD = { type: "minute", span: 1 } as const;

function candle(openTime: number, close = openTime): Candle {
  return { openTime, open: 1, high: 2, low: 0, close, volume: 3 };
}

let statuses: FeedStatus[];
let gaps: number;
let asked: (number | undefined)[];
let answer: (before: number | undefined) => Promise<Candle[]>;

beforeEach(() => {
  statuses = [];
  gaps = 0;
  asked = [];
  answer = () => Promise.resolve([candle(1), candle(2)]);
});

function feedOf() {
  const feed = createCandleFeed({
    fetchPage: (before) => {
      asked.push(before);
      return answer(before);
    },
    onStatus: (status) => statuses.push(status),
    onGap: () => (gaps += 1),
  });
  const bars: KLineData[][] = [];
  const drawn: KLineData[] = [];
  return {
    feed,
    bars,
    drawn,
    ask: async (type: DataLoadType, timestamp: number | null = null) => {
      void feed.loader.getBars({
        type,
        timestamp,
        symbol: SYMBOL,
        period: PERIOD,
        callback: (data) => {
          bars.push(data);
          if (type === "init") {
            feed.loader.subscribeBar?.({
              symbol: SYMBOL,
              period: PERIOD,
              callback: (bar) => drawn.push(bar),
            });
          }
        },
      });
      await new Promise((done) => setTimeout(done));
    },
  };
}

test("the newest page comes first and older ones on demand", async () => {
  const { ask, bars } = feedOf();
  await ask("init");
  await ask("forward", 1);
  expect(asked).toEqual([undefined, 1]);
  expect(bars[0]?.map((bar) => bar.timestamp)).toEqual([1, 2]);
  expect(statuses).toEqual(["loading", "ready"]);
});

test("live candles replace the newest and extend it", async () => {
  const { ask, feed, drawn } = feedOf();
  await ask("init");
  feed.push([candle(1), candle(2, 20)]);
  feed.push([candle(2, 21), candle(3, 30)]);
  expect(drawn.map((bar) => [bar.timestamp, bar.close])).toEqual([
    [2, 20],
    [2, 21],
    [3, 30],
  ]);
  expect(gaps).toBe(0);
});

test("a live candle that arrives before the history waits for it", async () => {
  const { ask, feed, drawn } = feedOf();
  feed.push([candle(1), candle(2, 20)]);
  expect(drawn).toEqual([]);
  await ask("init");
  expect(drawn.map((bar) => bar.close)).toEqual([20]);
});

test("a gap between history and live candles loads everything again", async () => {
  const { ask, feed, drawn } = feedOf();
  await ask("init");
  feed.push([candle(7), candle(8)]);
  expect([gaps, drawn.length]).toEqual([1, 0]);
});

test("an answer for a market that was left is dropped", async () => {
  const { ask, feed, bars } = feedOf();
  let finish: (page: Candle[]) => void = () => undefined;
  answer = () => new Promise((done) => (finish = done));
  await ask("init");
  feed.loader.unsubscribeBar?.({ symbol: SYMBOL, period: PERIOD });
  finish([candle(1)]);
  await new Promise((done) => setTimeout(done));
  expect(bars).toEqual([]);
});

test("a market without candles says so until the first one comes", async () => {
  answer = () => Promise.resolve([]);
  const { ask, feed } = feedOf();
  await ask("init");
  feed.push([candle(5)]);
  expect(statuses).toEqual(["loading", "empty", "ready"]);
});

test("a failed first page is told, a failed older one is not", async () => {
  const { ask, bars } = feedOf();
  await ask("init");
  answer = () => Promise.reject(new Error("offline"));
  await ask("forward", 1);
  expect(bars[1]).toEqual([]);
  expect(statuses).toEqual(["loading", "ready"]);
  await ask("init");
  expect(statuses.at(-1)).toBe("failed");
});

import { describe, expect, test } from "vitest";
import { candleOpenTime } from "#contract/candle-intervals.ts";
import { CANDLE_INTERVALS } from "#contract/types.ts";
import { naiveCandle, traded } from "#test/support/trades.ts";
import { QUOTE_PART } from "../records/candles.ts";
import { CANDLES_KEPT, Candles } from "./candles.ts";
import type { MarketView } from "./catalogue.ts";

const START = Date.UTC(2024, 1, 26);
const ALL = Number.POSITIVE_INFINITY;

function columns(
  minutes: readonly (readonly [
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ])[],
) {
  const column = (index: number) => Float64Array.from(minutes, (minute) => minute[index]);
  return {
    openTime: Float64Array.from(minutes, (_, index) => START + index * 60_000),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: column(4),
  };
}

test("trades of one minute make one candle; a minute without trades makes none", () => {
  const candles = new Candles();
  for (const [atMs, priceTicks, quantityLots] of [
    [1_000, 10, 1],
    [2_000, 14, 2],
    [3_000, 8, 3],
    [59_999, 9, 4],
    [180_000, 11, 5],
  ]) {
    candles.foldTraded(traded({ timestampMs: START + atMs, priceTicks, quantityLots }));
  }
  const minutes = candles.read(1, "1m", ALL, 10);
  expect(minutes).toMatchObject([
    { openTime: START, openTicks: 10, highTicks: 14, lowTicks: 8, closeTicks: 9, volumeLots: 10 },
    { openTime: START + 180_000, openTicks: 11, closeTicks: 11, volumeLots: 5 },
  ]);
  expect(minutes[0]).toMatchObject({ tradeCount: 4, quoteHigh: 0, quoteLow: 98, takerBuyLots: 10 });
  expect(candles.read(1, "1s", ALL, 10)).toHaveLength(5);
  expect(candles.read(1, "1h", ALL, 10)).toHaveLength(1);
  expect(candles.read(1, "1w", ALL, 10)[0]).toMatchObject({ openTime: START, volumeLots: 15 });
});

test("all intervals equal a naive grouping of the same trades", () => {
  const trades = Array.from({ length: 3_000 }, (_, index) =>
    traded({
      timestampMs: START + index * 997_001,
      // Some trades exceed a part of the quote volume.
      priceTicks: (100 + ((index * 7_919) % 61)) * (index % 4 === 0 ? 2 ** 30 : 1),
      quantityLots: (1 + (index % 9)) * (index % 4 === 0 ? 2 ** 12 : 1),
      takerSide: index % 3 === 0 ? "sell" : "buy",
    }),
  );
  const candles = new Candles();
  for (const trade of trades) candles.foldTraded(trade);
  for (const interval of CANDLE_INTERVALS) {
    const groups = Map.groupBy(trades, ({ timestampMs }) => candleOpenTime(interval, timestampMs));
    const expected = [...groups].map(([openTime, group]) => naiveCandle(openTime, group));
    expect(candles.read(1, interval, ALL, 10_000)).toEqual(expected.slice(-CANDLES_KEPT));
    expect(candles.isComplete(1, interval)).toBe(expected.length <= CANDLES_KEPT);
  }
});

describe("reading", () => {
  const candles = new Candles();
  for (let minute = 0; minute < 2_000; minute += 1) {
    const timestampMs = START + minute * 60_000;
    candles.foldTraded(traded({ timestampMs, priceTicks: 1 + minute, quantityLots: 1 }));
  }

  test("`before` leaves out the candle that opened then, `limit` keeps the newest", () => {
    const read = candles.read(1, "1m", START + 1_000 * 60_000, 3);
    expect(read.map(({ openTicks }) => openTicks)).toEqual([998, 999, 1_000]);
  });

  test("the ring keeps the newest candles and knows that older ones are gone", () => {
    expect(candles.read(1, "1m", ALL, 10_000)).toHaveLength(CANDLES_KEPT);
    expect(candles.read(1, "1m", START + 400 * 60_000, 10)).toEqual([]);
    expect(candles.isComplete(1, "1m")).toBe(false);
    expect(candles.isComplete(1, "5m")).toBe(true);
  });

  test("the close before a moment is that of the candle then forming", () => {
    expect(candles.closeBefore(1, "1m", START + 1_000 * 60_000)).toBe(1_000);
    expect(candles.closeBefore(1, "1m", START)).toBe(0);
  });

  test("an unknown market has no candles", () => {
    expect(candles.read(9, "1m", ALL, 10)).toEqual([]);
    expect(candles.closeBefore(9, "1m", START)).toBe(0);
    expect(candles.isComplete(9, "1m")).toBe(true);
  });
});

test("the simulated minutes fill every interval but the seconds, and trades go on from there", () => {
  const candles = new Candles();
  candles.foldHistory(
    { marketId: 1, definition: { tickLotUnits: 10 } } as MarketView,
    columns([
      [10, 20, 5, 12, 100],
      [12, 13, 11, 13, 50],
    ]),
  );
  candles.foldTraded(traded({ timestampMs: START + 120_500, priceTicks: 30, quantityLots: 7 }));
  expect(candles.read(1, "1s", ALL, 10)).toHaveLength(1);
  expect(candles.read(1, "1m", ALL, 10)).toHaveLength(3);
  expect(candles.read(1, "5m", ALL, 10)).toEqual([
    {
      openTime: START,
      openTicks: 10,
      highTicks: 30,
      lowTicks: 5,
      closeTicks: 30,
      volumeLots: 157,
      // Simulated minutes at their closing price.
      quoteHigh: 0,
      quoteLow: 10 * (12 * 100 + 13 * 50) + 30 * 7,
      tradeCount: 1,
      takerBuyLots: 7,
      takerBuyQuoteHigh: 0,
      takerBuyQuoteLow: 30 * 7,
    },
  ]);
});

test("weeks of simulated minutes, from the middle of a quarter, add up in every interval", () => {
  const units = 10;
  const minutes = Array.from({ length: 20 * 1_440 }, (_, index) => {
    // Some volumes exceed a part of the quote volume.
    const scale = index % 5 === 0 ? 2 ** 25 : 1;
    const [open, close] = [100 + ((index * 7_919) % 61), 100 + ((index * 104_729) % 61)];
    const [low, high] = [Math.min(open, close) - 1, Math.max(open, close) + 2];
    return {
      openTime: START + (7 + index) * 60_000,
      open: open * scale,
      high: high * scale,
      low: low * scale,
      close: close * scale,
      volume: (1 + (index % 9)) * (index % 10 === 0 ? 2 ** 20 : 1),
    };
  });
  const column = (name: keyof (typeof minutes)[number]) =>
    Float64Array.from(minutes, (minute) => minute[name]);
  const candles = new Candles();
  candles.foldHistory({ marketId: 1, definition: { tickLotUnits: units } } as MarketView, {
    openTime: column("openTime"),
    open: column("open"),
    high: column("high"),
    low: column("low"),
    close: column("close"),
    volume: column("volume"),
  });
  for (const interval of CANDLE_INTERVALS.filter((each) => each !== "1s")) {
    const groups = Map.groupBy(minutes, ({ openTime }) => candleOpenTime(interval, openTime));
    const expected = [...groups].map(([openTime, group]) => {
      const quote = group.reduce(
        (sum, { volume, close }) => sum + BigInt(volume) * BigInt(close) * BigInt(units),
        0n,
      );
      return {
        openTime,
        openTicks: group[0].open,
        highTicks: Math.max(...group.map(({ high }) => high)),
        lowTicks: Math.min(...group.map(({ low }) => low)),
        closeTicks: group.at(-1)?.close,
        volumeLots: group.reduce((sum, { volume }) => sum + volume, 0),
        quoteHigh: Number(quote / BigInt(QUOTE_PART)),
        quoteLow: Number(quote % BigInt(QUOTE_PART)),
      };
    });
    expect(candles.read(1, interval, ALL, 10_000)).toMatchObject(expected.slice(-CANDLES_KEPT));
  }
});

test("restored candles continue where they were, also after some were dropped", () => {
  const candles = new Candles();
  const trade = (target: Candles, second: number) =>
    target.foldTraded(
      traded({
        timestampMs: START + second * 1_000,
        priceTicks: 5 + (second % 7),
        quantityLots: 1,
      }),
    );
  for (let second = 0; second < CANDLES_KEPT + 40; second++) trade(candles, second);
  const restored = new Candles();
  restored.restore(structuredClone(candles.state()));
  expect(restored.isComplete(1, "1s")).toBe(false);
  for (let second = CANDLES_KEPT + 40; second < CANDLES_KEPT + 80; second++) {
    trade(candles, second);
    trade(restored, second);
  }
  for (const interval of CANDLE_INTERVALS) {
    expect(restored.read(1, interval, ALL, CANDLES_KEPT)).toEqual(
      candles.read(1, interval, ALL, CANDLES_KEPT),
    );
    expect(restored.isComplete(1, interval)).toBe(candles.isComplete(1, interval));
  }
});

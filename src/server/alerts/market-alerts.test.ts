import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MarketAlerts } from "./market-alerts.ts";
import type { PriceAlert } from "../records/price-alerts.ts";
import type { MinuteCandle } from "./price-window.ts";

const MINUTE_MS = 60_000;
const START_MS = 1_000 * MINUTE_MS;

function alertOf(given: Partial<PriceAlert>): PriceAlert {
  return {
    id: "alert",
    userId: "ada",
    marketId: 1,
    priceTicks: 0,
    changeBps: 0,
    windowMinutes: 0,
    repeats: false,
    createdAtMs: 0,
    status: "active",
    direction: "rise",
    quietUntilMs: 0,
    firedAtMs: 0,
    ...given,
  };
}

/** A market that trades, with the minute prices for alerts on changes. */
function marketScene() {
  const candles: (MinuteCandle & { highTicks: number; lowTicks: number; close: number })[] = [];
  const market = new MarketAlerts({
    read: (before, limit) => candles.filter(({ openTime }) => openTime < before).slice(-limit),
    closeBefore: (timeMs) => candles.findLast(({ openTime }) => openTime < timeMs)?.close ?? 0,
  });
  const armed: string[] = [];
  return {
    market,
    armed,
    /** Ids of the alerts that a trade reached, with the values that they report. */
    trade: (ticks: number, timeMs = START_MS): string[] => {
      const openTime = timeMs - (timeMs % MINUTE_MS);
      const candle = candles.at(-1);
      if (candle?.openTime === openTime) {
        candle.highTicks = Math.max(candle.highTicks, ticks);
        candle.lowTicks = Math.min(candle.lowTicks, ticks);
        candle.close = ticks;
      } else {
        candles.push({ openTime, highTicks: ticks, lowTicks: ticks, close: ticks });
      }
      return market
        .onTrade(ticks, timeMs, (alert) => armed.push(alert.id))
        .map(({ alert, direction, fromTicks }) =>
          [alert.id, direction, ...(fromTicks === 0 ? [] : [fromTicks])].join(" "),
        );
    },
  };
}

describe("an alert on a price", () => {
  test("fires once when the price rises to it, or falls to it", () => {
    const { market, trade } = marketScene();
    const above = alertOf({ id: "above", priceTicks: 110, direction: "rise" });
    const below = alertOf({ id: "below", priceTicks: 90, direction: "fall" });
    market.add(above);
    market.add(below);
    expect(trade(109)).toEqual([]);
    expect(trade(110)).toEqual(["above rise"]);
    expect(trade(91)).toEqual([]);
    expect(trade(85)).toEqual(["below fall"]);
    expect(trade(120)).toEqual([]);
    expect([above.status, below.status]).toEqual(["fired", "fired"]);
  });

  test("that repeats rests a minute and then waits from the side on which the price is", () => {
    const { armed, market, trade } = marketScene();
    const alert = alertOf({ priceTicks: 100, repeats: true });
    market.add(alert);
    expect(trade(100, START_MS)).toEqual(["alert rise"]);
    expect(trade(90, START_MS + 1)).toEqual([]);
    expect(trade(105, START_MS + 2)).toEqual([]);
    expect(armed).toEqual([]);
    expect(trade(104, START_MS + MINUTE_MS)).toEqual([]);
    expect(armed).toEqual(["alert"]);
    expect(trade(100, START_MS + MINUTE_MS + 1)).toEqual(["alert fall"]);
    expect(alert.status).toBe("active");
  });

  test("that repeats waits until the price has left its own", () => {
    const { market, trade } = marketScene();
    market.add(alertOf({ priceTicks: 100, repeats: true }));
    expect(trade(100)).toEqual(["alert rise"]);
    expect(trade(100, START_MS + 2 * MINUTE_MS)).toEqual([]);
    expect(trade(100, START_MS + 2 * MINUTE_MS)).toEqual([]);
    expect(trade(103, START_MS + 3 * MINUTE_MS)).toEqual([]);
    expect(trade(101, START_MS + 3 * MINUTE_MS)).toEqual([]);
    expect(trade(99, START_MS + 3 * MINUTE_MS)).toEqual(["alert fall"]);
  });

  test("that repeats waits again also among very many at one price", () => {
    const { armed, market, trade } = marketScene();
    const count = 150_000;
    for (let index = 0; index < count; index++) {
      const id = String(count - index).padStart(6, "0");
      market.add(alertOf({ id, priceTicks: 100, repeats: true }));
    }
    expect(trade(100)).toHaveLength(count);
    expect(trade(100, START_MS + 2 * MINUTE_MS)).toEqual([]);
    expect(trade(101, START_MS + 2 * MINUTE_MS)).toEqual([]);
    expect(trade(101, START_MS + 2 * MINUTE_MS)).toEqual([]);
    expect(armed).toHaveLength(count);
  });

  test("removed while it rests or waits never fires", () => {
    const { market, trade } = marketScene();
    const waiting = alertOf({ id: "waiting", priceTicks: 101 });
    const resting = alertOf({ id: "resting", priceTicks: 100, repeats: true });
    market.add(waiting);
    market.add(resting);
    expect(trade(100)).toEqual(["resting rise"]);
    market.remove(waiting);
    market.remove(resting);
    expect(trade(50, START_MS + 5 * MINUTE_MS)).toEqual([]);
    expect(trade(150, START_MS + 6 * MINUTE_MS)).toEqual([]);
  });
});

describe("an alert on a change", () => {
  test("compares with the lowest and highest price of its window, to the basis point", () => {
    const { market, trade } = marketScene();
    trade(10_000);
    market.add(alertOf({ changeBps: 250, windowMinutes: 5 }));
    market.add(alertOf({ id: "later", changeBps: 251, windowMinutes: 5 }));
    expect(trade(10_249, START_MS + MINUTE_MS)).toEqual([]);
    expect(trade(10_250, START_MS + MINUTE_MS)).toEqual(["alert rise 10000"]);
    expect(trade(9_992, START_MS + MINUTE_MS)).toEqual(["later fall 10250"]);
  });

  test("forgets what is older than its window, but knows the price at its beginning", () => {
    const { market, trade } = marketScene();
    trade(5_000);
    trade(10_000, START_MS + MINUTE_MS);
    market.add(alertOf({ changeBps: 1_000, windowMinutes: 5 }));
    expect(trade(10_900, START_MS + 6 * MINUTE_MS)).toEqual([]);
    expect(trade(11_100, START_MS + 30 * MINUTE_MS)).toEqual([]);
    expect(trade(12_300, START_MS + 90 * MINUTE_MS)).toEqual(["alert rise 11100"]);
  });

  test("added after trades of the same minute knows them", () => {
    const { market, trade } = marketScene();
    const first = alertOf({ id: "first", changeBps: 100, windowMinutes: 5 });
    trade(10_000);
    market.add(first);
    trade(10_001);
    market.remove(first);
    trade(9_000);
    market.add(alertOf({ id: "second", changeBps: 1_000, windowMinutes: 5 }));
    expect(trade(9_950)).toEqual(["second rise 9000"]);
  });
});

test("alerts fire exactly on the crossings that a plain comparison finds", () => {
  const ticks = fc.integer({ min: 1, max: 30 });
  fc.assert(
    fc.property(
      ticks,
      fc.array(ticks, { minLength: 1, maxLength: 30 }),
      fc.array(fc.record({ ticks, afterMs: fc.integer({ min: 0, max: 40_000 }) }), {
        maxLength: 60,
      }),
      (begin, targets, trades) => {
        const { market, trade } = marketScene();
        market.skip(begin);
        const waiting = new Map<string, { price: number; isRise: boolean }>();
        targets.forEach((price, index) => {
          if (price === begin) return;
          const isRise = begin < price;
          market.add(
            alertOf({ id: `${index}`, priceTicks: price, direction: isRise ? "rise" : "fall" }),
          );
          waiting.set(`${index}`, { price, isRise });
        });
        let timeMs = START_MS;
        for (const { ticks: price, afterMs } of trades) {
          timeMs += afterMs;
          const expected = [...waiting].filter(([, alert]) =>
            alert.isRise ? price >= alert.price : price <= alert.price,
          );
          for (const [id] of expected) waiting.delete(id);
          const fired = trade(price, timeMs).map((text) => text.split(" ")[0]);
          expect(fired.toSorted()).toEqual(expected.map(([id]) => id).toSorted());
        }
      },
    ),
  );
});

test("a trade reads only the alerts that it reaches, however many wait", () => {
  const { market, trade } = marketScene();
  let reads = 0;
  for (let count = 0; count < 10_000; count += 1) {
    const priceTicks = 1_000 + count;
    const alert = alertOf({ id: `${count}` });
    Object.defineProperty(alert, "priceTicks", {
      get: () => {
        reads += 1;
        return priceTicks;
      },
    });
    market.add(alert);
  }
  reads = 0;
  expect(trade(999)).toEqual([]);
  expect(reads).toBeLessThan(5);
  expect(trade(1_002)).toHaveLength(3);
  expect(reads).toBeLessThan(30);
});

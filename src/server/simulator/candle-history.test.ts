import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { SIMULATED_MARKETS } from "../catalogue/markets.ts";
import { HISTORY_DAYS, simulatedCandles } from "./candle-history.ts";

const START = Date.UTC(2026, 0, 15, 12, 34, 56);

function digest(seed: number, market: string): string {
  const hash = createHash("sha256");
  for (const column of Object.values(simulatedCandles(seed, market, START))) {
    hash.update(new Uint8Array((column as Float64Array).buffer));
  }
  return hash.digest("hex").slice(0, 16);
}

describe("the simulated history", () => {
  test("is the same for the same seed, whatever was asked for before", () => {
    const first = digest(7, "ETH-USD");
    digest(8, "BTC-USD");
    digest(7, "XLM-USD");
    expect(digest(7, "ETH-USD")).toBe(first);
  });

  test("differs by seed and by market", () => {
    const all = [digest(1, "BTC-USD"), digest(2, "BTC-USD"), digest(1, "ETH-USD")];
    expect(new Set(all).size).toBe(3);
  });

  test("is what it was when this record was made: it is the past of running exchanges", () => {
    expect(digest(1, "BTC-USD")).toBe("d731aa31e1f07c5c");
  });

  test("has every minute of its days, ending where live trading takes over", () => {
    const { openTime } = simulatedCandles(1, "SOL-USD", START);
    expect(openTime.length).toBe(HISTORY_DAYS * 1_440);
    expect(openTime.at(-1)).toBe(Date.UTC(2026, 0, 15, 12, 33));
    expect(
      openTime.every((time, index) => index === 0 || time - openTime[index - 1] === 60_000),
    ).toBe(true);
  });

  test.each(SIMULATED_MARKETS)(
    "of $symbol is whole: open and close within low and high",
    (market) => {
      const { open, high, low, close, volume } = simulatedCandles(1, market.symbol, START);
      for (let index = 0; index < open.length; index += 1) {
        if (low[index] > Math.min(open[index], close[index]))
          throw new Error(`low of minute ${index}`);
        if (high[index] < Math.max(open[index], close[index]))
          throw new Error(`high of minute ${index}`);
        if (low[index] < 1 || volume[index] < 1) throw new Error(`minute ${index} is empty`);
        if (index > 0 && open[index] !== close[index - 1])
          throw new Error(`gap before minute ${index}`);
      }
      expect(close.at(-1)).toBe(Math.round(market.referencePrice * 10 ** market.priceDecimals));
    },
  );

  test("of a market that is not simulated is empty", () => {
    expect(simulatedCandles(1, "ABC-USD", START).openTime.length).toBe(0);
  });
});

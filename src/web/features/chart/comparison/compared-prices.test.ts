import { expect, test } from "vitest";
import { comparedPrices } from "./compared-prices.ts";

const candles = (...closes: [timestamp: number, close: number][]) =>
  closes.map(([timestamp, close]) => ({ timestamp, close }));

test("both markets begin at the same height, and the other moves by its own percentages", () => {
  const own = candles([1, 100], [2, 110], [3, 120]);
  expect(comparedPrices(own, candles([1, 5], [2, 6], [3, 4]), 1)).toEqual(
    [
      { compared: 100, percent: 0 },
      { compared: 120, percent: 20 },
      { compared: 80, percent: -20 },
    ].map((each) =>
      expect.objectContaining({
        compared: expect.closeTo(each.compared),
        percent: expect.closeTo(each.percent),
      }),
    ),
  );
});

test("a candle that the other market lacks repeats its last price", () => {
  const own = candles([1, 100], [2, 100], [3, 100]);
  const prices = comparedPrices(own, candles([2, 5]), 1);
  expect(prices.map(({ compared }) => compared)).toEqual([undefined, 100, 100]);
});

test("without any price of the other market nothing is drawn", () => {
  expect(comparedPrices(candles([1, 100]), [], 1)).toEqual([{}]);
});

import { expect, test } from "vitest";
import { heikinAshiOf } from "./heikin-ashi-values.ts";

test("a candle is averaged and opens in the middle of the one before", () => {
  expect(
    heikinAshiOf([
      { open: 10, high: 14, low: 8, close: 12 },
      { open: 12, high: 20, low: 12, close: 16 },
    ]),
  ).toEqual([
    { open: 11, high: 14, low: 8, close: 11 },
    { open: 11, high: 20, low: 11, close: 15 },
  ]);
});

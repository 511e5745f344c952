import { expect, test } from "vitest";
import { gapBelowLegend } from "./legend-room.ts";

const PHONE = { width: 316, height: 465 };
const DESKTOP = { width: 756, height: 390 };
/** Open, high, low, close, change and volume; a title and three averages. */
const CANDLE = [11, 11, 11, 11, 7, 10];
const AVERAGES = [11, 14, 15, 15];

/** Pixels above the highest price with this gap. */
function pixelsAbove(gap: number, { height }: { readonly height: number }): number {
  return (height * gap) / (1 + gap + 0.1);
}

test.each([
  { name: "one line each on a desktop", size: DESKTOP, lines: 2 },
  { name: "two lines each on a phone", size: PHONE, lines: 4 },
])("the highest price and its label lie below the legend: $name", ({ size, lines }) => {
  const gap = gapBelowLegend([CANDLE, AVERAGES], size);
  expect(pixelsAbove(gap, size)).toBeGreaterThanOrEqual(lines * 15 + 12 + 20 - 0.5);
});

test("a legend of one line leaves the gap as it is", () => {
  expect(gapBelowLegend([CANDLE], { width: 1200, height: 600 })).toBe(0.2);
});

test("the gap stays a fraction, however little height there is", () => {
  expect(gapBelowLegend([CANDLE, AVERAGES, AVERAGES], { width: 200, height: 90 })).toBe(0.95);
});

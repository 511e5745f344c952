import { describe, expect, test } from "vitest";
import { type Gaps, gapsForLegends } from "./legend-room.ts";

const PHONE = { width: 316, height: 465 };
const LOW_PHONE = { width: 316, height: 250 };
const DESKTOP = { width: 756, height: 390 };
/** Open, high, low, close, change and volume; a title and three averages. */
const CANDLE = [11, 11, 11, 11, 7, 10];
const AVERAGES = [11, 14, 15, 15];

/** Pixels of the height that a gap takes. */
function pixelsOf(side: keyof Gaps, gaps: Gaps, { height }: { readonly height: number }): number {
  return (height * gaps[side]) / (1 + gaps.top + gaps.bottom);
}

test.each([
  { name: "one line each on a desktop", size: DESKTOP, lines: 2 },
  { name: "two lines each on a phone", size: PHONE, lines: 4 },
])("the highest price and its label lie below the legend: $name", ({ size, lines }) => {
  for (const hasTrades of [false, true]) {
    const gaps = gapsForLegends([CANDLE, AVERAGES], hasTrades, size);
    expect(pixelsOf("top", gaps, size)).toBeGreaterThanOrEqual(lines * 15 + 12 + 20 - 0.5);
  }
});

describe("the lowest price and its label", () => {
  test.each([DESKTOP, PHONE, LOW_PHONE])("lie above the legend of own trades: %o", (size) => {
    const gaps = gapsForLegends([CANDLE, AVERAGES], true, size);
    expect(pixelsOf("bottom", gaps, size)).toBeGreaterThanOrEqual(22 + 20 - 0.5);
  });

  test("need no room for it without own trades", () => {
    const gaps = gapsForLegends([CANDLE], false, PHONE);
    expect(pixelsOf("bottom", gaps, PHONE)).toBeCloseTo(0.075 * PHONE.height);
  });
});

test("a legend of one line leaves the gap as it is", () => {
  const size = { width: 1200, height: 600 };
  expect(pixelsOf("top", gapsForLegends([CANDLE], false, size), size)).toBeCloseTo(90);
});

test("candles keep a part of the height, however little there is", () => {
  const gaps = gapsForLegends([CANDLE, AVERAGES, AVERAGES], true, { width: 200, height: 90 });
  expect(1 / (1 + gaps.top + gaps.bottom)).toBeCloseTo(0.3);
});

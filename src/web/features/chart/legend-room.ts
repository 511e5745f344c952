/** Keeps the candles below the legend, which wraps to more lines on narrower charts. */
import type { Chart } from "klinecharts";
import { CANDLE_PANE } from "./indicators/show-indicators.ts";
import { FONT_PX } from "./chart-styles.ts";

const CHARACTER_PX = FONT_PX * 0.6;
const ENTRY_MARGINS_PX = 18;
const LEFT_PX = 10;
const OFFSETS_PX = 12;
const LINE_PX = FONT_PX + 4;
/** Room above the candles for the label of the highest price, which overlaps its candle's tip. */
const HIGH_LABEL_PX = FONT_PX + 9;
/** Bounds of the gap above the candles, as a fraction of the price range. */
const TOP_MIN = 0.2;
/** Below 1, since the library takes values from 1 on as pixels. */
const TOP_MAX = 0.95;
const BOTTOM = 0.1;

/** Lengths in characters of the entries in one part of the legend; each part starts on a new line. */
export type LegendEntries = readonly number[];

/**
 * Computes the gap that the legend needs.
 * @returns the gap above the highest price, as a fraction of the price range
 */
export function gapBelowLegend(
  legends: readonly LegendEntries[],
  { width, height }: { readonly width: number; readonly height: number },
): number {
  const lines = legends.reduce((total, entries) => total + linesOf(entries, width), 0);
  const share = Math.min((OFFSETS_PX + lines * LINE_PX + HIGH_LABEL_PX) / height, 0.9);
  const top = (share * (1 + BOTTOM)) / (1 - share);
  return Math.min(Math.max(top, TOP_MIN), TOP_MAX);
}

function linesOf(entries: LegendEntries, width: number): number {
  let lines = 1;
  let x = LEFT_PX;
  for (const characters of entries) {
    const entryPx = characters * CHARACTER_PX + ENTRY_MARGINS_PX;
    if (x + entryPx > width && x > LEFT_PX) {
      lines += 1;
      x = LEFT_PX;
    }
    x += entryPx;
  }
  return lines;
}

/**
 * Sets the gap above the candles. To be called when the chart's size, its indicators or the length of
 * its prices have changed.
 * @param price length of a price in characters
 */
export function makeRoomForLegend(chart: Chart, price: number): void {
  const size = chart.getSize(CANDLE_PANE, "main");
  if (size === null || size.height === 0) return;
  const [ohlc, change, volume] = [price + 2, "+00.00%".length, "Vol 000.00".length];
  const indicators = chart
    .getIndicators({ paneId: CANDLE_PANE })
    .map((indicator) => [
      `${indicator.shortName}(${indicator.calcParams.join()})`.length,
      ...indicator.figures.map(({ title = "" }) => title.length + price),
    ]);
  const top = gapBelowLegend([[ohlc, ohlc, ohlc, ohlc, change, volume], ...indicators], size);
  const [axis] = chart.getYAxes({ paneId: CANDLE_PANE });
  if (axis?.gap.top !== top) chart.overrideYAxis({ paneId: CANDLE_PANE, gap: { top } });
}

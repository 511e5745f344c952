/**
 * Keeps the candles below the legend, which wraps to more lines on narrower charts, and above the legend of the
 * viewer's trades.
 */
import type { Chart } from "klinecharts";
import { CANDLE_PANE } from "./panes.ts";
import { FONT_PX } from "./chart-styles.ts";

const CHARACTER_PX = FONT_PX * 0.6;
const ENTRY_MARGINS_PX = 18;
const LEFT_PX = 10;
const OFFSETS_PX = 12;
const LINE_PX = FONT_PX + 4;
/** Room beyond the candles for the label of the highest or lowest price, which overlaps its candle's tip. */
const EXTREME_LABEL_PX = FONT_PX + 9;
/** The height of the legend of the viewer's trades with its distance from the bottom of the candles. */
export const TRADES_LEGEND_PX = 22;
/** Least shares of the height above and below the candles. */
const TOP_SHARE_MIN = 0.15;
const BOTTOM_SHARE_MIN = 0.075;
/** Most of the height that both take together: some is left to the candles. */
const SHARES_MAX = 0.7;

/** Lengths in characters of the entries in one part of the legend; each part starts on a new line. */
export type LegendEntries = readonly number[];

export interface Gaps {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Computes the gaps that the legends need.
 * @param hasTrades whether the legend of the viewer's trades stands at the bottom
 * @returns the gaps beyond the highest and the lowest price, as fractions of the price range
 */
export function gapsForLegends(
  legends: readonly LegendEntries[],
  hasTrades: boolean,
  { width, height }: { readonly width: number; readonly height: number },
): Gaps {
  const lines = legends.reduce((total, entries) => total + linesOf(entries, width), 0);
  const topPx = OFFSETS_PX + lines * LINE_PX + EXTREME_LABEL_PX;
  const bottomPx = hasTrades ? EXTREME_LABEL_PX + TRADES_LEGEND_PX : 0;
  const topShare = Math.max(topPx / height, TOP_SHARE_MIN);
  const bottomShare = Math.max(bottomPx / height, BOTTOM_SHARE_MIN);
  const fit = Math.min(1, SHARES_MAX / (topShare + bottomShare));
  const candles = 1 - fit * (topShare + bottomShare);
  return { top: (fit * topShare) / candles, bottom: (fit * bottomShare) / candles };
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
 * Sets the gaps around the candles. Call when the chart's size, its indicators or the length of its
 * prices have changed, or when the viewer's first trade has arrived.
 * @param priceCharacters length of a price in characters
 */
export function makeRoomForLegends(
  chart: Chart,
  priceCharacters: number,
  hasTrades: boolean,
): void {
  const size = chart.getSize(CANDLE_PANE, "main");
  if (size === null || size.height === 0) return;
  const [ohlc, change, volume] = [priceCharacters + 2, "+00.00%".length, "Vol 000.00".length];
  const indicators = chart
    .getIndicators({ paneId: CANDLE_PANE })
    .map((indicator) => [
      `${indicator.shortName}(${indicator.calcParams.join()})`.length,
      ...indicator.figures.map(({ title = "" }) => title.length + priceCharacters),
    ]);
  const legends = [[ohlc, ohlc, ohlc, ohlc, change, volume], ...indicators];
  const gap = gapsForLegends(legends, hasTrades, size);
  const [axis] = chart.getYAxes({ paneId: CANDLE_PANE });
  if (axis?.gap.top === gap.top && axis.gap.bottom === gap.bottom) return;
  chart.overrideYAxis({ paneId: CANDLE_PANE, gap });
}

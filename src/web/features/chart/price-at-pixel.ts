import type { Chart } from "klinecharts";
import type { Decimal, Market } from "#contract/types.ts";
import { CANDLE_PANE } from "./panes.ts";
import { priceAt } from "./orders/price-grid.ts";

/** The tick price nearest to a height within the candles' pane, in pixels from its top. */
export function priceAtPixel(
  chart: Chart,
  y: number,
  market: Pick<Market, "tickSize" | "priceDecimals">,
): Decimal | null {
  const points = chart.convertFromPixel([{ y }], { paneId: CANDLE_PANE });
  const value = Array.isArray(points) ? points[0]?.value : points.value;
  return value === undefined ? null : priceAt(value, market);
}

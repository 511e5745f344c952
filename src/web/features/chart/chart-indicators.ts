import type { Chart } from "klinecharts";
import type { IndicatorName } from "./preferences.ts";

export const CANDLE_PANE = "candle_pane";
const PANE_HEIGHT_PX = 84;
/** Drawn over the candles; the others have their own panes. */
const OVER_CANDLES: ReadonlySet<IndicatorName> = new Set(["MA", "EMA", "BOLL"]);
const PARAMETERS: Partial<Record<IndicatorName, number[]>> = {
  MA: [7, 25, 99],
  EMA: [12, 26],
  VOL: [],
  RSI: [14],
};

/** Makes the chart show exactly `wanted`. */
export function showIndicators(chart: Chart, wanted: readonly IndicatorName[]): void {
  const shown = new Set(chart.getIndicators().map((indicator) => indicator.name));
  for (const name of shown) {
    if (!(wanted as readonly string[]).includes(name)) chart.removeIndicator({ name });
  }
  for (const name of wanted) {
    if (shown.has(name)) continue;
    const calcParams = PARAMETERS[name];
    const isOverCandles = OVER_CANDLES.has(name);
    const paneId = isOverCandles ? CANDLE_PANE : `pane-${name}`;
    chart.createIndicator(
      { name, paneId, ...(calcParams === undefined ? {} : { calcParams }) },
      isOverCandles,
    );
    if (!isOverCandles) {
      chart.setPaneOptions({ id: paneId, height: PANE_HEIGHT_PX, minHeight: PANE_HEIGHT_PX / 2 });
    }
  }
}

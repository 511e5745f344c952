import type { Chart, IndicatorCreate } from "klinecharts";
import { SOFT } from "../chart-styles.ts";
import { CANDLE_PANE } from "../panes.ts";
import { type ChosenIndicator, OVER_CANDLES } from "./indicator-names.ts";

const PANE_HEIGHT_PX = 84;
const PANE_HEIGHT_MIN_PX = 36;
/** Share of the height that the candles keep at least. */
const CANDLES_SHARE = 0.5;

/** Makes the chart show exactly the `wanted` indicators, which must all be registered. */
export function showIndicators(chart: Chart, wanted: readonly ChosenIndicator[]): void {
  const names = new Set<string>(wanted.map(({ name }) => name));
  const own = chart.getIndicators().filter(({ id }) => id.startsWith("chosen-"));
  for (const { id, name } of own) if (!names.has(name)) chart.removeIndicator({ id });
  for (const { name, parameters } of wanted) {
    const id = `chosen-${name}`;
    const calcParams = [...parameters];
    if (own.some((indicator) => indicator.id === id)) {
      chart.overrideIndicator({
        id,
        name,
        calcParams,
        ...(name === "VOL" && translucentVolume(chart)),
      });
      continue;
    }
    const isOverCandles = OVER_CANDLES.has(name);
    chart.createIndicator(
      {
        id,
        name,
        calcParams,
        paneId: isOverCandles ? CANDLE_PANE : paneOf(name),
        ...(name === "VOL" && translucentVolume(chart)),
      },
      isOverCandles,
    );
  }
  setPaneHeights(chart, wanted);
}

/** Options of the volume: translucent bars behind the candles, without a legend of its own. */
function translucentVolume(chart: Chart): Partial<IndicatorCreate> {
  const { upColor, downColor, noChangeColor } = chart.getStyles().indicator.ohlc;
  const soft = {
    upColor: upColor + SOFT,
    downColor: downColor + SOFT,
    noChangeColor: noChangeColor + SOFT,
  };
  return {
    styles: { bars: [soft] },
    createTooltipDataSource: () => ({
      name: "Volume",
      calcParamsText: "",
      features: [],
      legends: [],
    }),
  };
}

function paneOf(name: string): string {
  return `pane-${name}`;
}

/** Sets the height of the indicators' panes: the more there are, the lower each. */
function setPaneHeights(chart: Chart, wanted: readonly ChosenIndicator[]): void {
  const panes = wanted.filter(({ name }) => !OVER_CANDLES.has(name));
  const total = chart.getDom()?.clientHeight ?? 0;
  const share = Math.floor((total * (1 - CANDLES_SHARE)) / Math.max(1, panes.length));
  const height = Math.max(PANE_HEIGHT_MIN_PX, Math.min(PANE_HEIGHT_PX, share));
  for (const { name } of panes) {
    chart.setPaneOptions({ id: paneOf(name), height, minHeight: PANE_HEIGHT_MIN_PX });
  }
}

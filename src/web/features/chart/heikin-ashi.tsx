/** Heikin-Ashi candles, drawn over the chart's own candles, which are invisible and keep the traded prices. */
import { type Chart, type KLineData, registerIndicator } from "klinecharts";
import { useEffect } from "react";
import { type HeikinAshi, heikinAshiOf } from "./heikin-ashi-values.ts";
import { CANDLE_PANE } from "./panes.ts";

const NAME = "HEIKIN_ASHI";
const GAP_SHARE = 0.25;

registerIndicator<HeikinAshi>({
  name: NAME,
  series: "price",
  calc: (candles: KLineData[]) => heikinAshiOf(candles),
  // No legend of its own: the chart's legend shows the traded prices.
  createTooltipDataSource: () => ({ name: "", calcParamsText: "", features: [], legends: [] }),
  draw: ({ ctx, chart, indicator, xAxis, yAxis }) => {
    const { upColor, downColor } = chart.getStyles().indicator.ohlc;
    const { from, to } = chart.getVisibleRange();
    const { bar } = chart.getBarSpace();
    const width = Math.max(1, Math.round(bar * (1 - GAP_SHARE)));
    for (let index = from; index < to; index += 1) {
      const value = indicator.result[index];
      if (value === undefined) continue;
      const x = Math.round(xAxis.convertToPixel(index));
      const [open, close, high, low] = [value.open, value.close, value.high, value.low].map(
        (price) => Math.round(yAxis.convertToPixel(price)),
      ) as [number, number, number, number];
      ctx.fillStyle = value.close >= value.open ? upColor : downColor;
      ctx.fillRect(x, high, 1, Math.max(1, low - high));
      ctx.fillRect(
        x - Math.floor(width / 2),
        Math.min(open, close),
        width,
        Math.max(1, Math.abs(close - open)),
      );
    }
    return true;
  },
});

/** Shows Heikin-Ashi candles on a chart. Loaded lazily, hence the default export. */
export default function HeikinAshiCandles({ chart }: { readonly chart: Chart }) {
  useEffect(() => {
    chart.createIndicator({ name: NAME, id: NAME, paneId: CANDLE_PANE }, true);
    return () => void chart.removeIndicator({ id: NAME });
  }, [chart]);
  return null;
}

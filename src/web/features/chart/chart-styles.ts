/** The chart library's style options, in the theme's colours. */
import type {
  CandleStyle,
  CandleType,
  DeepPartial,
  KLineData,
  NeighborData,
  Styles,
  TooltipLegend,
} from "klinecharts";
import { formatChartNumber } from "../../format/money.ts";
import type { ChartPalette } from "./chart-palette.ts";
import type { ChartType } from "./preferences.ts";

export const FONT_PX = 11;
/** Opacity as two hexadecimal digits, appended to a colour. */
export const SOFT = "8c";
const FAINT = "26";
const NONE = "00";
/** How often the countdown to the candle's close is redrawn. */
const COUNTDOWN_REDRAW_MS = 1_000;

/** The library's candle types. Heikin-Ashi is drawn by an indicator over invisible candles. */
const CANDLE_TYPES: Record<ChartType, CandleType> = {
  candles: "candle_solid",
  hollow: "candle_up_stroke",
  bars: "ohlc",
  line: "area",
  area: "area",
  heikinAshi: "candle_solid",
};

export interface StyleOptions {
  readonly type: ChartType;
  /** Whether the system forces its colours: shapes then distinguish rising from falling candles. */
  readonly isForced: boolean;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
}

export function chartStyles(palette: ChartPalette, options: StyleOptions): DeepPartial<Styles> {
  const { type, isForced, priceDecimals, quantityDecimals } = options;
  const { muted, faint, line, lineStrong, raised, text, accent, warn, mono } = palette;
  const { buy, sell, page, violet } = palette;
  const font = { family: mono, size: FONT_PX, weight: 400 };
  const axis = {
    axisLine: { show: true, color: line },
    tickLine: { show: false },
    tickText: { ...font, color: faint },
  };
  const crosshair = {
    line: { style: "dashed" as const, dashedValue: [3, 3], color: muted },
    text: {
      ...font,
      color: text,
      backgroundColor: lineStrong,
      borderColor: lineStrong,
      borderRadius: 3,
    },
  };
  const bars = { upColor: buy, downColor: sell, noChangeColor: muted };
  const seen = type === "heikinAshi" ? NONE : "";
  const bar = {
    style: "fill" as const,
    borderStyle: "solid" as const,
    borderSize: 1,
    borderDashedValue: [2, 2],
  };
  return {
    grid: {
      horizontal: { color: line, style: "solid", size: 1 },
      vertical: { color: line, style: "solid", size: 1 },
    },
    candle: {
      type: isForced && type === "candles" ? "candle_up_stroke" : CANDLE_TYPES[type],
      bar: {
        upColor: buy + seen,
        downColor: sell + seen,
        noChangeColor: muted + seen,
        upBorderColor: buy + seen,
        downBorderColor: sell + seen,
        noChangeBorderColor: muted + seen,
        upWickColor: buy + seen,
        downWickColor: sell + seen,
        noChangeWickColor: muted + seen,
      },
      area: {
        lineSize: 1.5,
        lineColor: accent,
        value: "close",
        backgroundColor: accent + (type === "area" ? FAINT : NONE),
        point: { show: false, animation: false },
      },
      priceMark: {
        high: { color: muted, textSize: FONT_PX, textFamily: mono },
        low: { color: muted, textSize: FONT_PX, textFamily: mono },
        last: {
          ...bars,
          line: { style: "dashed", dashedValue: [2, 3], size: 1 },
          text: { ...font, color: page, borderRadius: 3, paddingLeft: 4, paddingRight: 4 },
          extendTexts: [
            {
              ...font,
              show: true,
              position: "below_price",
              updateInterval: COUNTDOWN_REDRAW_MS,
              style: "fill",
              color: page,
              borderStyle: "solid",
              borderDashedValue: [2, 2],
              borderSize: 0,
              borderColor: page,
              borderRadius: 3,
              paddingLeft: 4,
              paddingRight: 4,
              paddingTop: 2,
              paddingBottom: 2,
            },
          ],
        },
      },
      tooltip: {
        offsetLeft: 10,
        offsetTop: 8,
        title: { show: false },
        legend: {
          ...font,
          color: muted,
          marginRight: 10,
          marginTop: 2,
          marginBottom: 2,
          template: (data: NeighborData<KLineData | null>) =>
            candleLegend(data, bars, priceDecimals, quantityDecimals),
        },
      },
    },
    indicator: {
      ohlc: bars,
      bars: [{ ...bar, ...bars }],
      lines: [warn, accent, violet, buy, sell].map((color) => ({
        style: "solid" as const,
        smooth: false,
        size: 1,
        dashedValue: [2, 2],
        color,
      })),
      lastValueMark: { show: false },
      tooltip: {
        offsetLeft: 10,
        offsetTop: 4,
        title: { ...font, color: muted, marginRight: 8, marginTop: 2, marginBottom: 2 },
        legend: { ...font, color: muted, marginRight: 10, marginTop: 2, marginBottom: 2 },
      },
    },
    xAxis: axis,
    yAxis: axis,
    separator: { size: 1, color: line, activeBackgroundColor: raised },
    crosshair: { horizontal: crosshair, vertical: crosshair },
    overlay: {
      point: {
        color: accent,
        borderColor: accent + SOFT,
        activeColor: accent,
        activeBorderColor: accent + SOFT,
      },
      line: { color: accent, size: 1 },
      rect: { style: "stroke_fill", color: accent + FAINT, borderColor: accent, borderSize: 1 },
      polygon: { color: accent + FAINT, borderColor: accent },
      text: { ...font, color: text, backgroundColor: page, borderColor: accent },
    },
  };
}

/** The legend: open, high, low, close, change and volume of the candle under the crosshair. */
function candleLegend(
  { prev, current }: NeighborData<KLineData | null>,
  colors: Pick<CandleStyle["bar"], "upColor" | "downColor" | "noChangeColor">,
  priceDecimals: number,
  quantityDecimals: number,
): TooltipLegend[] {
  if (current === null) return [];
  const before = prev?.close ?? current.open;
  const change = before === 0 ? 0 : ((current.close - before) / before) * 100;
  const color = change > 0 ? colors.upColor : change < 0 ? colors.downColor : colors.noChangeColor;
  const price = (value: number) => ({ text: formatChartNumber(value, priceDecimals), color });
  const sign = change > 0 ? "+" : "";
  return [
    { title: "O ", value: price(current.open) },
    { title: "H ", value: price(current.high) },
    { title: "L ", value: price(current.low) },
    { title: "C ", value: price(current.close) },
    { title: "", value: { text: `${sign}${formatChartNumber(change, 2)}%`, color } },
    {
      title: "Vol ",
      value: { text: formatChartNumber(current.volume ?? 0, Math.min(quantityDecimals, 2)), color },
    },
  ];
}

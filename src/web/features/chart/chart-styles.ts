/** The chart's styles, from the theme's colours: a canvas cannot read CSS variables. */
import type {
  CandleStyle,
  DeepPartial,
  KLineData,
  NeighborData,
  Styles,
  TooltipLegend,
} from "klinecharts";
import { formatChartNumber } from "../../format/money.ts";

export interface ChartPalette {
  readonly page: string;
  readonly raised: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly text: string;
  readonly muted: string;
  readonly faint: string;
  readonly accent: string;
  readonly buy: string;
  readonly sell: string;
  readonly warn: string;
  readonly mono: string;
}

const VARIABLES: Record<keyof ChartPalette, string> = {
  page: "--color-page",
  raised: "--color-raised",
  line: "--color-line",
  lineStrong: "--color-line-strong",
  text: "--color-text",
  muted: "--color-muted",
  faint: "--color-faint",
  accent: "--color-accent",
  buy: "--color-buy",
  sell: "--color-sell",
  warn: "--color-warn",
  mono: "--font-mono",
};

export function readPalette(element: Element): ChartPalette {
  const style = getComputedStyle(element);
  const entries = Object.entries(VARIABLES).map(([name, variable]) => [
    name,
    style.getPropertyValue(variable).trim(),
  ]);
  return Object.fromEntries(entries) as Record<keyof ChartPalette, string>;
}

export const FONT_PX = 11;
const VIOLET = "#b18cff";
/** Two hexadecimal digits of opacity, appended to a colour. */
const SOFT = "8c";

export function chartStyles(
  palette: ChartPalette,
  priceDecimals: number,
  quantityDecimals: number,
): DeepPartial<Styles> {
  const { buy, sell, muted, faint, line, lineStrong, raised, text, accent, warn, mono } = palette;
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
      type: "candle_solid",
      bar: {
        ...bars,
        upBorderColor: buy,
        downBorderColor: sell,
        noChangeBorderColor: muted,
        upWickColor: buy,
        downWickColor: sell,
        noChangeWickColor: muted,
      },
      priceMark: {
        high: { color: muted, textSize: FONT_PX, textFamily: mono },
        low: { color: muted, textSize: FONT_PX, textFamily: mono },
        last: {
          ...bars,
          line: { style: "dashed", dashedValue: [2, 3], size: 1 },
          text: { ...font, color: palette.page, borderRadius: 3, paddingLeft: 4, paddingRight: 4 },
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
          template: (data: NeighborData<KLineData | null>, styles: CandleStyle) =>
            candleLegend(data, styles, priceDecimals, quantityDecimals),
        },
      },
    },
    indicator: {
      ohlc: bars,
      bars: [{ ...bar, upColor: buy + SOFT, downColor: sell + SOFT, noChangeColor: muted + SOFT }],
      lines: [warn, accent, VIOLET, buy, sell].map((color) => ({
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
  };
}

/** Open, high, low, close, change and volume of the candle under the crosshair. */
function candleLegend(
  { prev, current }: NeighborData<KLineData | null>,
  { bar }: Pick<CandleStyle, "bar">,
  priceDecimals: number,
  quantityDecimals: number,
): TooltipLegend[] {
  if (current === null) return [];
  const before = prev?.close ?? current.open;
  const change = before === 0 ? 0 : ((current.close - before) / before) * 100;
  const color = change > 0 ? bar.upColor : change < 0 ? bar.downColor : bar.noChangeColor;
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

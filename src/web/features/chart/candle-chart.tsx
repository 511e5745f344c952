import { type Chart, type DataLoader, dispose, init } from "klinecharts";
import { useEffect, useRef, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { CandleInterval, Market, Order } from "#contract/types.ts";
import { formatChartNumber } from "../../format/money.ts";
import { useTimeZone } from "../../format/time.ts";
import { useBackend } from "../../session/use-backend.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { useIsSignedIn } from "../../session/use-is-signed-in.ts";
import { type CandleFeed, createCandleFeed, type FeedStatus } from "./candle-feed.ts";
import { showIndicators } from "./chart-indicators.ts";
import { chartStyles, readPalette } from "./chart-styles.ts";
import { periodOf } from "./intervals.ts";
import { makeRoomForLegend } from "./legend-room.ts";
import { drawOrderLines, registerOrderLines } from "./own-order-lines.ts";
import type { IndicatorName } from "./preferences.ts";
import { type ChartRange, visibleRange } from "./visible-range.ts";

const NO_ORDERS: readonly Order[] = [];
const RANGE_TOLD_MS = 2000;
const BAR_SPACE_PX = 7;
const SCROLL_BARS = 10;
const ZOOM_STEP = 1.2;
/** Never answers: a placeholder while symbol and period change, since both request candles at once. */
const IDLE: DataLoader = { getBars: () => undefined };

registerOrderLines();

export interface CandleChartProps {
  readonly market: Market;
  readonly interval: CandleInterval;
  readonly indicators: readonly IndicatorName[];
  readonly onStatus: (status: FeedStatus) => void;
  /** The visible range, for screen readers; updated every few seconds. */
  readonly onRange: (range: ChartRange | null) => void;
}

/** The chart itself; loaded lazily, hence the default export. */
export default function CandleChart({
  market,
  interval,
  indicators,
  onStatus,
  onRange,
}: CandleChartProps) {
  const backend = useBackend();
  const timeZone = useTimeZone();
  const element = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<Chart | null>(null);
  const [feed, setFeed] = useState<CandleFeed | null>(null);
  const { data: live } = useFrameQuery(functions.markets.latestCandles, {
    market: market.symbol,
    interval,
  });
  const { data: orders = NO_ORDERS } = useFrameQuery(
    functions.orders.open,
    useIsSignedIn() ? { market: market.symbol } : "skip",
  );

  useEffect(() => {
    const container = element.current;
    if (container === null) return undefined;
    const made = init(container, {
      decimalFold: { threshold: 20 },
      zoomAnchor: { main: "cursor", xAxis: "last_bar" },
      // Shift with + and − would also act while the focus is elsewhere.
      hotkey: { enabled: false },
    });
    made?.setBarSpace(BAR_SPACE_PX);
    // The library puts its own layers first in the tab order, although they handle no keys.
    for (const layer of container.querySelectorAll<HTMLElement>("[tabindex]")) layer.tabIndex = -1;
    setChart(made);
    const observer = new ResizeObserver(() => made?.resize());
    observer.observe(container);
    return () => {
      observer.disconnect();
      dispose(container);
      setChart(null);
    };
  }, []);

  useEffect(() => {
    if (chart === null || element.current === null) return;
    const palette = readPalette(element.current);
    chart.setStyles(chartStyles(palette, market.priceDecimals, market.quantityDecimals));
    chart.setTimezone(timeZone);
    chart.setDataLoader(IDLE);
    chart.setSymbol({
      ticker: market.symbol,
      pricePrecision: market.priceDecimals,
      volumePrecision: Math.min(market.quantityDecimals, 2),
    });
    chart.setPeriod(periodOf(interval));
    const made = createCandleFeed({
      fetchPage: (before, limit) =>
        backend.action(functions.markets.candles, {
          market: market.symbol,
          interval,
          limit,
          ...(before === undefined ? {} : { before }),
        }),
      onStatus,
      onGap: () => chart.resetData(),
    });
    setFeed(made);
    chart.setDataLoader(made.loader);
  }, [chart, backend, market, interval, timeZone, onStatus]);

  useEffect(() => {
    if (live !== undefined) feed?.push(live);
  }, [feed, live]);

  const priceText = formatChartNumber(live?.at(-1)?.close ?? 0, market.priceDecimals);
  const priceCharacters = priceText.length;
  useEffect(() => {
    const container = element.current;
    if (chart === null || container === null) return undefined;
    showIndicators(chart, indicators);
    const fit = () => makeRoomForLegend(chart, priceCharacters);
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(container);
    return () => observer.disconnect();
  }, [chart, indicators, priceCharacters]);

  useEffect(() => {
    if (chart === null || element.current === null) return;
    drawOrderLines(chart, orders, readPalette(element.current));
  }, [chart, orders]);

  useEffect(() => {
    if (chart === null) return undefined;
    const tell = () => onRange(visibleRange(chart.getDataList(), chart.getVisibleRange()));
    const timer = setInterval(tell, RANGE_TOLD_MS);
    return () => clearInterval(timer);
  }, [chart, onRange]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys stand in for the mouse
    <section
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the drawing is steered by keys
      tabIndex={0}
      aria-label="Candles. Left and right arrow keys scroll, plus and minus zoom, End shows the newest."
      onKeyDown={(event) => {
        if (chart !== null && steerChart(chart, event.key)) event.preventDefault();
      }}
      className="size-full focus-visible:-outline-offset-2"
    >
      <div ref={element} className="size-full" />
    </section>
  );
}

/** @returns whether the key was handled */
function steerChart(chart: Chart, key: string): boolean {
  switch (key) {
    case "ArrowLeft":
      chart.scrollByDistance(SCROLL_BARS * chart.getBarSpace().bar);
      return true;
    case "ArrowRight":
      chart.scrollByDistance(-SCROLL_BARS * chart.getBarSpace().bar);
      return true;
    case "End":
      chart.scrollToRealTime();
      return true;
    case "+":
    case "=":
      chart.zoomAtCoordinate(ZOOM_STEP);
      return true;
    case "-":
      chart.zoomAtCoordinate(1 / ZOOM_STEP);
      return true;
    default:
      return false;
  }
}

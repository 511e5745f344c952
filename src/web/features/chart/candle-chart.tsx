import type { Chart, DataLoader } from "klinecharts";
import { useEffect, useMemo, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Candle, Market } from "#contract/types.ts";
import { formatChartNumber } from "../../format/money.ts";
import { useTimeZone } from "../../format/time.ts";
import { useConnectionWatch } from "../../session/connection.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { toastError } from "../../ui/toast.ts";
import { createCandleFeed, type FeedStatus } from "./candle-feed.ts";
import { useForcedColours, usePalette } from "./chart-palette.ts";
import { chartStyles } from "./chart-styles.ts";
import { INITIAL_INDICATORS } from "./indicators/indicator-names.ts";
import { showIndicators } from "./indicators/show-indicators.ts";
import { CANDLE_PANE } from "./panes.ts";
import { periodOf } from "./intervals.ts";
import { makeRoomForLegends } from "./legend-room.ts";
import type { ChartPreferences, Scale } from "./preferences.ts";
import { timeToClose } from "./time-to-close.ts";
import { useChart } from "./use-chart.ts";
import { type ChartRange, visibleRange } from "./visible-range.ts";

const RANGE_INTERVAL_MS = 2000;
/** Delay after panning or zooming before the visible range is reported. */
const RANGE_DELAY_MS = 150;
/**
 * A loader that never answers, used while symbol and period change: each change alone would request
 * candles.
 */
const IDLE_LOADER: DataLoader = { getBars: () => undefined };
/** The chart library's names of the price scales. */
const AXIS_NAMES: Record<Scale, string> = {
  linear: "normal",
  logarithmic: "logarithm",
  percent: "percentage",
};

export interface CandleChartProps {
  readonly market: Market;
  readonly preferences: ChartPreferences;
  /** Whether the viewer's trades in the market are marked, with a legend below the candles. */
  readonly hasTrades: boolean;
  readonly fetchPage: (before: number | undefined, limit: number) => Promise<readonly Candle[]>;
  readonly onStatus: (status: FeedStatus) => void;
  /** Receives the visible range after every move and every few seconds. */
  readonly onRange: (range: ChartRange | null) => void;
  /** Receives the library's chart, for drawing over the candles; null once it is removed. */
  readonly onChart: (chart: Chart | null) => void;
}

/** A candle chart, drawn by the chart library. */
export function CandleChart({
  market,
  preferences,
  hasTrades,
  fetchPage,
  onStatus,
  onRange,
  onChart,
}: CandleChartProps) {
  const { interval, type, scale, indicators } = preferences;
  const timeZone = useTimeZone();
  const watch = useConnectionWatch();
  const { chart, attach } = useChart();
  const palette = usePalette();
  const isForced = useForcedColours();
  const feed = useMemo(
    () =>
      chart === null
        ? null
        : createCandleFeed({ fetchPage, onStatus, onGap: () => chart.resetData() }),
    [chart, fetchPage, onStatus],
  );
  const { data: live } = useFrameQuery(functions.markets.latestCandles, {
    market: market.symbol,
    interval,
  });

  useEffect(() => {
    onChart(chart);
    return () => onChart(null);
  }, [chart, onChart]);

  const { symbol, priceDecimals, quantityDecimals } = market;
  useEffect(() => {
    chart?.setStyles(chartStyles(palette, { type, isForced, priceDecimals, quantityDecimals }));
  }, [chart, palette, type, isForced, priceDecimals, quantityDecimals]);

  useEffect(() => {
    chart?.setTimezone(timeZone);
  }, [chart, timeZone]);

  useEffect(() => {
    chart?.overrideYAxis({ paneId: CANDLE_PANE, name: AXIS_NAMES[scale] });
  }, [chart, scale]);

  useEffect(() => {
    chart?.setFormatter({
      formatExtendText: () => {
        const nowMs = watch?.serverNowMs() ?? null;
        return nowMs === null ? "" : timeToClose(interval, nowMs);
      },
    });
  }, [chart, watch, interval]);

  useEffect(() => {
    if (chart === null || feed === null) return;
    chart.setDataLoader(IDLE_LOADER);
    chart.setSymbol({
      ticker: symbol,
      pricePrecision: priceDecimals,
      volumePrecision: Math.min(quantityDecimals, 2),
    });
    chart.setPeriod(periodOf(interval));
    chart.setDataLoader(feed.loader);
  }, [chart, feed, symbol, priceDecimals, quantityDecimals, interval]);

  useEffect(() => {
    if (live !== undefined) feed?.push(live);
  }, [feed, live]);

  const shown = useLoadedIndicators(indicators);
  const priceText = formatChartNumber(live?.at(-1)?.close ?? 0, priceDecimals);
  const priceCharacters = priceText.length;
  useEffect(() => {
    const container = chart?.getDom();
    if (!chart || !container) return undefined;
    const fit = () => {
      if (container.clientWidth === 0) return;
      showIndicators(chart, shown);
      makeRoomForLegends(chart, priceCharacters, hasTrades);
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(container);
    return () => observer.disconnect();
  }, [chart, shown, priceCharacters, hasTrades]);

  useEffect(() => {
    if (chart === null) return undefined;
    const reportRange = () => onRange(visibleRange(chart.getDataList(), chart.getVisibleRange()));
    let delayTimer: ReturnType<typeof setTimeout> | undefined;
    const onMove = () => {
      clearTimeout(delayTimer);
      delayTimer = setTimeout(reportRange, RANGE_DELAY_MS);
    };
    const timer = setInterval(reportRange, RANGE_INTERVAL_MS);
    chart.subscribeAction("onVisibleRangeChange", onMove);
    return () => {
      clearInterval(timer);
      clearTimeout(delayTimer);
      chart.unsubscribeAction("onVisibleRangeChange", onMove);
    };
  }, [chart, onRange]);

  return <div ref={attach} className="size-full" />;
}

/** The chosen indicators whose code has loaded. */
function useLoadedIndicators(
  chosen: ChartPreferences["indicators"],
): ChartPreferences["indicators"] {
  const [hasTools, setHasTools] = useState(false);
  const needsTools = chosen.some(({ name }) => !INITIAL_INDICATORS.includes(name));
  useEffect(() => {
    if (!needsTools || hasTools) return undefined;
    let isGone = false;
    import("./indicators/library-tools.ts").then(
      () => isGone || setHasTools(true),
      () =>
        isGone ||
        toastError("Some indicators could not be loaded", "Reload the page to try again."),
    );
    return () => {
      isGone = true;
    };
  }, [needsTools, hasTools]);
  return useMemo(
    () => (hasTools ? chosen : chosen.filter(({ name }) => INITIAL_INDICATORS.includes(name))),
    [chosen, hasTools],
  );
}

import { type Chart, type KLineData, registerIndicator } from "klinecharts";
import { X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Candle, CandleInterval } from "#contract/types.ts";
import { formatPercent } from "../../../format/money.ts";
import { useBackend } from "../../../session/use-backend.ts";
import { useFrameQuery } from "../../../session/use-frame-query.ts";
import type { ChartPalette } from "../chart-palette.ts";
import { CANDLE_PANE } from "../panes.ts";
import { type ComparedPrice, comparedPrices } from "./compared-prices.ts";

const NAME = "COMPARISON";
const PAGE_SIZE = 1_000;
const NO_CANDLES: readonly Candle[] = [];

interface Compared {
  readonly candles: readonly { readonly timestamp: number; readonly close: number }[];
  readonly baseTime: number;
}

/** Compared candles by chart id. Not passed as `extendData`, which the library copies on every change. */
const comparedByChart = new Map<string, Compared>();

registerIndicator<ComparedPrice, number, string>({
  name: NAME,
  series: "price",
  figures: [{ key: "compared", type: "line" }],
  calc: (own: KLineData[], { extendData }) => {
    const compared = comparedByChart.get(extendData);
    return compared === undefined ? [] : comparedPrices(own, compared.candles, compared.baseTime);
  },
  // No legend on the canvas: it is an HTML element with a close button.
  createTooltipDataSource: () => ({ name: "", calcParamsText: "", features: [], legends: [] }),
});

interface ComparisonProps {
  readonly chart: Chart;
  readonly palette: ChartPalette;
  readonly symbol: string;
  readonly interval: CandleInterval;
  /** The first visible time, at which both lines meet; null before there are candles. */
  readonly from: number | null;
  readonly onClose: () => void;
}

/** Draws another market's percentage change as a line. Loaded lazily, hence the default export. */
export default function Comparison(props: ComparisonProps) {
  const { chart, palette, symbol, interval, from, onClose } = props;
  const candles = useCandles(symbol, interval, from);
  const isReady = from !== null && candles.length > 0;
  const change = useRef(0);
  useEffect(() => {
    if (!isReady) return;
    comparedByChart.set(chart.id, {
      candles: candles.map(({ openTime, close }) => ({ timestamp: openTime, close })),
      baseTime: from,
    });
    change.current += 1;
    // The library recalculates only if the parameters differ.
    const override = { id: NAME, name: NAME, calcParams: [change.current] };
    if (chart.getIndicators({ id: NAME }).length > 0) {
      chart.overrideIndicator(override);
      return;
    }
    const line = { color: palette.violet, style: "solid" as const, size: 1.5, smooth: false };
    const create = { ...override, extendData: chart.id, styles: { lines: [line] } };
    chart.createIndicator({ ...create, paneId: CANDLE_PANE }, true);
  }, [chart, isReady, candles, from, palette]);
  useEffect(
    () => () => {
      chart.removeIndicator({ id: NAME });
      comparedByChart.delete(chart.id);
    },
    [chart],
  );

  const base = candles.find(({ openTime }) => openTime >= (from ?? 0));
  const last = candles.at(-1);
  const percent =
    base === undefined || last === undefined || base.close === 0
      ? null
      : ((last.close / base.close - 1) * 100).toFixed(2);
  return (
    <div className="figures absolute right-20 top-2 flex h-6 items-center gap-1.5 rounded-sm border bg-surface/90 pl-2 text-2xs text-muted">
      <span aria-hidden className="h-0.5 w-3" style={{ background: palette.violet }} />
      {symbol} {formatPercent(percent)}
      <button
        type="button"
        aria-label={`Stop comparing with ${symbol}`}
        onClick={onClose}
        className="grid size-6 place-items-center hover:bg-hover hover:text-text focus-visible:-outline-offset-2"
      >
        <X className="size-3.5" aria-hidden />
      </button>
    </div>
  );
}

/** The compared market's candles back to a time, oldest first; the newest are live. */
function useCandles(
  market: string,
  interval: CandleInterval,
  from: number | null,
): readonly Candle[] {
  const backend = useBackend();
  const { data: live = NO_CANDLES } = useFrameQuery(functions.markets.latestCandles, {
    market,
    interval,
  });
  const [pages, setPages] = useState<{ candles: readonly Candle[]; hasMore: boolean }>({
    candles: NO_CANDLES,
    hasMore: true,
  });
  const oldest = pages.candles[0]?.openTime;
  const isWanted = pages.hasMore && from !== null && (oldest === undefined || from < oldest);
  useEffect(() => {
    if (!isWanted) return undefined;
    let isGone = false;
    const load = async () => {
      const page = await backend.action(functions.markets.candles, {
        market,
        interval,
        limit: PAGE_SIZE,
        ...(oldest !== undefined && { before: oldest }),
      });
      if (isGone) return;
      setPages(({ candles }) => ({
        candles: [...page, ...candles],
        hasMore: page.length === PAGE_SIZE,
      }));
    };
    // If a page fails, the line is drawn as far as its candles are loaded.
    load().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [backend, market, interval, oldest, isWanted]);
  return useMemo(() => {
    const newest = live[0]?.openTime ?? Number.POSITIVE_INFINITY;
    return [...pages.candles.filter(({ openTime }) => openTime < newest), ...live];
  }, [pages, live]);
}

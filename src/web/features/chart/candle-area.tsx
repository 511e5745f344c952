import type { Chart } from "klinecharts";
import { useEffect, useMemo, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market } from "#contract/types.ts";
import { formatChartNumber } from "../../format/money.ts";
import { formatDateTime, useTimeZone } from "../../format/time.ts";
import { useBackend } from "../../session/use-backend.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { useIsSignedIn } from "../../session/use-is-signed-in.ts";
import { classNames } from "../../ui/class-names.ts";
import { preloadedPart, lazyComponent, lazyPart } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import type { FeedStatus } from "./candle-feed.ts";
import { candlePages } from "./candle-pages.ts";
import { ChartCover } from "./chart-cover.tsx";
import { usePalette } from "./chart-palette.ts";
import type { DrawingTool } from "./drawings/drawing-tools.ts";
import { useStoredDrawings } from "./drawings/stored-drawings.ts";
import { CANDLE_PANE } from "./panes.ts";
import { intervalName } from "./intervals.ts";
import type { OrderMenuAnchor, OrderStart } from "./orders/order-menu.tsx";
import { priceAt } from "./orders/price-grid.ts";
import type { ChartPreferences } from "./preferences.ts";
import { priceAtPixel } from "./price-at-pixel.ts";
import { steerChart } from "./steer-chart.ts";
import { useLongPress } from "./use-long-press.ts";
import type { ChartRange } from "./visible-range.ts";

/** The chart library is a third of the page's code, so it loads in parallel with the page's own. */
const loadParts = () => import("./candle-parts.ts");
const CandleChart = preloadedPart(loadParts, (parts) => parts.CandleChart);
const OrderLines = lazyPart(loadParts, (parts) => parts.OrderLines);
const OwnFills = lazyPart(loadParts, (parts) => parts.OwnFills);
/** Overlays load when the first one of their kind is needed. */
const HeikinAshiCandles = lazyComponent(() => import("./heikin-ashi.tsx"));
const OrderMenu = lazyComponent(() => import("./orders/order-menu.tsx"));
const DrawingLayer = lazyComponent(() => import("./drawings/drawing-layer.tsx"));
const Comparison = lazyComponent(() => import("./comparison/comparison.tsx"));

export interface CandleAreaProps {
  readonly market: Market;
  readonly preferences: ChartPreferences;
  /** Storage key of the viewer's drawings in this market. */
  readonly storageKey: string;
  readonly tool: DrawingTool | null;
  readonly onDrawn: () => void;
  readonly compared: string | null;
  readonly onCompare: (symbol: string | null) => void;
  readonly range: ChartRange | null;
  readonly onRange: (range: ChartRange | null) => void;
  readonly onStart: (start: OrderStart) => void;
}

/** The candle chart with all its overlays. */
export function CandleArea(props: CandleAreaProps) {
  const { market, preferences, tool, onDrawn, range, onRange, onStart } = props;
  const { symbol } = market;
  const { interval } = preferences;
  const backend = useBackend();
  const [chart, setChart] = useState<Chart | null>(null);
  const [status, setStatus] = useState<FeedStatus>("loading");
  const [attempt, setAttempt] = useState(0);
  const [menu, setMenu] = useState<OrderMenuAnchor | null>(null);
  const hasTrades = useHasAny(functions.fills.recent, symbol, useIsSignedIn());

  // Requests candles at once, before the chart's code has loaded.
  const pages = useMemo(() => candlePages(backend, symbol, interval), [backend, symbol, interval]);
  useEffect(() => pages.start(), [pages]);

  const openMenuAt = (clientX: number, clientY: number) => {
    const anchor = anchorAt(chart, market, clientX, clientY);
    if (anchor !== null) setMenu(anchor);
  };
  const longPress = useLongPress(openMenuAt);
  const onKey = (key: string): boolean => {
    if (chart === null) return false;
    if (key === "Escape" && tool !== null) {
      onDrawn();
      return true;
    }
    if (key === "Enter") {
      const last = range === null ? null : priceAt(range.last, market);
      if (last !== null) setMenu({ x: 0, y: 0, price: last });
      return last !== null;
    }
    return steerChart(chart, key);
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys stand in for the mouse */}
      <section
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the drawing is steered by keys
        tabIndex={0}
        aria-label="Candles. Left and right arrow keys scroll, plus and minus zoom, End shows the newest, Enter opens orders at a price."
        onKeyDown={(event) => {
          if (onKey(event.key)) event.preventDefault();
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          openMenuAt(event.clientX, event.clientY);
        }}
        {...longPress}
        // Isolated, so that the library's layers stay below the overlays.
        className="isolate size-full focus-visible:-outline-offset-2"
      >
        {/* The width of its axes depends on the first candles: until then a cover hides the movement. */}
        <div className={classNames("size-full", status === "loading" && "invisible")}>
          <CandleChart
            key={attempt}
            market={market}
            preferences={preferences}
            hasTrades={hasTrades}
            fetchPage={pages.fetchPage}
            onStatus={setStatus}
            onRange={onRange}
            onChart={setChart}
          />
        </div>
      </section>
      {chart === null || status !== "ready" ? null : (
        <Layers {...props} chart={chart} hasTrades={hasTrades} />
      )}
      {menu === null ? null : (
        <OrderMenu
          key={menu.price}
          market={market}
          anchor={menu}
          onStart={onStart}
          onClose={() => setMenu(null)}
        />
      )}
      <ChartCover status={status} onRetry={() => setAttempt(attempt + 1)} />
      <TextAlternative market={market} preferences={preferences} range={range} />
    </>
  );
}

interface LayersProps extends CandleAreaProps {
  readonly chart: Chart;
  readonly hasTrades: boolean;
}

function Layers(props: LayersProps) {
  const { chart, hasTrades, market, preferences, storageKey, tool, onDrawn } = props;
  const { compared, onCompare, range } = props;
  const isSignedIn = useIsSignedIn();
  const palette = usePalette();
  const hasDrawings = useStoredDrawings(storageKey) !== null;
  const hasOrders = useHasAny(functions.orders.open, market.symbol, isSignedIn);
  const { interval, type, asksBeforeAmending } = preferences;
  const layer = { chart, palette };
  return (
    <PanelBoundary className="absolute inset-x-0 top-0 h-auto bg-raised">
      {type === "heikinAshi" ? <HeikinAshiCandles chart={chart} /> : null}
      {hasDrawings || tool !== null ? (
        <DrawingLayer
          key={storageKey}
          chart={chart}
          storageKey={storageKey}
          tool={tool}
          onDrawn={onDrawn}
        />
      ) : null}
      {compared === null ? null : (
        <Comparison
          key={`${compared} ${interval}`}
          {...layer}
          symbol={compared}
          interval={interval}
          from={range?.from ?? null}
          onClose={() => onCompare(null)}
        />
      )}
      {hasTrades ? (
        <OwnFills
          key={market.symbol}
          {...layer}
          market={market}
          interval={interval}
          from={range?.from ?? null}
          to={range?.to ?? null}
        />
      ) : null}
      {hasOrders ? (
        <OrderLines {...layer} market={market} asksBeforeAmending={asksBeforeAmending} />
      ) : null}
    </PanelBoundary>
  );
}

/** Whether a list of the user has an entry in the market: the overlay's code loads only then. */
function useHasAny(
  list: typeof functions.orders.open | typeof functions.fills.recent,
  market: string,
  isSignedIn: boolean,
): boolean {
  const { data = false } = useFrameQuery(list, isSignedIn ? { market } : "skip", isFilled);
  return data;
}

function isFilled(list: readonly unknown[]): boolean {
  return list.length > 0;
}

/** The menu's position for a point of the window; null outside the candles. */
function anchorAt(
  chart: Chart | null,
  market: Market,
  clientX: number,
  clientY: number,
): OrderMenuAnchor | null {
  const pane = chart?.getDom(CANDLE_PANE, "main")?.getBoundingClientRect();
  if (chart === null || pane === undefined) return null;
  const [x, y] = [clientX - pane.left, clientY - pane.top];
  if (x < 0 || y < 0 || x > pane.width || y > pane.height) return null;
  const price = priceAtPixel(chart, y, market);
  return price === null ? null : { x, y, price };
}

interface TextAlternativeProps {
  readonly market: Market;
  readonly preferences: ChartPreferences;
  readonly range: ChartRange | null;
}

function TextAlternative({ market, preferences, range }: TextAlternativeProps) {
  const timeZone = useTimeZone();
  if (range === null) return null;
  const price = (value: number) =>
    `${formatChartNumber(value, market.priceDecimals)} ${market.quote}`;
  return (
    <p className="sr-only">
      {market.symbol}, candles of {intervalName(preferences.interval)} from{" "}
      {formatDateTime(range.from, timeZone)} to {formatDateTime(range.to, timeZone)}. Last price{" "}
      {price(range.last)}, highest {price(range.high)}, lowest {price(range.low)}.
    </p>
  );
}

import { useRouteContext } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import type { Market } from "#contract/types.ts";
import { classNames } from "../../ui/class-names.ts";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { CandleArea } from "./candle-area.tsx";
import { ChartToolbar, type ChartTools } from "./chart-toolbar.tsx";
import { drawingsKey } from "./drawings/stored-drawings.ts";
import type { OrderStart } from "./orders/order-menu.tsx";
import { DEFAULT_PREFERENCES, savePreferences, usePreferences } from "./preferences.ts";
import type { ChartRange } from "./visible-range.ts";

const DepthChart = lazyComponent(() => import("./depth/depth-chart.tsx"));

const INITIAL_TOOLS: ChartTools = { view: "price", tool: null, compared: null, isFull: false };

export interface ChartPanelProps {
  readonly market: Market;
  /** Called with the order that the user starts at a price of the chart, for the ticket. */
  readonly onStart: (start: OrderStart) => void;
}

/** The chart panel: a market's candles with the viewer's orders and fills, or its depth. */
export function ChartPanel({ market, onStart }: ChartPanelProps) {
  const userId = useRouteContext({ from: "__root__", select: ({ userId }) => userId });
  const preferences = usePreferences(userId);
  const [tools, setTools] = useState(INITIAL_TOOLS);
  const [range, setRange] = useState<ChartRange | null>(null);
  const onTools = useCallback(
    (change: Partial<ChartTools>) => setTools((before) => ({ ...before, ...change })),
    [],
  );
  useFullScreen(tools.isFull, () => onTools({ isFull: false }));
  const compared = tools.compared === market.symbol ? null : tools.compared;
  const storageKey = drawingsKey(userId, market.symbol);
  const isDepth = tools.view === "depth";
  return (
    <section
      aria-label="Price chart"
      className={classNames(
        "@container flex min-h-0 flex-1 flex-col bg-surface",
        // Above the bars of the page, below the dialogs.
        tools.isFull
          ? "fixed inset-0 z-40 pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)]"
          : "h-full",
      )}
    >
      <ChartToolbar
        market={market}
        preferences={preferences ?? DEFAULT_PREFERENCES}
        onPreferences={(changed) => savePreferences(userId, changed)}
        tools={{ ...tools, compared }}
        onTools={onTools}
        drawingsKey={storageKey}
        area={range}
      />
      <div className="live-data relative min-h-0 flex-1">
        {preferences === null ? null : (
          // The candle chart stays mounted under the depth chart, to keep its scroll, zoom and live data.
          <div inert={isDepth} className="absolute inset-0">
            <CandleArea
              market={market}
              preferences={compared === null ? preferences : { ...preferences, scale: "percent" }}
              storageKey={storageKey}
              tool={tools.tool}
              onDrawn={() => onTools({ tool: null })}
              compared={compared}
              onCompare={(symbol) => onTools({ compared: symbol })}
              range={range}
              onRange={setRange}
              onStart={(start) => {
                onTools({ isFull: false });
                onStart(start);
              }}
            />
          </div>
        )}
        {isDepth ? (
          <div className="absolute inset-0 bg-surface">
            <PanelBoundary>
              <DepthChart key={market.symbol} market={market} />
            </PanelBoundary>
          </div>
        ) : null}
      </div>
    </section>
  );
}

/**
 * Enters the browser's full screen, if supported, while the panel fills the window. The whole page
 * enters it, so that dialogs and toasts stay visible.
 */
function useFullScreen(isFull: boolean, onLeft: () => void): void {
  useEffect(() => {
    if (!isFull) return undefined;
    // If the browser refuses full screen, the panel still fills the window.
    document.documentElement.requestFullscreen?.().catch(() => undefined);
    const onChange = () => {
      if (document.fullscreenElement === null) onLeft();
    };
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === "Escape" && !defaultPrevented) onLeft();
    };
    document.addEventListener("fullscreenchange", onChange);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("fullscreenchange", onChange);
      document.removeEventListener("keydown", onKey);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- only entering and leaving count
  }, [isFull]);
}

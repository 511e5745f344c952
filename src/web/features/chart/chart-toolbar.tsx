import {
  BellPlus,
  ChartCandlestick,
  GitCompareArrows,
  ListOrdered,
  Maximize2,
  Minimize2,
  PencilLine,
  SquareFunction,
} from "lucide-react";
import type { ReactNode } from "react";
import type { Market } from "#contract/types.ts";
import { DataAge } from "../../session/data-age.tsx";
import { useIsReadOnly } from "../../session/read-only.ts";
import { useIsSignedIn } from "../../session/use-is-signed-in.ts";
import { wantAlert } from "../../session/wanted-alert.ts";
import { classNames } from "../../ui/class-names.ts";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { Popover } from "../../ui/popover.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { DrawingTool, VisibleArea } from "./drawings/drawing-tools.ts";
import { IntervalChoice } from "./interval-choice.tsx";
import type { ChartPreferences } from "./preferences.ts";

/** Placeholder of a menu, whose code loads when it is opened. */
const PLACEHOLDER = <Skeleton className="m-2 h-24" />;
const StyleMenu = lazyComponent(() => import("./style-menu.tsx"), PLACEHOLDER);
const IndicatorMenu = lazyComponent(() => import("./indicators/indicator-menu.tsx"), PLACEHOLDER);
const DrawingMenu = lazyComponent(() => import("./drawings/drawing-menu.tsx"), PLACEHOLDER);
const CompareMenu = lazyComponent(() => import("./comparison/compare-menu.tsx"), PLACEHOLDER);
const OrderLinesMenu = lazyComponent(() => import("./orders/order-lines-menu.tsx"), PLACEHOLDER);

export type ChartView = "price" | "depth";

export interface ChartTools {
  readonly view: ChartView;
  readonly tool: DrawingTool | null;
  readonly compared: string | null;
  readonly isFull: boolean;
}

interface ChartToolbarProps {
  readonly market: Market;
  readonly preferences: ChartPreferences;
  readonly onPreferences: (preferences: ChartPreferences) => void;
  readonly tools: ChartTools;
  readonly onTools: (change: Partial<ChartTools>) => void;
  readonly drawingsKey: string;
  /** The visible times and prices; null before there are candles. */
  readonly area: VisibleArea | null;
}

const TOOL =
  "inline-flex h-7 min-w-7 shrink-0 items-center justify-center gap-1 rounded-sm px-1.5 text-xs font-medium transition-colors hover:bg-hover hover:text-text focus-visible:-outline-offset-2";

export function ChartToolbar(props: ChartToolbarProps) {
  const { market, preferences, onPreferences, tools, onTools, drawingsKey, area } = props;
  const isSignedIn = useIsSignedIn();
  const isReadOnly = useIsReadOnly();
  const { indicators } = preferences;
  return (
    <header className="flex h-9 shrink-0 items-center gap-0.5 overflow-x-auto border-b px-1.5 [scrollbar-width:none]">
      <h2 className="sr-only">Price chart</h2>
      <fieldset aria-label="Price or depth" className="flex items-center gap-0.5">
        <ViewButton tools={tools} view="price" label="Price" onTools={onTools} />
        <ViewButton tools={tools} view="depth" label="Depth" onTools={onTools} />
      </fieldset>
      <span aria-hidden className="mx-0.5 h-4 w-px shrink-0 bg-line @min-[40rem]:mx-1" />
      {tools.view === "depth" ? null : (
        <>
          <IntervalChoice
            interval={preferences.interval}
            onChoose={(interval) => onPreferences({ ...preferences, interval })}
          />
          <span aria-hidden className="mx-0.5 h-4 w-px shrink-0 bg-line @min-[40rem]:mx-1" />
          <Tool label="Chart type and price axis" icon={<ChartCandlestick className="size-4" />}>
            {() => <StyleMenu preferences={preferences} onChange={onPreferences} />}
          </Tool>
          <Tool
            label="Indicators"
            visibleText={indicators.length > 0 ? `Indicators ${indicators.length}` : "Indicators"}
            icon={
              <>
                <SquareFunction className="size-4 @min-[40rem]:hidden" aria-hidden />
                <span className="hidden @min-[40rem]:inline">Indicators</span>{" "}
                {indicators.length > 0 ? (
                  <span className="figures text-2xs text-faint">{indicators.length}</span>
                ) : null}
              </>
            }
            className="w-84 max-w-[calc(100vw-1rem)]"
          >
            {() => (
              <IndicatorMenu
                chosen={indicators}
                onChange={(chosen) => onPreferences({ ...preferences, indicators: chosen })}
              />
            )}
          </Tool>
          <Tool
            label="Drawings"
            icon={<PencilLine className="size-4" />}
            isActive={tools.tool !== null}
            className="w-96 max-w-[calc(100vw-1rem)]"
          >
            {(close) => (
              <DrawingMenu
                storageKey={drawingsKey}
                priceDecimals={market.priceDecimals}
                tool={tools.tool}
                onTool={(tool) => onTools({ tool })}
                area={area}
                close={close}
              />
            )}
          </Tool>
          <Tool
            label="Compare with another market"
            icon={<GitCompareArrows className="size-4" />}
            isActive={tools.compared !== null}
            className="w-56"
          >
            {(close) => (
              <CompareMenu
                market={market.symbol}
                compared={tools.compared}
                onCompare={(compared) => {
                  onTools({ compared });
                  close();
                }}
              />
            )}
          </Tool>
          {isSignedIn ? (
            <Tool
              label="Orders on the chart"
              icon={<ListOrdered className="size-4" />}
              className="w-80 max-w-[calc(100vw-1rem)]"
            >
              {() => (
                <OrderLinesMenu
                  market={market}
                  asksBeforeAmending={preferences.asksBeforeAmending}
                  onAsk={(asksBeforeAmending) =>
                    onPreferences({ ...preferences, asksBeforeAmending })
                  }
                />
              )}
            </Tool>
          ) : null}
          {isSignedIn && !isReadOnly ? (
            <button
              type="button"
              aria-label={`Price alert for ${market.symbol}`}
              title="Price alert"
              onClick={() => wantAlert(market.symbol)}
              className={classNames(TOOL, "text-muted")}
            >
              <BellPlus className="size-4" aria-hidden />
            </button>
          ) : null}
        </>
      )}
      <span className="ml-auto flex shrink-0 items-center gap-1 pl-2">
        <DataAge />
        <button
          type="button"
          aria-label={tools.isFull ? "Leave full screen" : "Full screen"}
          title={tools.isFull ? "Leave full screen" : "Full screen"}
          aria-pressed={tools.isFull}
          onClick={() => onTools({ isFull: !tools.isFull })}
          className={classNames(TOOL, "text-muted")}
        >
          {tools.isFull ? (
            <Minimize2 className="size-4" aria-hidden />
          ) : (
            <Maximize2 className="size-4" aria-hidden />
          )}
        </button>
      </span>
    </header>
  );
}

interface ViewButtonProps {
  readonly tools: ChartTools;
  readonly view: ChartView;
  readonly label: string;
  readonly onTools: (change: Partial<ChartTools>) => void;
}

function ViewButton({ tools, view, label, onTools }: ViewButtonProps) {
  const isChosen = tools.view === view;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onTools({ view })}
      className={classNames(
        TOOL,
        isChosen ? "bg-hover text-text" : "text-muted",
        // A narrow toolbar shows only the button of the other view.
        isChosen && view === "price" && "@max-[40rem]:hidden",
      )}
    >
      {label}
    </button>
  );
}

interface ToolProps {
  readonly label: string;
  /** Text on the button, if it has any; the accessible name must contain it. */
  readonly visibleText?: string;
  readonly icon: ReactNode;
  readonly isActive?: boolean;
  readonly className?: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A toolbar button that opens a menu. */
function Tool({
  label,
  visibleText = label,
  icon,
  isActive = false,
  className,
  children,
}: ToolProps) {
  return (
    <Popover
      label={label}
      triggerLabel={visibleText}
      trigger={icon}
      triggerClassName={classNames(TOOL, isActive ? "bg-hover text-accent" : "text-muted")}
      className={classNames("max-h-[80dvh] overflow-y-auto", className ?? "w-44")}
    >
      {(close) => <PanelBoundary className="h-auto">{children(close)}</PanelBoundary>}
    </Popover>
  );
}

import { AreaChart } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market } from "#contract/types.ts";
import {
  formatChartNumber,
  formatCost,
  formatPrice,
  formatQuantity,
} from "../../../format/money.ts";
import { useFrameQuery } from "../../../session/use-frame-query.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import {
  depthOf,
  depthPath,
  depthScale,
  type DepthSide,
  type DepthView,
  levelAt,
} from "./depth-view.ts";

const LEVELS = 100;
const TICK_SHARES = [0.1, 0.3, 0.5, 0.7, 0.9];

/** The depth chart: the live book as cumulative quantities. Loaded lazily, hence the default export. */
export default function DepthChart({ market }: { readonly market: Market }) {
  const { data: book, error } = useFrameQuery(functions.markets.book, {
    market: market.symbol,
    levels: LEVELS,
  });
  const view = useMemo(() => (book === undefined ? null : depthOf(book)), [book]);
  if (view !== null) return <Depth market={market} view={view} />;
  if (book === undefined && error === null) {
    return (
      <output className="flex size-full items-end p-8">
        <span className="sr-only">Loading the depth</span>
        <Skeleton className="h-2/3 w-full" />
      </output>
    );
  }
  return (
    <div className="grid size-full place-items-center">
      <EmptyState
        icon={AreaChart}
        title={error === null ? "No depth yet" : "The depth could not be loaded"}
        text={
          error === null
            ? "Depth is drawn once there are orders on both sides of the book."
            : "It appears here as soon as the book can be loaded again."
        }
      />
    </div>
  );
}

interface DepthProps {
  readonly market: Market;
  readonly view: DepthView;
}

interface SelectedLevel {
  readonly side: DepthSide;
  readonly index: number;
}

function Depth({ market, view }: DepthProps) {
  const area = useRef<HTMLDivElement>(null);
  const size = useSize(area);
  const [selected, setSelected] = useState<SelectedLevel | null>(null);
  const scale = useMemo(() => depthScale(view), [view]);
  const hover = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setSelected(levelAt(view, scale.priceAt((clientX - left) / width)));
  };
  const moveByKeys = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (event.key === "Escape") setSelected(null);
    if (step === 0) return;
    event.preventDefault();
    setSelected(nextSelected(view, selected, step));
  };
  return (
    <div className="flex size-full flex-col">
      <Summary market={market} view={view} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys stand in for the pointer */}
      <section
        ref={area}
        aria-label="Depth. Left and right arrow keys go from level to level."
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is read by keys
        tabIndex={0}
        onPointerMove={hover}
        onPointerDown={hover}
        // A finger that is lifted leaves its level selected, to be read.
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && setSelected(null)}
        onBlur={() => setSelected(null)}
        onKeyDown={moveByKeys}
        className="relative min-h-0 flex-1 touch-pan-y focus-visible:-outline-offset-2"
      >
        <svg width={size.width} height={size.height} aria-hidden className="absolute inset-0">
          <path
            d={depthPath(view, "bids", scale, size)}
            className="fill-buy-soft stroke-buy"
            strokeWidth={1.5}
          />
          <path
            d={depthPath(view, "asks", scale, size)}
            className="fill-sell-soft stroke-sell"
            strokeWidth={1.5}
          />
          {selected === null ? null : (
            <Crosshair
              x={Math.min(1, Math.max(0, scale.x(levelOf(view, selected).price))) * size.width}
              height={size.height}
            />
          )}
        </svg>
        <output aria-live="polite" className="sr-only">
          {selected === null ? "" : sentenceOf(market, view, selected)}
        </output>
        {selected === null ? null : <Reading market={market} view={view} selected={selected} />}
      </section>
      <div className="figures relative h-6 shrink-0 border-t text-2xs text-faint" aria-hidden>
        {TICK_SHARES.map((share) => (
          <span
            key={share}
            style={{ left: `${share * 100}%` }}
            className="absolute top-1 -translate-x-1/2 whitespace-nowrap"
          >
            {formatChartNumber(scale.priceAt(share), market.priceDecimals)}
          </span>
        ))}
      </div>
    </div>
  );
}

/** The selected level; if the book has become shorter, the last level of its side. */
function levelOf(view: DepthView, { side, index }: SelectedLevel) {
  const levels = view[side];
  const level = levels[Math.min(index, levels.length - 1)];
  if (level === undefined) throw new Error("a side of the depth is empty");
  return level;
}

/** The next level to the left or right: bids run from the deepest to the best, then asks. */
function nextSelected(
  view: DepthView,
  selected: SelectedLevel | null,
  step: number,
): SelectedLevel {
  if (selected === null) return { side: step > 0 ? "asks" : "bids", index: 0 };
  const outwards = selected.side === "asks" ? step : -step;
  const index = selected.index + outwards;
  if (index < 0) return { side: selected.side === "asks" ? "bids" : "asks", index: 0 };
  return { side: selected.side, index: Math.min(index, view[selected.side].length - 1) };
}

function Crosshair({ x, height }: { readonly x: number; readonly height: number }) {
  return <line x1={x} x2={x} y1={0} y2={height} className="stroke-muted" strokeDasharray="3 3" />;
}

function Summary({ market, view }: DepthProps) {
  const { quantityDecimals, base } = market;
  return (
    <p className="flex h-7 shrink-0 items-center justify-between gap-4 px-3 text-2xs text-muted">
      <span>
        Bids{" "}
        <span className="figures text-buy">
          {formatQuantity(view.bids.at(-1)?.quantity ?? null, quantityDecimals)} {base}
        </span>
      </span>
      <span>
        Asks{" "}
        <span className="figures text-sell">
          {formatQuantity(view.asks.at(-1)?.quantity ?? null, quantityDecimals)} {base}
        </span>
      </span>
    </p>
  );
}

interface ReadingProps extends DepthProps {
  readonly selected: SelectedLevel;
}

function Reading({ market, view, selected }: ReadingProps) {
  const { price, quantity, value } = levelOf(view, selected);
  return (
    <dl
      aria-hidden
      className="figures pointer-events-none absolute left-1/2 top-2 grid -translate-x-1/2 grid-cols-[auto_auto] gap-x-3 rounded-sm border border-line-strong bg-raised px-2 py-1 text-2xs shadow-lg"
    >
      <dt className="font-sans text-faint">{selected.side === "bids" ? "Down to" : "Up to"}</dt>
      <dd className="text-right">
        {formatPrice(price, market.priceDecimals)} {market.quote}
      </dd>
      <dt className="font-sans text-faint">Quantity</dt>
      <dd className="text-right">
        {formatQuantity(quantity, market.quantityDecimals)} {market.base}
      </dd>
      <dt className="font-sans text-faint">Value</dt>
      <dd className="text-right">{formatCost(value, market.quoteDecimals, market.quote)}</dd>
    </dl>
  );
}

function sentenceOf(market: Market, view: DepthView, selected: SelectedLevel): string {
  const { price, quantity } = levelOf(view, selected);
  const way = selected.side === "bids" ? "Bids down to" : "Asks up to";
  return `${way} ${formatPrice(price, market.priceDecimals)}: ${formatQuantity(quantity, market.quantityDecimals)} ${market.base}`;
}

function useSize(element: React.RefObject<HTMLElement | null>) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

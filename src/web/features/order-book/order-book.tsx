import { type KeyboardEvent, useMemo, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Decimal, Market, Order, Side } from "#contract/types.ts";
import { DataAge } from "../../session/data-age.tsx";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { useIsSignedIn } from "../../session/use-is-signed-in.ts";
import { classNames } from "../../ui/class-names.ts";
import { PlainSelect } from "../../ui/plain-select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { BookSide, ROW_GRID } from "./book-side.tsx";
import { deepestTotal, groupingSteps, readRows, stepDecimals } from "./book-view.ts";
import { SpreadRow } from "./spread-row.tsx";

interface OrderBookProps {
  readonly market: Market;
  /** The price of a level was clicked; `side` is that of an order that would trade with it. */
  readonly onPick: (price: Decimal, side: Side) => void;
}

const SKELETON_ROWS = Array.from({ length: 10 }, (_, row) => row);
const NO_ORDERS: readonly Order[] = [];

/** Live depth of a market, 25 levels a side. */
export function OrderBook({ market, onPick }: OrderBookProps) {
  const [grouping, setGrouping] = useState<Decimal | null>(null);
  const step = grouping ?? stepOf(market);
  const isGrouped = step !== stepOf(market);
  const { data: book, error } = useFrameQuery(
    functions.markets.book,
    isGrouped ? { market: market.symbol, grouping: step } : { market: market.symbol },
  );
  const { data: orders = NO_ORDERS } = useFrameQuery(
    functions.orders.open,
    useIsSignedIn() ? { market: market.symbol } : "skip",
  );
  const ownPrices = useMemo(
    () =>
      new Set(
        orders
          .filter(({ special }) => special?.waitsFor === undefined)
          .map(({ price }) => price)
          .filter((price) => price !== null),
      ),
    [orders],
  );
  const view = useMemo(() => {
    if (book === undefined) return null;
    const bids = readRows(book.bids);
    const asks = readRows(book.asks);
    return { bids, asks, deepest: deepestTotal(bids, asks) };
  }, [book]);
  // Fixed by the first book received, so that the list does not change under the pointer.
  const [reference, setReference] = useState<Decimal | null>(null);
  const best = view?.bids[0]?.price ?? null;
  if (reference === null && best !== null) setReference(best);
  const steps = useMemo(() => groupingSteps(market.tickSize, reference), [market, reference]);

  const side = {
    priceDecimals: isGrouped ? stepDecimals(step) : market.priceDecimals,
    quantityDecimals: market.quantityDecimals,
    ownPrices,
    onPick,
  };
  return (
    <section aria-label="Order book" className="@container flex h-full min-h-0 flex-col">
      <header className="flex h-9 shrink-0 items-center justify-between gap-2 border-b pl-3 pr-1.5">
        <div className="flex min-w-0 items-center gap-2">
          <h2 className="truncate text-xs font-semibold">Order book</h2>
          <DataAge />
        </div>
        <PlainSelect
          aria-label="Group prices by"
          value={step}
          options={steps.map((value) => ({ value, label: value }))}
          onChange={setGrouping}
          className="figures h-6"
        />
      </header>
      <div className={classNames(ROW_GRID, "h-6 shrink-0 items-center text-2xs text-faint")}>
        <span className="truncate">Price ({market.quote})</span>
        <span className="truncate text-right">Quantity</span>
        <span className="hidden truncate text-right @min-[13rem]:block">Total</span>
      </div>
      {view === null ? (
        <Waiting error={error} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys come from its buttons
        <div className="live-data flex min-h-0 flex-1 flex-col" onKeyDown={moveBetweenLevels}>
          <BookSide side="ask" rows={view.asks} deepest={view.deepest} {...side} />
          <SpreadRow market={market} bid={view.bids[0]?.price} ask={view.asks[0]?.price} />
          <BookSide side="bid" rows={view.bids} deepest={view.deepest} {...side} />
        </div>
      )}
    </section>
  );
}

function stepOf({ tickSize }: Market): Decimal {
  return groupingSteps(tickSize, null)[0] ?? tickSize;
}

function Waiting({ error }: { readonly error: Error | null }) {
  if (error !== null) {
    return (
      <p className="p-4 text-center text-xs text-muted">The order book could not be loaded.</p>
    );
  }
  return (
    <div
      className="flex min-h-0 flex-1 flex-col justify-center gap-1 overflow-hidden px-3"
      aria-busy
    >
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} className="h-4" />
      ))}
      <Skeleton className="my-2 h-7" />
      {SKELETON_ROWS.map((row) => (
        <Skeleton key={row} className="h-4" />
      ))}
    </div>
  );
}

/** One tab stop per side; the arrow keys go from level to level. */
function moveBetweenLevels(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
  const levels = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-level]")];
  // Asks are drawn upside down, so the visual order is not the document order.
  levels.sort(
    (left, right) => left.getBoundingClientRect().top - right.getBoundingClientRect().top,
  );
  const at = levels.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? undefined : levels[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

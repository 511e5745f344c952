import { type RefObject, useLayoutEffect, useRef } from "react";
import type { Decimal, Market } from "#contract/types.ts";
import { formatMoney, formatPercent, formatPrice, formatQuantity } from "../../format/money.ts";
import { type BookRow, reachOf } from "./book-view.ts";

const GAP_PX = 8;

export interface PointedLevel {
  readonly side: "bid" | "ask";
  readonly index: number;
}

interface LevelCardProps {
  readonly id: string;
  readonly market: Market;
  readonly level: PointedLevel;
  readonly row: BookRow;
  readonly midPrice: Decimal | null;
  /** Whether the book is grouped. A level's price is then the end of a range, so costs are estimates. */
  readonly isGrouped: boolean;
  /** The element that contains the levels. */
  readonly book: RefObject<HTMLElement | null>;
}

/**
 * A card beside the book: the totals of a market order down to the highlighted level. Rendered in the
 * top layer, because panels clip their content.
 */
export default function LevelCard({
  id,
  market,
  level,
  row,
  midPrice,
  isGrouped,
  book,
}: LevelCardProps) {
  const reach = reachOf(row, midPrice, market.priceDecimals);
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    card.current?.showPopover();
  }, []);
  useLayoutEffect(() => placeBeside(card.current, book.current, level), [book, level]);
  const about = isGrouped ? "≈ " : "";
  return (
    <div
      ref={card}
      id={id}
      role="tooltip"
      popover="manual"
      className="pointer-events-none fixed inset-auto m-0 rounded-md border border-line-strong bg-raised px-3 py-2 text-xs text-text shadow-2xl"
    >
      <dl className="grid grid-cols-[auto_auto] gap-x-4 gap-y-0.5">
        <dt className="text-muted">Average price</dt>
        <dd className="figures text-right">
          {about}
          {formatPrice(reach.averagePrice, market.priceDecimals)}
        </dd>
        <dt className="text-muted">Sum {market.base}</dt>
        <dd className="figures text-right">
          {formatQuantity(reach.quantity, market.quantityDecimals)}
        </dd>
        <dt className="text-muted">Sum {market.quote}</dt>
        <dd className="figures text-right">
          {about}
          {formatMoney(reach.quoteTotal, market.quoteDecimals)}
        </dd>
        <dt className="text-muted">From the mid price</dt>
        <dd className="figures text-right">{formatPercent(reach.distance)}</dd>
      </dl>
    </div>
  );
}

/** Places the card to the left of the book if there is room, else to its right; always within the window. */
function placeBeside(
  card: HTMLElement | null,
  book: HTMLElement | null,
  { side, index }: PointedLevel,
): void {
  const row = book?.querySelector(`[data-side="${side}"] [data-level="${index}"]`);
  if (card === null || row === null || row === undefined) return;
  const from = row.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const before = from.left - GAP_PX - width;
  const after = Math.min(from.right + GAP_PX, window.innerWidth - GAP_PX - width);
  const top = from.top + from.height / 2 - height / 2;
  card.style.left = `${before >= GAP_PX ? before : after}px`;
  card.style.top = `${Math.max(GAP_PX, Math.min(top, window.innerHeight - GAP_PX - height))}px`;
}

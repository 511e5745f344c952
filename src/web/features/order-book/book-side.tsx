import { memo } from "react";
import type { Decimal, Side } from "#contract/types.ts";
import { formatNarrowQuantity, formatPrice } from "../../format/money.ts";
import { classNames } from "../../ui/class-names.ts";
import { type BookRow, depthShare } from "./book-view.ts";
import { ChangedDigits } from "./changed-digits.tsx";

export const ROW_GRID = "grid grid-cols-[1fr_1fr] @min-[13rem]:grid-cols-[1fr_1fr_1fr] px-3";

const ASKS_LABEL = "Asks with price, quantity and total, best last; press one to use its price";
const BIDS_LABEL = "Bids with price, quantity and total, best first; press one to use its price";

interface BookSideProps {
  /** Bids are the levels that a seller meets; asks those that a buyer meets. */
  readonly side: "bid" | "ask";
  readonly rows: readonly BookRow[];
  readonly deepest: Decimal;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  /** Prices at which the viewer has orders. */
  readonly ownPrices: ReadonlySet<Decimal>;
  readonly onPick: (price: Decimal, side: Side) => void;
}

/** One half of the book. Asks stand with the best price at the bottom, bids at the top. */
export function BookSide({
  side,
  rows,
  deepest,
  priceDecimals,
  quantityDecimals,
  ownPrices,
  onPick,
}: BookSideProps) {
  const isAsk = side === "ask";
  return (
    <div className={classNames("flex min-h-0 flex-1 flex-col", isAsk && "justify-end")}>
      <ul
        aria-label={isAsk ? ASKS_LABEL : BIDS_LABEL}
        className={classNames(
          // Whole rows only: a level cut in half is hard to read.
          "relative flex max-h-[round(down,100%,1.25rem)] overflow-y-auto [scrollbar-width:none]",
          isAsk ? "flex-col-reverse" : "flex-col",
        )}
      >
        {rows.length === 0 ? (
          <li className="px-3 py-4 text-center text-xs text-muted">
            {isAsk ? "No one is selling" : "No one is buying"}
          </li>
        ) : null}
        {rows.map((row, index) => (
          <Row
            key={row.price}
            side={side}
            price={row.price}
            priceText={formatPrice(row.price, priceDecimals)}
            quantityText={formatNarrowQuantity(row.quantity, quantityDecimals)}
            totalText={formatNarrowQuantity(row.total, quantityDecimals)}
            share={Math.round(depthShare(row.total, deepest) * 200) / 200}
            isBest={index === 0}
            isOwn={ownPrices.has(row.price)}
            onPick={onPick}
          />
        ))}
      </ul>
    </div>
  );
}

interface RowProps {
  readonly side: "bid" | "ask";
  readonly price: Decimal;
  readonly priceText: string;
  readonly quantityText: string;
  readonly totalText: string;
  readonly share: number;
  readonly isBest: boolean;
  readonly isOwn: boolean;
  readonly onPick: (price: Decimal, side: Side) => void;
}

/** Rerenders only if one of its texts changed. */
const Row = memo(function Row({
  side,
  price,
  priceText,
  quantityText,
  totalText,
  share,
  isBest,
  isOwn,
  onPick,
}: RowProps) {
  const isAsk = side === "ask";
  return (
    <li className="relative shrink-0">
      <div
        aria-hidden
        className={classNames(
          "pointer-events-none absolute inset-y-px right-0 w-full origin-right",
          isAsk ? "bg-sell-soft" : "bg-buy-soft",
        )}
        style={{ transform: `scaleX(${share})` }}
      />
      <button
        type="button"
        data-level
        tabIndex={isBest ? 0 : -1}
        onClick={() => onPick(price, isAsk ? "buy" : "sell")}
        className={classNames(
          ROW_GRID,
          "figures relative h-5 w-full items-center text-xs leading-5 hover:bg-text/5 focus-visible:-outline-offset-2",
        )}
      >
        <span className={classNames("text-left", isAsk ? "text-sell" : "text-buy")}>
          {isOwn ? (
            <span className="absolute left-1 text-accent">
              <span aria-hidden>•</span>
              <span className="sr-only">Your order at </span>
            </span>
          ) : null}
          {priceText}
        </span>
        <span className="text-right text-text">
          <ChangedDigits text={quantityText} />
        </span>
        <span className="hidden text-right text-muted @min-[13rem]:block">{totalText}</span>
      </button>
    </li>
  );
});

import { memo, type ReactNode } from "react";
import { classNames } from "../../ui/class-names.ts";
import { ChangedDigits } from "./changed-digits.tsx";

export const ROW_GRID = "grid grid-cols-[1fr_1fr] @min-[13rem]:grid-cols-[1fr_1fr_1fr] px-3";

const CELL =
  "h-5 min-w-0 truncate leading-5 pointer-coarse:h-6 pointer-coarse:leading-6 focus-visible:-outline-offset-2";

interface BookRowProps {
  readonly side: "bid" | "ask";
  readonly index: number;
  readonly priceText: string;
  readonly quantityText: string;
  readonly totalText: string;
  /** The length of the depth bar, 0 to 1. */
  readonly share: number;
  readonly isOwn: boolean;
  /** Whether the row lies between the best price and the highlighted level, inclusive. */
  readonly isReached: boolean;
  /** The id of the card that describes this level; undefined if it describes another. */
  readonly describedBy: string | undefined;
}

/** One level of the book. Rerenders only if one of its texts changes. */
export const BookRow = memo(function BookRow({
  side,
  index,
  priceText,
  quantityText,
  totalText,
  share,
  isOwn,
  isReached,
  describedBy,
}: BookRowProps) {
  const isAsk = side === "ask";
  return (
    <li
      data-level={index}
      className={classNames(
        ROW_GRID,
        "figures relative isolate h-5 shrink-0 text-xs pointer-coarse:h-6",
        isReached && "bg-text/5 forced-colors:outline-1",
      )}
    >
      <div
        aria-hidden
        className={classNames(
          "pointer-events-none absolute -z-10 inset-y-px right-0 w-full origin-right",
          isAsk ? "bg-sell-soft" : "bg-buy-soft",
          isReached && "opacity-80",
        )}
        style={{ transform: `scaleX(${share})` }}
      />
      <Cell
        cell="price"
        isTabStop={index === 0}
        describedBy={describedBy}
        className={classNames("text-left", isAsk ? "text-sell" : "text-buy")}
      >
        {isOwn ? (
          <span className="absolute left-1 text-accent">
            <span aria-hidden>•</span>
            <span className="sr-only">Your order at </span>
          </span>
        ) : null}
        {priceText}
      </Cell>
      <Cell cell="quantity" describedBy={describedBy} className="text-right text-text">
        {/* Keyed by price: another price is another level, whose quantity has not changed. */}
        <ChangedDigits key={priceText} text={quantityText} />
      </Cell>
      <Cell
        cell="total"
        describedBy={describedBy}
        className="hidden text-right text-muted @min-[13rem]:block"
      >
        {totalText}
      </Cell>
    </li>
  );
});

interface CellProps {
  readonly cell: "price" | "quantity" | "total";
  readonly isTabStop?: boolean;
  readonly describedBy: string | undefined;
  readonly className: string;
  readonly children: ReactNode;
}

/** A button in one cell of a row; the list handles its clicks and keys. */
function Cell({ cell, isTabStop = false, describedBy, className, children }: CellProps) {
  return (
    <button
      type="button"
      data-cell={cell}
      tabIndex={isTabStop ? 0 : -1}
      aria-describedby={describedBy}
      className={classNames(CELL, "hover:underline hover:underline-offset-2", className)}
    >
      {children}
    </button>
  );
}

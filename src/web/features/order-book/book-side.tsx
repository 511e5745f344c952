import { type MouseEvent, useEffect, useRef } from "react";
import type { Decimal, Market, Side } from "#contract/types.ts";
import { formatNarrowQuantity, formatPrice, formatVolume } from "../../format/money.ts";
import { classNames } from "../../ui/class-names.ts";
import type { BookChoices } from "./book-choices.ts";
import { BookRow } from "./book-row.tsx";
import { type BookRow as Level, depthShare, levelKey } from "./book-view.ts";

const ASKS_LABEL =
  "Asks with price, quantity and total, best last; press a price or a quantity to use it";
const BIDS_LABEL =
  "Bids with price, quantity and total, best first; press a price or a quantity to use it";

/** The chosen price or quantity of a level, with the side of an order that would trade at it. */
export type BookPick =
  | { readonly kind: "price"; readonly price: Decimal; readonly side: Side }
  | { readonly kind: "quantity"; readonly quantity: Decimal; readonly side: Side };

interface BookSideProps {
  /** "bid" levels trade with a seller, "ask" levels with a buyer. */
  readonly side: "bid" | "ask";
  readonly market: Market;
  readonly rows: readonly Level[];
  readonly deepest: Decimal;
  readonly priceDecimals: number;
  readonly totals: BookChoices["totals"];
  /** Keys of the levels at which the viewer has orders. */
  readonly ownLevels: ReadonlySet<Decimal>;
  /** Index of the highlighted level; -1 if none. */
  readonly reached: number;
  readonly cardId: string;
  readonly onPick: (pick: BookPick) => void;
  /** Called when the number of rows that fit has changed. */
  readonly onVisible: (side: "bid" | "ask", rows: number) => void;
}

/** One side of the book. Asks have the best price at the bottom, bids at the top. */
export function BookSide({
  side,
  market,
  rows,
  deepest,
  priceDecimals,
  totals,
  ownLevels,
  reached,
  cardId,
  onPick,
  onVisible,
}: BookSideProps) {
  const isAsk = side === "ask";
  const list = useRef<HTMLUListElement>(null);
  useEffect(
    () => watchVisibleRows(list.current, (count) => onVisible(side, count)),
    [side, onVisible],
  );
  const pick = (event: MouseEvent<HTMLElement>) => {
    const { cell, level } = cellAt(event.target);
    const row = rows[level];
    if (row === undefined) return;
    const taker = isAsk ? "buy" : "sell";
    if (cell === "price") onPick({ kind: "price", price: row.price, side: taker });
    else if (cell === "quantity") onPick({ kind: "quantity", quantity: row.quantity, side: taker });
    else if (cell === "total") onPick({ kind: "quantity", quantity: row.total, side: taker });
  };
  return (
    <div
      data-side={side}
      className={classNames("flex min-h-0 flex-1 flex-col", isAsk && "justify-end")}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- clicks, also those of keys, come from the buttons inside */}
      <ul
        ref={list}
        onClick={pick}
        aria-label={isAsk ? ASKS_LABEL : BIDS_LABEL}
        className={classNames(
          // Full rows only: a level cut in half is hard to read.
          "relative flex max-h-[round(down,100%,1.25rem)] pointer-coarse:max-h-[round(down,100%,1.5rem)] overflow-y-auto [scrollbar-width:none]",
          isAsk ? "flex-col-reverse" : "flex-col",
        )}
      >
        {rows.length === 0 ? (
          <li className="px-3 py-4 text-center text-xs text-muted">
            {isAsk ? "No asks" : "No bids"}
          </li>
        ) : null}
        {rows.map((row, index) => (
          <BookRow
            // Keyed by position, so that focus and highlight stay in place while prices move.
            key={index}
            side={side}
            index={index}
            priceText={formatPrice(row.price, priceDecimals)}
            quantityText={formatNarrowQuantity(row.quantity, market.quantityDecimals)}
            totalText={
              totals === "base"
                ? formatNarrowQuantity(row.total, market.quantityDecimals)
                : formatVolume(row.quoteTotal)
            }
            share={Math.round(depthShare(row.total, deepest) * 200) / 200}
            isOwn={ownLevels.has(levelKey(row.price))}
            isReached={index <= reached}
            describedBy={index === reached ? cardId : undefined}
          />
        ))}
      </ul>
    </div>
  );
}

/** The row and cell of the book that contain an element; level -1 and no cell if none do. */
export function cellAt(target: EventTarget | null): {
  readonly cell: string | undefined;
  readonly level: number;
} {
  const element = target instanceof Element ? target : null;
  const cell = element?.closest<HTMLElement>("[data-cell]")?.dataset["cell"];
  const level = element?.closest<HTMLElement>("[data-level]")?.dataset["level"];
  return { cell, level: Number(level ?? -1) };
}

/** Reports how many rows are in view, from the best price to the last visible one. */
function watchVisibleRows(
  list: HTMLElement | null,
  onCount: (count: number) => void,
): (() => void) | undefined {
  if (list === null) return undefined;
  const count = () => {
    const rowHeight = list.firstElementChild?.clientHeight ?? 0;
    if (rowHeight > 0) {
      // The list of asks is laid out in reverse, so its `scrollTop` is zero or negative.
      onCount(Math.ceil((list.clientHeight + Math.abs(list.scrollTop)) / rowHeight));
    }
  };
  const observer = new ResizeObserver(count);
  observer.observe(list);
  list.addEventListener("scroll", count, { passive: true });
  return () => {
    observer.disconnect();
    list.removeEventListener("scroll", count);
  };
}

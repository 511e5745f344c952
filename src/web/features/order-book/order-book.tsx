import { ScriptOnce } from "@tanstack/react-router";
import {
  type FocusEvent,
  type PointerEvent,
  useCallback,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { Market } from "#contract/types.ts";
import { classNames } from "../../ui/class-names.ts";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { useSharedValue } from "../../ui/shared-value.ts";
import { bookBeforePaint, bookIsChosen, bookIsShown } from "./book-before-paint.ts";
import { bookChoices } from "./book-choices.ts";
import { BookHeader } from "./book-header.tsx";
import { ROW_GRID } from "./book-row.tsx";
import { type BookPick, BookSide, cellAt } from "./book-side.tsx";
import { BookWaiting } from "./book-waiting.tsx";
import { bidShareOf, deepestTotal, midPriceOf } from "./book-view.ts";
import { ImbalanceBar } from "./imbalance-bar.tsx";
import type { PointedLevel } from "./level-card.tsx";
import { moveBetweenLevels } from "./level-keys.ts";
import { SpreadRow } from "./spread-row.tsx";
import { useBook } from "./use-book.ts";
import { useOwnLevels } from "./use-own-levels.ts";

/** Code of the card, loaded when a level is first pointed at. */
const LevelCard = lazyComponent(() => import("./level-card.tsx"));

interface OrderBookProps {
  readonly market: Market;
  /** Called when the user chooses a level's price or quantity. */
  readonly onPick: (pick: BookPick) => void;
}

/** Initial row counts, more than any screen has room for, until the visible rows are counted. */
const ALL_VISIBLE = { bids: 100, asks: 100 };

/** The live order book of a market. */
export function OrderBook({ market, onPick }: OrderBookProps) {
  const choices = useSharedValue(bookChoices);
  const { sides, totals } = choices;
  const book = useBook(market, choices);
  const { shown } = book;
  const { isChanging } = book;
  useLayoutEffect(() => {
    // During hydration the choices are the defaults that the server rendered.
    if (choices !== bookChoices.read()) return;
    bookIsChosen();
    if (!isChanging) bookIsShown();
  }, [choices, isChanging]);
  const own = useOwnLevels(market, shown?.step ?? book.step);
  const root = useRef<HTMLElement>(null);
  const cardId = useId();
  const [pointed, setPointed] = useState<PointedLevel | null>(null);
  const [visible, setVisible] = useState(ALL_VISIBLE);
  const onVisible = useCallback((side: "bid" | "ask", rows: number) => {
    const key = side === "bid" ? "bids" : "asks";
    setVisible((before) => (before[key] === rows ? before : { ...before, [key]: rows }));
  }, []);

  const pointAt = (target: EventTarget | null) => {
    const { level: index } = cellAt(target);
    const isAsk = target instanceof Element && target.closest('[data-side="ask"]') !== null;
    const side = isAsk ? "ask" : "bid";
    setPointed((before) =>
      index < 0 ? null : before?.side === side && before.index === index ? before : { side, index },
    );
  };
  const row =
    pointed === null || shown === null
      ? undefined
      : (pointed.side === "ask" ? shown.asks : shown.bids)[pointed.index];
  const side = {
    market,
    totals,
    cardId,
    onPick,
    onVisible,
    priceDecimals: shown?.priceDecimals ?? market.priceDecimals,
    deepest:
      shown === null
        ? "0"
        : deepestTotal(shown.bids, shown.asks, {
            bids: sides === "asks" ? 0 : visible.bids,
            asks: sides === "bids" ? 0 : visible.asks,
          }),
  };
  const reachedOn = (which: "bid" | "ask") => (pointed?.side === which ? pointed.index : -1);
  return (
    <section ref={root} aria-label="Order book" className="@container flex h-full min-h-0 flex-col">
      <ScriptOnce>{bookBeforePaint(market)}</ScriptOnce>
      <BookHeader
        sides={sides}
        onSides={(next) => bookChoices.set({ ...choices, sides: next })}
        step={book.step}
        steps={book.steps}
        onStep={(step) =>
          bookChoices.set({
            ...choices,
            groupings: { ...choices.groupings, [market.symbol]: step },
          })
        }
      />
      <div className={classNames(ROW_GRID, "h-6 shrink-0 items-center text-2xs text-faint")}>
        <span className="truncate">Price ({market.quote})</span>
        <span className="truncate text-right">Quantity</span>
        <button
          type="button"
          data-book-choice
          aria-label={`Total (${totals === "base" ? market.base : market.quote}), change the coin`}
          onClick={() =>
            bookChoices.set({ ...choices, totals: totals === "base" ? "quote" : "base" })
          }
          className="hidden h-6 min-w-0 truncate rounded-sm text-right underline decoration-dotted underline-offset-2 hover:text-text @min-[13rem]:block"
        >
          Total ({totals === "base" ? market.base : market.quote})
        </button>
      </div>
      {shown === null ? (
        <BookWaiting error={book.error} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- key events come from the buttons inside
        <div
          aria-busy={book.isChanging || undefined}
          className="live-data flex min-h-0 flex-1 flex-col"
          onKeyDown={(event) => {
            if (event.key === "Escape") setPointed(null);
            else moveBetweenLevels(event);
          }}
          onPointerOver={(event: PointerEvent) => {
            // Touch does not show the card, since nothing would close it.
            if (event.pointerType !== "touch") pointAt(event.target);
          }}
          onPointerLeave={() => setPointed(null)}
          onFocus={(event: FocusEvent) => {
            if (event.target.matches(":focus-visible")) pointAt(event.target);
          }}
          onBlur={() => setPointed(null)}
        >
          {sides === "bids" ? null : (
            <BookSide
              side="ask"
              rows={shown.asks}
              ownLevels={own.asks}
              reached={reachedOn("ask")}
              {...side}
            />
          )}
          <SpreadRow market={market} bid={book.bid} ask={book.ask} />
          {sides === "asks" ? null : (
            <BookSide
              side="bid"
              rows={shown.bids}
              ownLevels={own.bids}
              reached={reachedOn("bid")}
              {...side}
            />
          )}
          <ImbalanceBar bidShare={bidShareOf(shown.bids, shown.asks)} />
        </div>
      )}
      {pointed === null || row === undefined ? null : (
        <PanelBoundary className="hidden">
          <LevelCard
            id={cardId}
            market={market}
            level={pointed}
            row={row}
            midPrice={midPriceOf(book.bid, book.ask)}
            isGrouped={shown?.isGrouped === true}
            book={root}
          />
        </PanelBoundary>
      )}
    </section>
  );
}

import type { Market } from "#contract/types.ts";
import type { BookPick } from "../../../features/order-book/book-side.tsx";
import { OrderBook } from "../../../features/order-book/order-book.tsx";
import { Tape } from "../../../features/tape/tape.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { PanelBoundary } from "../../../ui/panel-boundary.tsx";
import { TAPE_SIZE } from "./grid-classes.ts";
import type { Layout } from "./layouts.ts";
import { type View, ViewSwitch } from "./view-switch.tsx";
import { PANEL_IDS, PanelSplitter } from "./workspace-splitters.tsx";

interface BookAndTapeProps {
  readonly market: Market;
  readonly layout: Layout;
  readonly view: View;
  readonly onView: (view: View) => void;
  readonly onPick: (pick: BookPick) => void;
}

/** Book and tape: both on wide screens, stacked or side by side; else one of them at a time. */
export function BookAndTape({ market, layout, view, onView, onPick }: BookAndTapeProps) {
  const isTapeChosen = view === "trades";
  const isBeside = layout === "tape";
  return (
    <div
      id={PANEL_IDS.book}
      className={classNames(
        "flex min-h-0 min-w-0 flex-col bg-surface [grid-area:book] max-md:flex-1 layout-tape:min-[90rem]:flex-row",
        view !== "book" && view !== "trades" && "max-md:hidden",
      )}
    >
      <ViewSwitch view={isTapeChosen ? "trades" : "book"} onChange={onView} isShort />
      <div
        className={classNames(
          "min-h-0 min-w-0 max-md:h-[34rem] md:flex-[1_1_0px]",
          isTapeChosen && "max-[90rem]:hidden",
        )}
      >
        <PanelBoundary key={market.symbol}>
          <OrderBook market={market} onPick={onPick} />
        </PanelBoundary>
      </div>
      <PanelSplitter
        // Keyed by direction, which a mounted splitter cannot change.
        key={isBeside ? "x" : "y"}
        size="tape"
        axis={isBeside ? "x" : "y"}
        className={classNames(
          "hidden shrink-0 min-[90rem]:block",
          isBeside ? "-mx-[5px]" : "-my-[5px]",
        )}
      />
      <div
        id={PANEL_IDS.tape}
        className={classNames(
          "min-h-0 min-w-0 max-md:h-[34rem] max-[90rem]:md:flex-[1_1_0px]",
          "min-[90rem]:border-t layout-tape:min-[90rem]:border-l layout-tape:min-[90rem]:border-t-0",
          TAPE_SIZE,
          !isTapeChosen && "max-[90rem]:hidden",
        )}
      >
        <PanelBoundary>
          <Tape key={market.symbol} market={market} />
        </PanelBoundary>
      </div>
    </div>
  );
}

import { useCallback, useMemo, useState } from "react";
import { trimDecimal } from "#contract/decimal.ts";
import type { Market, VenueInfo } from "#contract/types.ts";
import { MarketBalances } from "../../../features/balances-panel/market-balances.tsx";
import { ChartPanel } from "../../../features/chart/chart-panel.tsx";
import { MarketStats } from "../../../features/market-switcher/market-stats.tsx";
import { MarketSwitcher } from "../../../features/market-switcher/market-switcher.tsx";
import type { BookPick } from "../../../features/order-book/book-side.tsx";
import { OrderBook } from "../../../features/order-book/order-book.tsx";
import { OrderTicket } from "../../../features/order-ticket/order-ticket.tsx";
import {
  TicketProvider,
  useTicketDispatch,
} from "../../../features/order-ticket/ticket-provider.tsx";
import { Tape } from "../../../features/tape/tape.tsx";
import { useIsSignedIn } from "../../../session/use-is-signed-in.ts";
import { classNames } from "../../../ui/class-names.ts";
import { lazyComponent } from "../../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../../ui/panel-boundary.tsx";
import { AccountPanels } from "./account-panels.tsx";
import { PhoneTicket } from "./phone-ticket.tsx";
import { ViewSwitch, type View } from "./view-switch.tsx";
import { VisitorPanels } from "./visitor-panels.tsx";

/** Rarely needed; its space is reserved while it loads. */
const StateBanner = lazyComponent(
  () => import("../../../features/market-state/state-banner.tsx"),
  <div className="h-9 shrink-0 border-b border-warn/40 bg-warn-soft" />,
);

interface TerminalProps {
  readonly market: Market;
  readonly markets: readonly Market[];
  readonly venue: VenueInfo;
  readonly onChoose: (symbol: string) => void;
}

/**
 * The trading screen. Wide screens show everything at once and fill the window exactly; on laptops
 * book and trades share a place; tablets scroll; phones show one panel at a time and keep Buy and
 * Sell at the bottom.
 */
export function Terminal(props: TerminalProps) {
  return (
    <TicketProvider market={props.market.symbol}>
      <Screen {...props} />
    </TicketProvider>
  );
}

const GRID = [
  "flex flex-1 flex-col gap-px bg-line",
  "md:grid md:flex-none md:grid-cols-[minmax(0,1fr)_19rem] md:grid-rows-[24rem_auto_auto] md:[grid-template-areas:'chart_chart'_'book_ticket'_'panels_panels']",
  "lg:min-h-0 lg:flex-1 lg:grid-cols-[minmax(0,1fr)_15rem_18rem] lg:grid-rows-[minmax(0,1fr)_15rem] lg:[grid-template-areas:'chart_book_ticket'_'panels_panels_ticket']",
  "min-[90rem]:grid-cols-[minmax(0,1fr)_18.5rem_19.5rem] min-[90rem]:grid-rows-[minmax(0,1fr)_16.5rem] min-[90rem]:[grid-template-areas:'chart_book_ticket'_'panels_book_ticket']",
].join(" ");

function Screen({ market, markets, venue, onChoose }: TerminalProps) {
  const [view, setView] = useState<View>("chart");
  const [ticketOpen, setTicketOpen] = useState(false);
  const dispatch = useTicketDispatch();
  const isSignedIn = useIsSignedIn();
  const bySymbol = useMemo(() => new Map(markets.map((known) => [known.symbol, known])), [markets]);
  const pick = useCallback(
    (chosen: BookPick) => {
      if (chosen.kind === "price") dispatch({ type: "priceChosen", price: chosen.price });
      else dispatch({ type: "quantityTyped", text: trimDecimal(chosen.quantity) });
      // A phone has no ticket beside the book: a tap opens it on the side that would trade.
      if (!window.matchMedia("(max-width: 767px)").matches) return;
      dispatch({ type: "sideChosen", side: chosen.side });
      setTicketOpen(true);
    },
    [dispatch],
  );
  const isTapeChosen = view === "trades";
  return (
    <div className="flex flex-1 flex-col lg:h-(--frame-height) lg:min-h-[40rem] lg:flex-none">
      <h1 className="sr-only">Trade {market.symbol}</h1>
      <div className="flex h-auto shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b bg-surface px-2 py-1.5 md:h-14 md:flex-nowrap md:py-0">
        <PanelBoundary className="h-auto flex-row p-0">
          <MarketSwitcher market={market} onChoose={onChoose} />
        </PanelBoundary>
        <MarketStats market={market} isVenueSimulated={venue.simulated} />
      </div>
      {market.status === "trading" ? null : (
        <PanelBoundary className="h-auto">
          <StateBanner market={market} />
        </PanelBoundary>
      )}
      <ViewSwitch view={view} onChange={setView} />
      <div className={GRID}>
        <div
          className={classNames(
            "min-h-0 min-w-0 bg-surface [grid-area:chart] max-md:flex max-md:min-h-[22rem] max-md:flex-1 max-md:flex-col",
            view !== "chart" && "max-md:hidden",
          )}
        >
          <PanelBoundary>
            <ChartPanel market={market} />
          </PanelBoundary>
        </div>
        <div
          className={classNames(
            "flex min-h-0 min-w-0 flex-col bg-surface [grid-area:book] max-md:flex-1",
            view !== "book" && view !== "trades" && "max-md:hidden",
          )}
        >
          <ViewSwitch view={isTapeChosen ? "trades" : "book"} onChange={setView} isShort />
          <div
            className={classNames(
              "min-h-0 max-md:h-[34rem] md:flex-[1_1_0px] min-[90rem]:flex-[3_1_0px]",
              isTapeChosen && "max-[90rem]:hidden",
            )}
          >
            <PanelBoundary key={market.symbol}>
              <OrderBook market={market} onPick={pick} />
            </PanelBoundary>
          </div>
          <div
            className={classNames(
              "min-h-0 max-md:h-[34rem] md:flex-[1_1_0px] min-[90rem]:flex-[2_1_0px] min-[90rem]:border-t",
              !isTapeChosen && "max-[90rem]:hidden",
            )}
          >
            <PanelBoundary>
              <Tape market={market} />
            </PanelBoundary>
          </div>
        </div>
        <div className="relative min-h-0 min-w-0 overflow-y-auto bg-surface [grid-area:ticket] [scrollbar-width:thin] max-md:hidden">
          <PanelBoundary className="h-auto">
            <OrderTicket market={market} />
          </PanelBoundary>
          {isSignedIn ? (
            <PanelBoundary className="h-auto">
              <MarketBalances market={market} />
            </PanelBoundary>
          ) : null}
        </div>
        <div
          className={classNames(
            "min-h-0 min-w-0 bg-surface [grid-area:panels] max-md:flex-1 md:max-lg:min-h-72",
            view !== "orders" && "max-md:hidden",
          )}
        >
          {isSignedIn ? (
            <AccountPanels
              market={market}
              markets={bySymbol}
              settlementCoin={venue.settlementCoin}
            />
          ) : (
            <VisitorPanels />
          )}
        </div>
      </div>
      <PhoneTicket market={market} open={ticketOpen} onOpenChange={setTicketOpen} />
    </div>
  );
}

import { ScriptOnce } from "@tanstack/react-router";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { trimDecimal } from "#contract/decimal.ts";
import type { Market, VenueInfo } from "#contract/types.ts";
import { MarketBalances } from "../../../features/balances-panel/market-balances.tsx";
import { CoinDetailsButton } from "../../../features/coin-details/coin-details-button.tsx";
import { ChartPanel } from "../../../features/chart/chart-panel.tsx";
import type { OrderStart } from "../../../features/chart/orders/order-menu.tsx";
import { MarketStats } from "../../../features/market-switcher/market-stats.tsx";
import { MarketTabs } from "../../../features/market-switcher/market-tabs.tsx";
import { MarketSwitcher } from "../../../features/market-switcher/market-switcher.tsx";
import type { BookPick } from "../../../features/order-book/book-side.tsx";
import { OrderTicket } from "../../../features/order-ticket/order-ticket.tsx";
import {
  TicketProvider,
  useTicketDispatch,
} from "../../../features/order-ticket/ticket-provider.tsx";
import { useAreCommandsWanted } from "../../../keyboard/commands.ts";
import { useShortcut } from "../../../keyboard/use-shortcut.ts";
import { useIsSignedIn } from "../../../session/use-is-signed-in.ts";
import { classNames } from "../../../ui/class-names.ts";
import { lazyComponent } from "../../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../../ui/panel-boundary.tsx";
import { useSharedValue } from "../../../ui/shared-value.ts";
import { AccountPanels } from "./account-panels.tsx";
import { BookAndTape } from "./book-and-tape.tsx";
import { GRID } from "./grid-classes.ts";
import { LayoutMenu } from "./layout-menu.tsx";
import { APPLY_BEFORE_PAINT, applyWorkspace, chooseNextLayout, workspace } from "./layouts.ts";
import { PhoneTicket } from "./phone-ticket.tsx";
import { useShownPanel } from "./shown-panels.ts";
import { useToastsOver } from "./toast-place.ts";
import { ViewSwitch } from "./view-switch.tsx";
import { VisitorPanels } from "./visitor-panels.tsx";
import { PANEL_IDS, WorkspaceSplitters } from "./workspace-splitters.tsx";

/** Rarely needed, so loaded on demand; its space is reserved until then. */
const StateBanner = lazyComponent(
  () => import("../../../features/market-state/state-banner.tsx"),
  <div className="h-9 shrink-0 border-b border-warn/40 bg-warn-soft" />,
);

/** Code of the commands, loaded when the command palette is first opened. */
const TradeCommands = lazyComponent(() => import("./trade-commands.tsx"));

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

function isPhone(): boolean {
  return window.matchMedia("(max-width: 767px)").matches;
}

/** Whether the URL links to the panels, which are the only content on a phone. */
function isPanelsLink(): boolean {
  return window.location.hash === `#${PANEL_IDS.panels}`;
}

function Screen({ market, markets, venue, onChoose }: TerminalProps) {
  const [view, setView] = useShownPanel("view");
  useLayoutEffect(() => {
    if (isPanelsLink()) setView("orders");
  }, [setView]);
  const [ticketOpen, setTicketOpen] = useState(false);
  const dispatch = useTicketDispatch();
  const chart = useRef<HTMLDivElement>(null);
  const strip = useRef<HTMLDivElement>(null);
  const { layout } = useSharedValue(workspace);
  useShortcut("nextLayout", chooseNextLayout);
  const areCommandsWanted = useAreCommandsWanted();
  useToastsOver(chart, strip);
  useLayoutEffect(() => {
    applyWorkspace();
    return workspace.subscribe(applyWorkspace);
  }, []);
  const isSignedIn = useIsSignedIn();
  const bySymbol = useMemo(() => new Map(markets.map((known) => [known.symbol, known])), [markets]);
  const pick = useCallback(
    (chosen: BookPick) => {
      if (chosen.kind === "price") dispatch({ type: "priceChosen", price: chosen.price });
      else dispatch({ type: "quantityTyped", text: trimDecimal(chosen.quantity) });
      // On a phone the ticket is not beside the book: choosing a level opens it on the side that would trade.
      if (!isPhone()) return;
      dispatch({ type: "sideChosen", side: chosen.side });
      setTicketOpen(true);
    },
    [dispatch],
  );
  const showTicket = useCallback(() => {
    if (isPhone()) setTicketOpen(true);
    else document.querySelector<HTMLElement>(`#${PANEL_IDS.ticket} [name=quantity]`)?.focus();
  }, []);
  const start = useCallback(
    ({ kind, side, price }: OrderStart) => {
      dispatch({ type: "sideChosen", side });
      if (kind === "limit") {
        dispatch({ type: "typeChosen", orderType: "limit" });
        dispatch({ type: "priceChosen", price });
      } else {
        dispatch({ type: "conditionChosen", condition: kind });
        dispatch({ type: "textTyped", field: "trigger", text: price });
      }
      showTicket();
    },
    [dispatch, showTicket],
  );
  return (
    <div className="flex flex-1 flex-col lg:h-(--frame-height) lg:min-h-[40rem] lg:flex-none">
      <ScriptOnce>{APPLY_BEFORE_PAINT}</ScriptOnce>
      <h1 className="sr-only">Trade {market.symbol}</h1>
      {areCommandsWanted ? (
        <PanelBoundary className="h-auto">
          <TradeCommands market={market} onTicket={showTicket} />
        </PanelBoundary>
      ) : null}
      <div className="flex h-8 shrink-0 items-stretch border-b bg-page max-md:hidden">
        <PanelBoundary className="h-auto flex-1 flex-row p-0">
          <MarketTabs markets={markets} current={market} onChoose={onChoose} />
        </PanelBoundary>
        <LayoutMenu />
      </div>
      <div
        ref={strip}
        data-market-strip
        className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b bg-surface px-2 py-1.5 md:h-14 md:flex-nowrap md:py-0 md:max-lg:sticky md:max-lg:top-12 md:max-lg:z-20"
      >
        <PanelBoundary className="h-auto flex-row p-0">
          <MarketSwitcher market={market} onChoose={onChoose} />
          <CoinDetailsButton symbol={market.symbol} />
        </PanelBoundary>
        <MarketStats market={market} isVenueSimulated={venue.simulated} />
      </div>
      {market.status === "trading" && market.closesAt === null ? null : (
        <PanelBoundary className="h-auto">
          <StateBanner market={market} />
        </PanelBoundary>
      )}
      <ViewSwitch view={view} onChange={setView} />
      <div className={GRID}>
        <div
          ref={chart}
          className={classNames(
            "min-h-0 min-w-0 bg-surface [grid-area:chart] max-md:flex max-md:min-h-[22rem] max-md:flex-1 max-md:flex-col",
            view !== "chart" && "max-md:hidden",
          )}
        >
          <PanelBoundary>
            <ChartPanel market={market} onStart={start} />
          </PanelBoundary>
        </div>
        <BookAndTape market={market} layout={layout} view={view} onView={setView} onPick={pick} />
        <div
          id={PANEL_IDS.ticket}
          className="relative min-h-0 min-w-0 overflow-y-auto bg-surface [grid-area:ticket] [scrollbar-width:thin] max-md:hidden"
        >
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
          id={PANEL_IDS.panels}
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
        <WorkspaceSplitters />
      </div>
      <PhoneTicket market={market} open={ticketOpen} onOpenChange={setTicketOpen} />
    </div>
  );
}

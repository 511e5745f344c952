import type { Market, Side } from "#contract/types.ts";
import { useTicketDispatch } from "../../../features/order-ticket/ticket-provider.tsx";
import { Button } from "../../../ui/button.tsx";
import { lazyComponent } from "../../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../../ui/panel-boundary.tsx";

/** Loaded when opened: the sheet needs the dialog library. */
const TicketSheet = lazyComponent(() => import("./ticket-sheet.tsx"));

interface PhoneTicketProps {
  readonly market: Market;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The buttons Buy and Sell at the bottom of a phone's screen; either opens the ticket as a sheet. */
export function PhoneTicket({ market, open, onOpenChange }: PhoneTicketProps) {
  const dispatch = useTicketDispatch();
  const start = (side: Side) => {
    dispatch({ type: "sideChosen", side });
    onOpenChange(true);
  };
  return (
    <div className="md:hidden">
      {/* Keeps the end of the page clear of the fixed buttons. */}
      <div className="h-15" aria-hidden />
      <div
        data-order-bar
        className="fixed inset-x-0 bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-20 grid grid-cols-2 gap-2 border-t bg-surface p-2"
      >
        <Button variant="buy" size="lg" onClick={() => start("buy")} className="font-semibold">
          Buy
        </Button>
        <Button variant="sell" size="lg" onClick={() => start("sell")} className="font-semibold">
          Sell
        </Button>
      </div>
      {open ? (
        <PanelBoundary className="fixed inset-x-0 bottom-[calc(7.25rem+env(safe-area-inset-bottom))] z-20 h-auto border-t bg-raised">
          <TicketSheet market={market} onClose={() => onOpenChange(false)} />
        </PanelBoundary>
      ) : null}
    </div>
  );
}

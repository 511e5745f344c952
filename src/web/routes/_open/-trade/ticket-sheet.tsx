import type { Market } from "#contract/types.ts";
import { OrderTicket } from "../../../features/order-ticket/order-ticket.tsx";
import { Dialog } from "../../../ui/dialog.tsx";

interface TicketSheetProps {
  readonly market: Market;
  readonly onClose: () => void;
}

/** The order ticket in a sheet at the bottom of a phone's screen. Loaded lazily, hence the default export. */
export default function TicketSheet({ market, onClose }: TicketSheetProps) {
  return (
    <Dialog onClose={onClose} title={`Trade ${market.symbol}`} className="p-3!">
      <div className="-mx-3 -mb-3">
        <OrderTicket market={market} onPlaced={onClose} />
      </div>
    </Dialog>
  );
}

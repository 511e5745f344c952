import type { Decimal, Market, Side } from "#contract/types.ts";
import { OrderChips } from "../../format/order-label.tsx";
import { orderTitle } from "../../format/order-words.ts";
import { formatShare } from "../../format/money.ts";
import {
  askBefore,
  changeOrderPreferences,
  CONFIRMABLE_KINDS,
} from "../../session/order-preferences-changes.ts";
import {
  type ConfirmableKind,
  DEVIATIONS,
  useOrderPreferences,
} from "../../session/order-preferences.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { PlainSelect } from "../../ui/plain-select.tsx";
import type { TicketRequest } from "./order-request.ts";
import { ordersOf } from "./request-orders.ts";

interface ConfirmOrderDialogProps {
  readonly side: Side;
  readonly kind: ConfirmableKind;
  readonly request: TicketRequest;
  readonly market: Market;
  /** How much worse than the market the order is, in percent; null if that needs no confirmation. */
  readonly deviation: Decimal | null;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

const OPTIONS = DEVIATIONS.map((value) => ({
  value,
  label: value === "never" ? "Never" : `Above ${value} %`,
}));

/** Asks the user to confirm an order before it is sent. Loaded lazily, hence the default export. */
export default function ConfirmOrderDialog(props: ConfirmOrderDialogProps) {
  const { side, kind, request, market, deviation, onConfirm, onCancel } = props;
  const preferences = useOrderPreferences();
  const label = CONFIRMABLE_KINDS.find((each) => each.kind === kind)?.label ?? "";
  const isBuy = side === "buy";
  const orders = ordersOf(request, market);
  return (
    <Dialog
      onClose={onCancel}
      title={
        deviation === null
          ? orders.length === 1
            ? "Place this order?"
            : `Place these ${orders.length} orders?`
          : `${isBuy ? "Buy" : "Sell"} ${formatShare(deviation)} ${isBuy ? "above" : "below"} the market?`
      }
      description={
        deviation === null
          ? undefined
          : `This order may ${isBuy ? "pay" : "bring"} ${formatShare(deviation)} ${isBuy ? "more" : "less"} than the market's price.`
      }
    >
      <ul className="grid gap-1 rounded-md border bg-page px-3 py-2 text-sm">
        {orders.map((order) => (
          <li key={orderTitle(order)} className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5">
            {orderTitle(order)}
            <OrderChips order={order} />
          </li>
        ))}
      </ul>
      <div className="mt-4 grid gap-3">
        <Checkbox
          label={`Ask before ${withinSentence(label)}`}
          checked={preferences.confirmations[kind]}
          onChange={(event) => askBefore(kind, event.currentTarget.checked)}
        />
        {deviation === null ? null : (
          <div className="flex items-center gap-2 text-xs text-muted">
            Ask before orders off the market by
            <PlainSelect
              aria-label="Ask before orders that are off by"
              value={preferences.deviation}
              options={OPTIONS}
              onChange={(next) => changeOrderPreferences({ deviation: next })}
              className="h-8 border-control/70! bg-page!"
            />
          </div>
        )}
      </div>
      <DialogActions>
        <Button onClick={onCancel}>Back</Button>
        <Button variant={side} onClick={onConfirm}>
          {deviation === null ? "Place" : "Place it anyway"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** "Market orders" within a sentence; a name such as "OCO" stays as it is. */
function withinSentence(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

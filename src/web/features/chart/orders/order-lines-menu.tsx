import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market, Order } from "#contract/types.ts";
import { NumberInput } from "../../../format/number-input.tsx";
import { useCutOff } from "../../../session/connection.ts";
import { errorSentence } from "../../../session/error-sentence.ts";
import { useIsReadOnly } from "../../../session/read-only.ts";
import { FOLLOWS_SENTENCE } from "../../../session/order-change.ts";
import { useCancelOrder } from "../../../session/use-cancel-order.ts";
import { useAmendOrder } from "../../../session/use-amend-order.ts";
import { useFrameQuery } from "../../../session/use-frame-query.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { titleOf } from "./draggable-line.tsx";
import { type MovingField, movingField } from "./moving-field.ts";

const NO_ORDERS: readonly Order[] = [];

interface OrderLinesMenuProps {
  readonly market: Market;
  readonly asksBeforeAmending: boolean;
  readonly onAsk: (asks: boolean) => void;
}

/**
 * Lists the market's open orders, also those whose lines are outside the visible prices: the keyboard's
 * alternative to dragging them. Loaded lazily, hence the default export.
 */
export default function OrderLinesMenu({ market, asksBeforeAmending, onAsk }: OrderLinesMenuProps) {
  const { data: orders = NO_ORDERS } = useFrameQuery(functions.orders.open, {
    market: market.symbol,
  });
  return (
    <div className="grid gap-2 p-2">
      {orders.length === 0 ? (
        <p className="px-1 py-2 text-xs text-muted">
          Your open orders in {market.symbol} appear as lines on the chart.
        </p>
      ) : (
        <ul aria-label="Orders on the chart" className="grid gap-1">
          {orders.map((order) => (
            <OrderRow key={order.orderId} order={order} />
          ))}
        </ul>
      )}
      <Checkbox
        label="Ask before a dragged order is moved"
        checked={asksBeforeAmending}
        onChange={(event) => onAsk(event.currentTarget.checked)}
        className="px-1 text-xs!"
      />
    </div>
  );
}

interface OrderRowProps {
  readonly order: Order;
}

function OrderRow({ order }: OrderRowProps) {
  const isReadOnly = useIsReadOnly();
  const cutOff = useCutOff();
  const { orderId, side } = order;
  const { cancel, isCancelling } = useCancelOrder(orderId);
  const title = titleOf(order);
  const field = movingField(order);
  return (
    <li className="grid gap-1 rounded-sm border bg-page p-1.5">
      <div className="flex items-center gap-2">
        <span
          className={classNames(
            "figures min-w-0 flex-1 truncate text-2xs",
            side === "buy" ? "text-buy" : "text-sell",
          )}
        >
          {title}
        </span>
        <Button
          variant="ghost"
          size="iconSm"
          aria-label={`Cancel ${title}`}
          title="Cancel the order"
          disabled={isReadOnly || isCancelling}
          onClick={cancel}
        >
          <X className="size-4" aria-hidden />
        </Button>
      </div>
      {field === null || isReadOnly ? null : (
        // Stays while the connection is away: a typed price must not be lost.
        <MoveForm order={order} field={field} title={title} isCutOff={cutOff !== null} />
      )}
      {cutOff !== null || field === null ? (
        <p className="text-2xs text-faint">{cutOff ?? FOLLOWS_SENTENCE}</p>
      ) : null}
    </li>
  );
}

interface MoveFormProps extends OrderRowProps {
  readonly field: MovingField;
  readonly title: string;
  readonly isCutOff: boolean;
}

function MoveForm({ order, field, title, isCutOff }: MoveFormProps) {
  const amend = useAmendOrder();
  const [typed, setTyped] = useState<string | null>(null);
  const change = typed === null ? null : field.changeTo(typed);
  const move = (event: FormEvent) => {
    event.preventDefault();
    if (change === null || amend.isPending || isCutOff) return;
    amend.mutate({ order, change }, { onSuccess: () => setTyped(null) });
  };
  return (
    <>
      <form method="post" noValidate onSubmit={move} className="flex items-center gap-2">
        <NumberInput
          aria-label={`${field.label} of ${title}`}
          value={typed ?? field.text}
          trailing={field.unit}
          onChange={(text) => {
            setTyped(text);
            amend.reset();
          }}
          className="h-7 text-xs!"
        />
        <Button
          type="submit"
          size="sm"
          busy={amend.isPending}
          disabled={isCutOff || change === null || typed === field.text}
        >
          Move
        </Button>
      </form>
      {amend.error === null ? null : (
        <p role="alert" className="text-2xs text-sell">
          {errorSentence(amend.error)}
        </p>
      )}
    </>
  );
}

import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market, Order } from "#contract/types.ts";
import { NumberInput } from "../../../format/number-input.tsx";
import { completeNumber } from "../../../format/typed-number.ts";
import { useCutOff } from "../../../session/connection.ts";
import { errorSentence } from "../../../session/error-sentence.ts";
import { useIsReadOnly } from "../../../session/read-only.ts";
import { useCancelOrder } from "../../../session/use-cancel-order.ts";
import { useAmendOrder } from "../../../session/use-amend-order.ts";
import { useFrameQuery } from "../../../session/use-frame-query.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { titleOf } from "./draggable-line.tsx";
import { lineOf, whyNotMovable } from "./order-line.ts";

const NO_ORDERS: readonly Order[] = [];

interface OrderLinesMenuProps {
  readonly market: Market;
  readonly asksBeforeAmending: boolean;
  readonly onAsk: (asks: boolean) => void;
}

/**
 * Lists the order lines, including those outside the visible prices: the keyboard's alternative to
 * dragging them. Loaded lazily, hence the default export.
 */
export default function OrderLinesMenu({ market, asksBeforeAmending, onAsk }: OrderLinesMenuProps) {
  const { data: orders = NO_ORDERS } = useFrameQuery(functions.orders.open, {
    market: market.symbol,
  });
  const drawn = orders.filter((order) => lineOf(order) !== null);
  return (
    <div className="grid gap-2 p-2">
      {drawn.length === 0 ? (
        <p className="px-1 py-2 text-xs text-muted">
          Your open orders in {market.symbol} appear as lines on the chart.
        </p>
      ) : (
        <ul aria-label="Orders on the chart" className="grid gap-1">
          {drawn.map((order) => (
            <OrderRow key={order.orderId} order={order} openOrders={orders} />
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
  readonly openOrders: readonly Order[];
}

function OrderRow({ order, openOrders }: OrderRowProps) {
  const isReadOnly = useIsReadOnly();
  const cutOff = useCutOff();
  const amend = useAmendOrder();
  const [typed, setTyped] = useState<string | null>(null);
  const { orderId, side } = order;
  const { cancel, isCancelling } = useCancelOrder(orderId);
  const line = lineOf(order);
  if (line === null) return null;
  const title = titleOf(order);
  const reason = cutOff ?? whyNotMovable(order, openOrders);
  const move = (event: FormEvent) => {
    event.preventDefault();
    if (typed === null || reason !== null || amend.isPending) return;
    amend.mutate(
      { order, openOrders, change: { [line.field]: completeNumber(typed) } },
      { onSuccess: () => setTyped(null) },
    );
  };
  return (
    <li className="grid gap-1 rounded-sm border bg-page p-1.5">
      <div className="flex items-center gap-2">
        <span
          className={
            side === "buy"
              ? "figures min-w-0 flex-1 truncate text-2xs text-buy"
              : "figures min-w-0 flex-1 truncate text-2xs text-sell"
          }
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
      {reason === null ? (
        <form method="post" noValidate onSubmit={move} className="flex items-center gap-2">
          <NumberInput
            aria-label={`${line.field === "price" ? "Price" : "Trigger price"} of ${title}`}
            value={typed ?? line.price}
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
            disabled={typed === null || typed === line.price}
          >
            Move
          </Button>
        </form>
      ) : (
        <p className="text-2xs text-faint">{reason}</p>
      )}
      {amend.error === null ? null : (
        <p role="alert" className="text-2xs text-sell">
          {errorSentence(amend.error)}
        </p>
      )}
    </li>
  );
}

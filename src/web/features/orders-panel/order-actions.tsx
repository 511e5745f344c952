import { LoaderCircle, Pencil, X } from "lucide-react";
import { useRef, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market, Order } from "#contract/types.ts";
import { formatNumbersIn } from "../../format/number-sentence.ts";
import { orderName } from "../../format/order-words.ts";
import { READ_ONLY_SENTENCE, useIsReadOnly } from "../../session/read-only.ts";
import { useCancelOrder } from "../../session/use-cancel-order.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Button } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { useKeptFocus } from "../../ui/use-kept-focus.ts";

/** Loaded on demand: the dialog needs a library. */
const ChangeOrderDialog = lazyComponent(() => import("./change-order-dialog.tsx"));
const NO_ORDERS: readonly Order[] = [];

interface OrderActionsProps {
  readonly order: Order;
  readonly market: Market;
}

/** Buttons that amend or cancel one order on its page; renders nothing if the order has ended. */
export function OrderActions({ order, market }: OrderActionsProps) {
  const [isChanging, setIsChanging] = useState(false);
  const { data: openOrders = NO_ORDERS } = useFrameQuery(functions.orders.open, {
    market: market.symbol,
  });
  const current = openOrders.find(({ orderId }) => orderId === order.orderId);
  return (
    <>
      {current === undefined ? null : (
        <Buttons order={current} onChange={() => setIsChanging(true)} />
      )}
      {isChanging ? (
        <ChangeOrderDialog
          order={current ?? order}
          market={market}
          openOrders={openOrders}
          onClose={() => setIsChanging(false)}
        />
      ) : null}
    </>
  );
}

interface ButtonsProps {
  readonly order: Order;
  readonly onChange: () => void;
}

function Buttons({ order, onChange }: ButtonsProps) {
  const buttons = useRef<HTMLSpanElement>(null);
  const keptFocus = useKeptFocus(buttons);
  return (
    <span ref={buttons} {...keptFocus} className="contents">
      <ChangeButton order={order} onClick={onChange} />
      <CancelButton order={order} />
    </span>
  );
}

interface ChangeButtonProps {
  readonly order: Order;
  readonly onClick: () => void;
}

export function ChangeButton({ order, onClick }: ChangeButtonProps) {
  const isReadOnly = useIsReadOnly();
  return (
    <Button
      variant="ghost"
      size="iconSm"
      disabled={isReadOnly}
      aria-label={`Change ${orderWords(order)}`}
      title={isReadOnly ? READ_ONLY_SENTENCE : "Change"}
      onClick={onClick}
    >
      <Pencil className="size-3.5" aria-hidden />
    </Button>
  );
}

export function CancelButton({ order }: { readonly order: Order }) {
  const isReadOnly = useIsReadOnly();
  const { cancel, isCancelling } = useCancelOrder(order.orderId);
  return (
    <Button
      variant="ghost"
      size="iconSm"
      disabled={isCancelling || isReadOnly}
      aria-busy={isCancelling || undefined}
      aria-label={`Cancel ${orderWords(order)}`}
      title={isReadOnly ? READ_ONLY_SENTENCE : "Cancel"}
      onClick={cancel}
      className="hover:text-sell!"
    >
      {isCancelling ? (
        <LoaderCircle className="size-4 animate-spin motion-reduce:animate-none" aria-hidden />
      ) : (
        <X className="size-4" aria-hidden />
      )}
    </Button>
  );
}

/** Names the order for screen readers: "buy order in BTC-USD at 60000.00". */
function orderWords(order: Order): string {
  const isPlain = order.price !== null && order.special?.trigger === undefined;
  const name = isPlain ? formatNumbersIn(` at ${order.price}`) : `: ${orderName(order)}`;
  return `${order.side} order in ${order.market}${name}`;
}

import { useRef, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market, Order } from "#contract/types.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { useKeptFocus } from "../../ui/use-kept-focus.ts";
import { CancelButton, ChangeButton } from "./order-actions.tsx";

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
        <PanelBoundary className="h-auto p-0">
          <ChangeOrderDialog
            order={current ?? order}
            market={market}
            openOrders={openOrders}
            onClose={() => setIsChanging(false)}
          />
        </PanelBoundary>
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

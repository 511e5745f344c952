import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market, Order } from "#contract/types.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { CancelButton, ChangeButton } from "./order-buttons.tsx";

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
        <KeptFocus as="span" className="contents">
          <ChangeButton order={current} onClick={() => setIsChanging(true)} />
          <CancelButton order={current} />
        </KeptFocus>
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

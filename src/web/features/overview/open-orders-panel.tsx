import { Link } from "@tanstack/react-router";
import { ListOrdered, X } from "lucide-react";
import type { Market, Order } from "#contract/types.ts";
import { orderWait } from "../../format/order-words.ts";
import { formatQuantity } from "../../format/money.ts";
import { OrderLabel } from "../../format/order-label.tsx";
import { useIsReadOnly } from "../../session/read-only.ts";
import { useCancelOrder } from "../../session/use-cancel-order.ts";
import { usePendingNote } from "../../session/use-pending-note.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";

const SHOWN_MAX = 8;

interface OpenOrdersPanelProps {
  readonly orders: readonly Order[];
  readonly markets: readonly Market[];
}

/** The user's open orders, resting and waiting. */
export function OpenOrdersPanel({ orders, markets }: OpenOrdersPanelProps) {
  return (
    <Panel
      title="Open orders"
      aside={
        orders.length > SHOWN_MAX ? (
          <Link
            to="/trade"
            hash="trade-panels"
            className="touchable rounded-sm text-accent hover:underline"
          >
            All {orders.length}
          </Link>
        ) : undefined
      }
    >
      {orders.length === 0 ? (
        <EmptyState
          icon={ListOrdered}
          title="No open orders"
          text="An order that does not trade at once stays here until it ends."
          action={
            <Link to="/trade" className={buttonClass({ size: "sm" })}>
              Place an order
            </Link>
          }
        />
      ) : (
        <OrderTable orders={orders.slice(0, SHOWN_MAX)} markets={markets} />
      )}
    </Panel>
  );
}

function OrderTable({ orders, markets }: OpenOrdersPanelProps) {
  return (
    <Table aria-label="Open orders">
      <thead className="border-b">
        <tr>
          <TableHead>Market</TableHead>
          <TableHead>Side</TableHead>
          <TableHead>Order</TableHead>
          <TableHead numeric>Quantity</TableHead>
          <TableHead numeric className="hidden sm:table-cell">
            Filled
          </TableHead>
          <TableHead className="w-10 sm:w-20">
            <span className="sr-only">Cancel</span>
          </TableHead>
        </tr>
      </thead>
      <KeptFocus as="tbody">
        {orders.map((order) => (
          <OrderRow
            key={order.orderId}
            order={order}
            market={markets.find(({ symbol }) => symbol === order.market)}
          />
        ))}
      </KeptFocus>
    </Table>
  );
}

function OrderRow({
  order,
  market,
}: {
  readonly order: Order;
  readonly market: Market | undefined;
}) {
  const isReadOnly = useIsReadOnly();
  const { cancel, isCancelling } = useCancelOrder(order.orderId);
  const noteOf = usePendingNote();
  const decimals = market?.quantityDecimals ?? 8;
  return (
    <TableRow>
      <TableCell>
        <Link
          to="/trade"
          search={{ market: order.market }}
          className="touchable rounded-sm font-medium hover:underline"
        >
          {order.market}
        </Link>
      </TableCell>
      <TableCell>
        <Badge tone={order.side}>{order.side === "buy" ? "Buy" : "Sell"}</Badge>
      </TableCell>
      <TableCell>
        <OrderLabel order={order} note={noteOf(order.orderId) ?? orderWait(order)} />
      </TableCell>
      <TableCell numeric>{formatQuantity(order.quantity, decimals)}</TableCell>
      <TableCell numeric className="hidden text-muted sm:table-cell">
        {formatQuantity(order.filledQuantity, decimals)}
      </TableCell>
      <TableCell className="text-right">
        <Button
          size="sm"
          variant="ghost"
          busy={isCancelling}
          disabled={isReadOnly}
          aria-label={`Cancel order ${order.orderId} in ${order.market}`}
          onClick={cancel}
        >
          <X className="size-4 sm:hidden" aria-hidden />
          <span className="hidden sm:inline">Cancel</span>
        </Button>
      </TableCell>
    </TableRow>
  );
}

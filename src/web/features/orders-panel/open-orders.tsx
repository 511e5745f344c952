import { useMutation } from "@tanstack/react-query";
import { ListOrdered, X } from "lucide-react";
import { useMemo } from "react";
import { listKinds, orderName, orderWait } from "#contract/order-words.ts";
import { functions } from "#contract/functions.ts";
import type { Order } from "#contract/types.ts";
import { formatCost } from "../../format/money.ts";
import { useTimeZone } from "../../format/time.ts";
import { useRequests } from "../../session/requests.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Column, SortedTable } from "../../ui/sorted-table.tsx";
import { compareNullable, type Markets, printSize } from "./order-cells.tsx";
import { filledColumn, listOf, nameColumn, placeColumns } from "./order-columns.tsx";
import { openValue } from "./order-progress.ts";
import { RowsLoading } from "./rows-loading.tsx";

interface OpenOrdersProps {
  readonly markets: Markets;
  /** One market's orders; all if undefined. */
  readonly market?: string | undefined;
}

/** Resting and waiting orders, each with a cancel button. */
export function OpenOrders({ markets, market }: OpenOrdersProps) {
  const { data: orders, error } = useFrameQuery(
    functions.orders.open,
    market === undefined ? {} : { market },
  );
  const columns = useOpenOrderColumns(markets, orders ?? NO_ORDERS);
  if (orders === undefined) return <RowsLoading error={error} name="open orders" />;
  if (orders.length === 0) {
    return (
      <EmptyState
        icon={ListOrdered}
        title="No open orders"
        text="Place a limit order in the ticket: it waits here until it is filled or cancelled."
      />
    );
  }
  return (
    <SortedTable
      caption="Open orders"
      columns={columns}
      rows={orders}
      rowKey={(order) => order.orderId}
      initialSort={{ key: "time", descending: true }}
      groupOf={listOf}
      action={CANCEL}
    />
  );
}

const NO_ORDERS: readonly Order[] = [];
const CANCEL = { title: "Cancel", cell: (order: Order) => <CancelButton order={order} /> };

function CancelButton({ order }: { readonly order: Order }) {
  const requests = useRequests();
  const { orderId } = order;
  // A refusal, such as "already filled", appears as a toast.
  const cancel = useMutation({
    mutationFn: () => requests.sendWhenConnected(functions.orders.cancel, { orderId }),
  });
  const isPlain = order.price !== null && order.special?.trigger === undefined;
  const name = isPlain ? ` at ${order.price}` : `: ${orderName(order)}`;
  const what = `${order.side} order in ${order.market}${name}`;
  return (
    <Button
      variant="ghost"
      size="iconSm"
      disabled={cancel.isPending}
      aria-label={`Cancel ${what}`}
      title="Cancel"
      onClick={() => cancel.mutate()}
      className="hover:text-sell!"
    >
      <X className="size-4" aria-hidden />
    </Button>
  );
}

type Key = "time" | "market" | "side" | "name" | "quantity" | "filled" | "value";

function useOpenOrderColumns(
  markets: Markets,
  orders: readonly Order[],
): readonly Column<Order, Key>[] {
  const timeZone = useTimeZone();
  return useMemo(
    () => [
      ...placeColumns<Order>((order) => order.placedAt, timeZone, "max-md:hidden"),
      nameColumn(listKinds(orders), orderWait),
      {
        key: "quantity",
        title: "Quantity",
        numeric: true,
        compare: (left, right) => compareNullable(left.quantity, right.quantity),
        cell: (order) => printSize(order, markets.get(order.market)),
      },
      filledColumn("max-md:hidden"),
      {
        key: "value",
        title: "Open value",
        numeric: true,
        className: "max-[100rem]:hidden",
        compare: (left, right) => compareNullable(openValue(left), openValue(right)),
        cell: (order) => {
          const market = markets.get(order.market);
          return formatCost(openValue(order), market?.quoteDecimals ?? 2, market?.quote);
        },
      },
    ],
    [markets, orders, timeZone],
  );
}

import { ListOrdered } from "lucide-react";
import { functions } from "#contract/functions.ts";
import { usePending } from "../../session/pending-requests.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { OpenOrdersTable } from "./open-orders-table.tsx";
import type { Markets } from "./order-cells.tsx";
import type { OrderFilter } from "./order-filter.ts";
import { PendingPlacements } from "./pending-placements.tsx";
import { RowsLoading } from "./rows-loading.tsx";

interface OpenOrdersProps {
  readonly markets: Markets;
  readonly filter: OrderFilter;
}

/** The table of open orders, resting and waiting, with buttons that amend and cancel. */
export function OpenOrders({ markets, filter }: OpenOrdersProps) {
  const { market } = filter;
  const { data: orders, error } = useFrameQuery(
    functions.orders.open,
    market === undefined ? {} : { market },
  );
  const { placements } = usePending();
  if (orders === undefined) return <RowsLoading error={error} name="open orders" />;
  const sent = placements.filter(({ orders: placed }) =>
    placed.every((order) => market === undefined || order.market === market),
  );
  return (
    <>
      <PendingPlacements placements={sent} />
      {orders.length > 0 ? (
        <OpenOrdersTable markets={markets} filter={filter} orders={orders} />
      ) : sent.length > 0 ? null : (
        <EmptyState
          icon={ListOrdered}
          title="No open orders"
          text="Place a limit order in the ticket: it waits here until it is filled or cancelled."
        />
      )}
    </>
  );
}

import { History } from "lucide-react";
import { useMemo } from "react";
import { listKinds, orderEnd } from "#contract/order-words.ts";
import { functions } from "#contract/functions.ts";
import type { Order } from "#contract/types.ts";
import { orderWait } from "../../format/order-words.ts";
import { useTimeZone } from "../../format/time.ts";
import { useBackend } from "../../session/use-backend.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Column, SortedTable } from "../../ui/sorted-table.tsx";
import { LoadMore } from "./load-more.tsx";
import {
  compareNullable,
  compareTexts,
  type Markets,
  printAverage,
  printSize,
  StatusCell,
} from "./order-cells.tsx";
import {
  endColumn,
  filledColumn,
  listOf,
  nameColumn,
  placeColumns,
  triggerColumn,
} from "./order-columns.tsx";
import { isFiltered, type OrderFilter } from "./order-filter.ts";
import { NothingMatches } from "./nothing-matches.tsx";
import { RowsLoading } from "./rows-loading.tsx";
import { usePagedHistory } from "./use-paged-history.ts";

interface OrderHistoryProps {
  readonly markets: Markets;
  readonly filter: OrderFilter;
}

/** All of the viewer's orders, newest first, the newest live. Loaded lazily, hence the default export. */
export default function OrderHistory({ markets, filter }: OrderHistoryProps) {
  const backend = useBackend();
  const { data, error } = useFrameQuery(functions.orders.recent, { ...filter });
  const history = usePagedHistory(
    data,
    filter,
    (cursor) =>
      backend.action(functions.orders.history, {
        ...filter,
        ...(cursor === null ? {} : { cursor }),
      }),
    keyOf,
  );
  const { rows } = history;
  const columns = useHistoryColumns(markets, rows);
  if (data === undefined || history.isSearching) {
    return <RowsLoading error={error} name="order history" />;
  }
  if (rows.length === 0 && !history.hasMore) {
    return isFiltered(filter) ? (
      <NothingMatches />
    ) : (
      <EmptyState
        icon={History}
        title="No orders yet"
        text="Your first order, filled or not, appears here and stays."
      />
    );
  }
  return (
    <>
      {rows.length === 0 ? <NothingMatches /> : null}
      <SortedTable
        caption="Order history"
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        initialSort={{ key: "time", descending: true }}
        groupOf={listOf}
      />
      <LoadMore hasMore={history.hasMore} isLoading={history.isLoading} onLoad={history.loadMore} />
    </>
  );
}

function keyOf({ orderId }: Order): string {
  return orderId;
}

type Key =
  | "time"
  | "market"
  | "side"
  | "name"
  | "trigger"
  | "average"
  | "quantity"
  | "filled"
  | "status"
  | "end";

/** A filled order needs no explanation. */
function noteOf(order: Order): string | null {
  return order.status === "filled" ? null : (orderEnd(order) ?? orderWait(order));
}

function useHistoryColumns(
  markets: Markets,
  orders: readonly Order[],
): readonly Column<Order, Key>[] {
  const timeZone = useTimeZone();
  return useMemo(
    () => [
      ...placeColumns<Order>((order) => order.placedAt, timeZone, "max-md:hidden"),
      nameColumn(listKinds(orders), noteOf),
      {
        key: "average",
        title: "Average",
        numeric: true,
        className: "max-md:hidden",
        compare: (left, right) => compareNullable(left.averagePrice, right.averagePrice),
        cell: (order) => printAverage(order.averagePrice, markets.get(order.market)),
      },
      {
        key: "quantity",
        title: "Quantity",
        numeric: true,
        compare: (left, right) => compareNullable(left.quantity, right.quantity),
        cell: (order) => printSize(order, markets.get(order.market)),
      },
      filledColumn("max-md:hidden"),
      {
        key: "status",
        title: "Status",
        compare: (left, right) => compareTexts(left.status, right.status),
        cell: (order) => <StatusCell status={order.status} />,
      },
      triggerColumn(markets, "max-md:hidden"),
      endColumn(timeZone, "max-md:hidden"),
    ],
    [markets, orders, timeZone],
  );
}

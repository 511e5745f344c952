import { CatchBoundary, type ErrorComponentProps } from "@tanstack/react-router";
import { usePaginatedQuery } from "convex/react";
import { History } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { orderEnd } from "#contract/order-ends.ts";
import { functions } from "#contract/functions.ts";
import type { Order } from "#contract/types.ts";
import { orderWait } from "../../format/order-words.ts";
import { useTimeZone } from "../../format/time.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Column, SortedTable } from "../../ui/sorted-table.tsx";
import { LoadMore } from "./load-more.tsx";
import { compareNullable, type Markets, printAverage } from "./order-cells.tsx";
import {
  endColumn,
  filledColumn,
  listOf,
  nameColumn,
  placeColumns,
  quantityColumn,
  statusColumn,
  triggerColumn,
} from "./order-columns.tsx";
import { isFiltered, type OrderFilter } from "./order-filter.ts";
import { NothingMatches } from "./nothing-matches.tsx";
import { RowsLoading } from "./rows-loading.tsx";
import { useSearchedPages } from "./use-searched-pages.ts";

const PAGE_SIZE = 50;

interface OrderHistoryProps {
  readonly markets: Markets;
  readonly filter: OrderFilter;
}

/** The server waits for its history before it gives up on a read. */
const RETRY_MS = 2_000;

/** The table of all of the viewer's orders, newest first. Loaded lazily, hence the default export. */
export default function OrderHistory(props: OrderHistoryProps) {
  const scope = JSON.stringify(props.filter);
  const [failed, setFailed] = useState<{ scope: string; error: Error } | null>(null);
  const error = failed?.scope === scope ? failed.error : null;
  return (
    <>
      {error === null ? null : <RowsLoading error={error} name="order history" isRetried />}
      <CatchBoundary
        getResetKey={() => scope}
        onCatch={(caught) =>
          setFailed({ scope, error: caught instanceof Error ? caught : new Error(String(caught)) })
        }
        errorComponent={RetryLater}
      >
        <OrderRows {...props} isRetried={error !== null} onLoaded={() => setFailed(null)} />
      </CatchBoundary>
    </>
  );
}

function RetryLater({ reset }: ErrorComponentProps) {
  useEffect(() => {
    const timer = setTimeout(reset, RETRY_MS);
    return () => clearTimeout(timer);
  }, [reset]);
  return null;
}

interface OrderRowsProps extends OrderHistoryProps {
  /** The failure is already shown. */
  readonly isRetried: boolean;
  readonly onLoaded: () => void;
}

function OrderRows({ markets, filter, isRetried, onLoaded }: OrderRowsProps) {
  const history = usePaginatedQuery(
    functions.orders.list,
    { ...filter },
    { initialNumItems: PAGE_SIZE },
  );
  const { results: rows, status } = history;
  const pages = useSearchedPages(history, JSON.stringify(filter), PAGE_SIZE);
  const columns = useHistoryColumns(markets);
  const isLoading = status === "LoadingFirstPage" || (rows.length === 0 && pages.hasMore);
  useEffect(() => {
    if (!isLoading && isRetried) onLoaded();
  });
  if (isLoading) return isRetried ? null : <RowsLoading error={null} name="order history" />;
  if (rows.length === 0) {
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
      <SortedTable
        caption="Order history"
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        initialSort={{ key: "time", descending: true }}
        groupOf={listOf}
      />
      <LoadMore hasMore={pages.hasMore} isLoading={pages.isLoading} onLoad={pages.loadMore} />
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

/** Why an order ended; null for a filled order, which needs no explanation. */
function noteOf(order: Order): string | null {
  return order.status === "filled" ? null : (orderEnd(order) ?? orderWait(order));
}

function useHistoryColumns(markets: Markets): readonly Column<Order, Key>[] {
  const timeZone = useTimeZone();
  return useMemo(
    () => [
      ...placeColumns<Order>((order) => order.placedAt, timeZone, "max-md:hidden"),
      nameColumn(noteOf),
      {
        key: "average",
        title: "Average",
        numeric: true,
        className: "max-md:hidden",
        compare: (left, right) => compareNullable(left.averagePrice, right.averagePrice),
        cell: (order) => printAverage(order.averagePrice, markets.get(order.market)),
      },
      quantityColumn(markets, "min-[110rem]:hidden"),
      filledColumn("max-[110rem]:hidden"),
      statusColumn(timeZone, "max-[72rem]:hidden min-[110rem]:hidden"),
      // If there is no room for it, the order's name includes the trigger.
      triggerColumn(markets, "max-[110rem]:hidden"),
      endColumn(timeZone, "max-md:hidden lg:max-[110rem]:hidden"),
    ],
    [markets, timeZone],
  );
}

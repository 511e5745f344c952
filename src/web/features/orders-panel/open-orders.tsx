import { ListOrdered } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { listKinds } from "#contract/order-words.ts";
import { functions } from "#contract/functions.ts";
import type { Order } from "#contract/types.ts";
import { orderWait } from "../../format/order-words.ts";
import { formatCost } from "../../format/money.ts";
import { useTimeZone } from "../../format/time.ts";
import { usePending } from "../../session/pending-requests.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { usePendingNote } from "../../session/use-pending-note.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { type Column, SortedTable } from "../../ui/sorted-table.tsx";
import { CancelButton, ChangeButton } from "./order-actions.tsx";
import { compareNullable, type Markets, printSize } from "./order-cells.tsx";
import {
  endColumn,
  filledColumn,
  listOf,
  nameColumn,
  placeColumns,
  triggerColumn,
} from "./order-columns.tsx";
import { openValue } from "./order-progress.ts";
import { matchesOrder, type OrderFilter } from "./order-filter.ts";
import { NothingMatches } from "./nothing-matches.tsx";
import { PendingPlacements } from "./pending-placements.tsx";
import { RowsLoading } from "./rows-loading.tsx";

/** Dialogs are loaded on demand: they need a library. */
const ChangeOrderDialog = lazyComponent(() => import("./change-order-dialog.tsx"));

interface OpenOrdersProps {
  readonly markets: Markets;
  readonly filter: OrderFilter;
}

/** Resting and waiting orders, each with buttons that change and cancel it. */
export function OpenOrders({ markets, filter }: OpenOrdersProps) {
  const { market } = filter;
  const { data: orders, error } = useFrameQuery(
    functions.orders.open,
    market === undefined ? {} : { market },
  );
  const pendingNote = usePendingNote();
  const { placements } = usePending();
  const columns = useOpenOrderColumns(markets, orders ?? NO_ORDERS, pendingNote);
  const [changing, setChanging] = useState<Order | null>(null);
  const action = useRowActions(setChanging);
  const close = useCallback(() => setChanging(null), []);
  if (orders === undefined) return <RowsLoading error={error} name="open orders" />;
  const rows = orders.filter((order) => matchesOrder(order, filter));
  const current = orders.find(({ orderId }) => orderId === changing?.orderId) ?? changing;
  const changingMarket = current === null ? undefined : markets.get(current.market);
  const sent = placements.filter(({ orders: placed }) =>
    placed.every((order) => market === undefined || order.market === market),
  );
  return (
    <>
      <PendingPlacements placements={sent} />
      {orders.length === 0 && sent.length > 0 ? null : orders.length === 0 ? (
        <EmptyState
          icon={ListOrdered}
          title="No open orders"
          text="Place a limit order in the ticket: it waits here until it is filled or cancelled."
        />
      ) : rows.length === 0 ? (
        <NothingMatches />
      ) : (
        <SortedTable
          caption="Open orders"
          columns={columns}
          rows={rows}
          rowKey={(order) => order.orderId}
          initialSort={{ key: "time", descending: true }}
          groupOf={listOf}
          action={action}
          rowClassName={(order) => (pendingNote(order.orderId) === null ? "" : "bg-raised/60")}
        />
      )}
      {current === null || changingMarket === undefined ? null : (
        <ChangeOrderDialog
          order={current}
          market={changingMarket}
          openOrders={orders}
          onClose={close}
        />
      )}
    </>
  );
}

const NO_ORDERS: readonly Order[] = [];

function useRowActions(onChange: (order: Order) => void) {
  return useMemo(
    () => ({
      title: "Change or cancel",
      cell: (order: Order) => (
        <span className="inline-flex">
          <ChangeButton order={order} onClick={() => onChange(order)} />
          <CancelButton order={order} />
        </span>
      ),
    }),
    [onChange],
  );
}

type Key =
  | "time"
  | "market"
  | "side"
  | "name"
  | "trigger"
  | "quantity"
  | "filled"
  | "end"
  | "value";

function useOpenOrderColumns(
  markets: Markets,
  orders: readonly Order[],
  pendingNote: (orderId: string) => string | null,
): readonly Column<Order, Key>[] {
  const timeZone = useTimeZone();
  return useMemo(
    () => [
      ...placeColumns<Order>((order) => order.placedAt, timeZone, "max-md:hidden"),
      nameColumn(listKinds(orders), (order) => pendingNote(order.orderId) ?? orderWait(order)),
      {
        key: "quantity",
        title: "Quantity",
        numeric: true,
        compare: (left, right) => compareNullable(left.quantity, right.quantity),
        cell: (order) => printSize(order, markets.get(order.market)),
      },
      filledColumn("max-md:hidden"),
      triggerColumn(markets, "max-md:hidden"),
      endColumn(timeZone, "max-md:hidden"),
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
    [markets, orders, timeZone, pendingNote],
  );
}

import { useCallback, useMemo, useState } from "react";
import type { Order } from "#contract/types.ts";
import { orderWait } from "../../format/order-words.ts";
import { formatCost } from "../../format/money.ts";
import { useTimeZone } from "../../format/time.ts";
import { usePendingNote } from "../../session/use-pending-note.ts";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { type Column, SortedTable } from "../../ui/sorted-table.tsx";
import { CancelButton, ChangeButton } from "./order-buttons.tsx";
import { compareNullable, type Markets } from "./order-cells.tsx";
import {
  endColumn,
  filledColumn,
  listOf,
  nameColumn,
  placeColumns,
  quantityColumn,
  triggerColumn,
} from "./order-columns.tsx";
import { openValue } from "./order-progress.ts";
import { matchesOrder, type OrderFilter } from "./order-filter.ts";
import { NothingMatches } from "./nothing-matches.tsx";

/** Dialogs are loaded on demand: they need a library. */
const ChangeOrderDialog = lazyComponent(() => import("./change-order-dialog.tsx"));

interface OpenOrdersTableProps {
  readonly markets: Markets;
  readonly filter: OrderFilter;
  readonly orders: readonly Order[];
}

/** Open orders as rows. */
export function OpenOrdersTable({ markets, filter, orders }: OpenOrdersTableProps) {
  const pendingNote = usePendingNote();
  const columns = useOpenOrderColumns(markets, pendingNote);
  const [changing, setChanging] = useState<Order | null>(null);
  const action = useRowActions(setChanging);
  const close = useCallback(() => setChanging(null), []);
  const rows = orders.filter((order) => matchesOrder(order, filter));
  const current = orders.find(({ orderId }) => orderId === changing?.orderId) ?? changing;
  const changingMarket = current === null ? undefined : markets.get(current.market);
  return (
    <>
      {rows.length === 0 ? (
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
  pendingNote: (orderId: string) => string | null,
): readonly Column<Order, Key>[] {
  const timeZone = useTimeZone();
  return useMemo(
    () => [
      ...placeColumns<Order>((order) => order.placedAt, timeZone, "max-md:hidden"),
      nameColumn((order) => pendingNote(order.orderId) ?? orderWait(order)),
      quantityColumn(markets, "min-[110rem]:hidden"),
      filledColumn("max-[110rem]:hidden"),
      triggerColumn(markets, "max-md:hidden"),
      // If there is no room for it, the order's name includes an expiry that was set.
      endColumn(timeZone, "max-[110rem]:hidden"),
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
    [markets, timeZone, pendingNote],
  );
}

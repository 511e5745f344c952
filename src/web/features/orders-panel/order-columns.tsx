/** Columns shared by the tables of orders and fills. */
import type { Decimal, Order, Side } from "#contract/types.ts";
import type { ListKind } from "#contract/order-words.ts";
import { OrderLabel } from "../../format/order-label.tsx";
import { formatShortDateTime } from "../../format/time.ts";
import type { Column } from "../../ui/sorted-table.tsx";
import {
  compareNullable,
  compareTexts,
  MarketCell,
  type Markets,
  printPrice,
  SideCell,
} from "./order-cells.tsx";
import { filledPercent, referencePrice } from "./order-progress.ts";

interface InMarket {
  readonly market: string;
  readonly side: Side;
  readonly price: Decimal | null;
}

/** Time, market and side; `timeOf` returns milliseconds since 1970. */
export function placeColumns<Row extends InMarket>(
  timeOf: (row: Row) => number,
  timeZone: string,
  timeClassName = "",
): readonly Column<Row, "time" | "market" | "side">[] {
  return [
    {
      key: "time",
      title: "Time",
      className: `figures text-muted ${timeClassName}`,
      compare: (left, right) => timeOf(left) - timeOf(right),
      cell: (row) => formatShortDateTime(timeOf(row), timeZone),
    },
    {
      key: "market",
      title: "Market",
      compare: (left, right) => compareTexts(left.market, right.market),
      cell: (row) => <MarketCell symbol={row.market} />,
    },
    {
      key: "side",
      title: "Side",
      compare: (left, right) => compareTexts(left.side, right.side),
      cell: (row) => <SideCell side={row.side} />,
    },
  ];
}

export function priceColumn<Row extends InMarket>(markets: Markets): Column<Row, "price"> {
  return {
    key: "price",
    title: "Price",
    numeric: true,
    compare: (left, right) => compareNullable(left.price, right.price),
    cell: (row) => printPrice(row.price, markets.get(row.market)),
  };
}

/**
 * The order by its name; sorts by the price that decides first.
 * @param noteOf what it waits for, or why it ended
 */
export function nameColumn(
  lists: ReadonlyMap<string, ListKind>,
  noteOf: (order: Order) => string | null,
): Column<Order, "name"> {
  return {
    key: "name",
    title: "Order",
    compare: (left, right) => compareNullable(referencePrice(left), referencePrice(right)),
    cell: (order) => (
      <OrderLabel order={order} list={lists.get(listOf(order) ?? "")} note={noteOf(order)} />
    ),
  };
}

/** The id of the order's list, if it is in one. */
export function listOf({ special }: Order): string | undefined {
  return special?.listId;
}

export function filledColumn(className = ""): Column<Order, "filled"> {
  return {
    key: "filled",
    title: "Filled",
    numeric: true,
    className,
    compare: (left, right) => filledPercent(left) - filledPercent(right),
    cell: (order) => `${filledPercent(order)}%`,
  };
}

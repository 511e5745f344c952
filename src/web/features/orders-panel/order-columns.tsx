/** Columns that the tables of orders and fills have in common. */
import type { Decimal, Order, Side } from "#contract/types.ts";
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
import { filledPercent, typeText } from "./order-progress.ts";

interface InMarket {
  readonly market: string;
  readonly side: Side;
  readonly price: Decimal | null;
}

/** When, in which market and on which side; `timeOf` gives milliseconds since 1970. */
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

export const TYPE_COLUMN: Column<Order, "type"> = {
  key: "type",
  title: "Type",
  className: "text-muted max-md:hidden",
  cell: typeText,
};

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

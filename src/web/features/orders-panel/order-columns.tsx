/** Table columns shared by the tables of orders and fills. */
import type { Decimal, Order, Side } from "#contract/types.ts";
import { NO_VALUE } from "../../format/decimal-text.ts";
import { formatBps } from "../../format/money.ts";
import { OrderLabel } from "../../format/order-label.tsx";
import { formatShortDateTime } from "../../format/time.ts";
import { classNames } from "../../ui/class-names.ts";
import type { Column } from "../../ui/sorted-table.tsx";
import {
  compareNullable,
  compareTexts,
  MarketCell,
  type Markets,
  printPrice,
  printSize,
  SideCell,
  StatusCell,
} from "./order-cells.tsx";
import { filledPercent, referencePrice } from "./order-progress.ts";

interface InMarket {
  readonly market: string;
  readonly side: Side;
  readonly price: Decimal | null;
}

/** Puts the date above the time where the side stands below the market, too. */
const TWO_LINES_CLASS = "max-[72rem]:w-16 max-[72rem]:min-w-16 max-[72rem]:whitespace-normal!";

/** Columns for time, market and side; `timeOf` returns milliseconds since 1970. */
export function placeColumns<Row extends InMarket>(
  timeOf: (row: Row) => number,
  timeZone: string,
  timeClassName = "",
): readonly Column<Row, "time" | "market" | "side">[] {
  return [
    {
      key: "time",
      title: "Time",
      className: `figures text-muted ${TWO_LINES_CLASS} ${timeClassName}`,
      compare: (left, right) => timeOf(left) - timeOf(right),
      cell: (row) => formatShortDateTime(timeOf(row), timeZone),
    },
    {
      key: "market",
      title: "Market",
      compare: (left, right) => compareTexts(left.market, right.market),
      cell: (row) => (
        <>
          <MarketCell symbol={row.market} />
          {/* Laptops and phones have no room for a separate column. */}
          <span className="block min-[72rem]:hidden">
            <SideCell side={row.side} />
          </span>
        </>
      ),
    },
    {
      key: "side",
      title: "Side",
      className: "max-[72rem]:hidden",
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
 * Column with the order's name; sorts by the price that applies first.
 * @param noteOf the condition that the order waits for, or the reason for its end
 */
export function nameColumn(noteOf: (order: Order) => string | null): Column<Order, "name"> {
  return {
    key: "name",
    title: "Order",
    className: "max-md:w-full",
    compare: (left, right) => compareNullable(referencePrice(left), referencePrice(right)),
    cell: (order) => <OrderLabel order={order} note={noteOf(order)} />,
  };
}

/** The id of the list to which the order belongs; undefined if none. */
export function listOf({ special }: Order): string | undefined {
  return special?.listId;
}

/** Column with the order's trigger price, or the distance of a trailing stop. */
export function triggerColumn(markets: Markets, className: string): Column<Order, "trigger"> {
  return {
    key: "trigger",
    title: "Trigger",
    numeric: true,
    className,
    compare: (left, right) => compareNullable(triggerPrice(left), triggerPrice(right)),
    cell: (order) => {
      const trigger = order.special?.trigger;
      if (trigger === undefined) return NO_VALUE;
      if (trigger.price === undefined) return formatBps(trigger.trailBps ?? 0);
      return printPrice(trigger.price, markets.get(order.market));
    },
  };
}

function triggerPrice({ special }: Order): Decimal | null {
  return special?.trigger?.price ?? null;
}

/** When an ended order ended, or an open one expires; null if it does not. */
function endOf({ endReason, updatedAt, special }: Order): number | null {
  return endReason === undefined ? (special?.expiresAt ?? null) : updatedAt;
}

/** Column with the time at which an open order expires, or an ended order ended. */
export function endColumn(timeZone: string, className: string): Column<Order, "end"> {
  return {
    key: "end",
    title: "End",
    className: `figures text-muted ${TWO_LINES_CLASS} ${className}`,
    compare: (left, right) => (endOf(left) ?? Infinity) - (endOf(right) ?? Infinity),
    cell: (order) => {
      const end = endOf(order);
      if (end !== null) return formatShortDateTime(end, timeZone);
      return order.timeInForce === "gtc" ? "GTC" : NO_VALUE;
    },
  };
}

/**
 * Column with the requested size; below it the part that is filled.
 * @param partClassName hides the part where there is a column of its own
 */
export function quantityColumn(markets: Markets, partClassName: string): Column<Order, "quantity"> {
  return {
    key: "quantity",
    title: "Quantity",
    numeric: true,
    compare: (left, right) => compareNullable(left.quantity, right.quantity),
    cell: (order) => {
      const percent = filledPercent(order);
      return (
        <>
          {printSize(order, markets.get(order.market))}
          {percent === 0 || percent === 100 ? null : (
            <span className={classNames("block text-2xs/3.5 text-muted", partClassName)}>
              {percent}% filled
            </span>
          )}
        </>
      );
    },
  };
}

/**
 * Column with the order's status; below it when it ended.
 * @param endClassName hides the end if it has its own column, or there is no room
 */
export function statusColumn(timeZone: string, endClassName: string): Column<Order, "status"> {
  return {
    key: "status",
    title: "Status",
    compare: (left, right) => compareTexts(left.status, right.status),
    cell: (order) => (
      <>
        <StatusCell status={order.status} />
        {order.endReason === undefined ? null : (
          <span className={classNames("figures mt-px block text-2xs/3.5 text-muted", endClassName)}>
            {formatShortDateTime(order.updatedAt, timeZone)}
          </span>
        )}
      </>
    ),
  };
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

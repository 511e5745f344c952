import type { Chart } from "klinecharts";
import { functions } from "#contract/functions.ts";
import type { Market, Order } from "#contract/types.ts";
import { useFrameQuery } from "../../../session/use-frame-query.ts";
import type { ChartPalette } from "../chart-palette.ts";
import { DraggableLine } from "./draggable-line.tsx";
import { lineOf } from "./order-line.ts";

const NO_ORDERS: readonly Order[] = [];

export interface OrderLinesProps {
  readonly chart: Chart;
  readonly palette: ChartPalette;
  readonly market: Market;
  readonly asksBeforeAmending: boolean;
}

/** Draws the viewer's open orders as lines across the candles. */
export function OrderLines({ market, ...rest }: OrderLinesProps) {
  const { data: orders = NO_ORDERS } = useFrameQuery(functions.orders.open, {
    market: market.symbol,
  });
  return (
    <div className="pointer-events-none absolute inset-0 overflow-hidden">
      {orders.map((order) => {
        const line = lineOf(order);
        return line === null ? null : (
          <DraggableLine key={order.orderId} {...rest} market={market} order={order} line={line} />
        );
      })}
    </div>
  );
}

/** The viewer's open orders as lines across the chart. */
import { type Chart, registerOverlay } from "klinecharts";
import { orderTitle } from "#contract/order-words.ts";
import type { Decimal, Order } from "#contract/types.ts";
import { subtractDecimals } from "#contract/decimal.ts";
import type { ChartPalette } from "./chart-styles.ts";

const OVERLAY = "ownOrder";
const GROUP = "ownOrders";
const FONT_PX = 11;

interface OrderLine {
  readonly label: string;
  readonly color: string;
  readonly background: string;
  readonly family: string;
}

/** Call once, before the first chart is created. */
export function registerOrderLines(): void {
  registerOverlay<OrderLine>({
    name: OVERLAY,
    totalStep: 1,
    lock: true,
    needDefaultPointFigure: false,
    needDefaultXAxisFigure: false,
    needDefaultYAxisFigure: false,
    createPointFigures: ({ overlay, coordinates, bounding }) => {
      const y = coordinates[0]?.y;
      if (y === undefined) return [];
      const { color, label, background, family } = overlay.extendData;
      return [
        {
          type: "line",
          ignoreEvent: true,
          attrs: {
            coordinates: [
              { x: 0, y },
              { x: bounding.width, y },
            ],
          },
          styles: { style: "dashed", dashedValue: [4, 4], size: 1, color },
        },
        {
          type: "text",
          ignoreEvent: true,
          attrs: { x: bounding.width - 8, y, text: label, align: "right", baseline: "middle" },
          styles: textStyle(color, background, family, color),
        },
      ];
    },
  });
}

function textStyle(color: string, backgroundColor: string, family: string, borderColor: string) {
  return {
    style: "stroke_fill",
    color,
    size: FONT_PX,
    family,
    backgroundColor,
    borderColor,
    borderSize: 1,
    borderRadius: 3,
    paddingLeft: 4,
    paddingRight: 4,
    paddingTop: 2,
    paddingBottom: 2,
  };
}

/** The order's next price; null for a trailing stop, which only the engine can locate. */
function linePrice({ price, special }: Order): Decimal | null {
  const trigger = special?.waitsFor === undefined ? undefined : special.trigger;
  if (trigger === undefined) return price;
  return trigger.type === "trailingStop" ? null : (trigger.price ?? null);
}

export function drawOrderLines(
  chart: Chart,
  orders: readonly Order[],
  palette: ChartPalette,
): void {
  chart.removeOverlay({ groupId: GROUP });
  for (const order of orders) {
    const price = linePrice(order);
    if (price === null) continue;
    const extendData: OrderLine = {
      label: orderTitle({
        ...order,
        quantity:
          order.quantity === null ? null : subtractDecimals(order.quantity, order.filledQuantity),
      }),
      color: order.side === "buy" ? palette.buy : palette.sell,
      background: palette.page,
      family: palette.mono,
    };
    chart.createOverlay({
      name: OVERLAY,
      id: `order-${order.orderId}`,
      groupId: GROUP,
      lock: true,
      // For drawing only, hence a float.
      points: [{ value: Number(price) }],
      extendData,
    });
  }
}

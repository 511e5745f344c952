/** The orders that a command placed, as answers to that command. */
import type { ExchangeEvent } from "#engine/events.ts";
import { fillsIn } from "../../functions/orders.ts";
import { type OrderListRecord, placedList } from "../../records/order-lists.ts";
import {
  applyChange,
  applyEnd,
  applyTrade,
  type OrderRecord,
  type OrderState,
  placedOrder,
} from "../../records/orders.ts";
import type { FillRecord } from "../../records/trades.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { describeFill, describeProgress, identityOf, workingTimeOf } from "./describe-order.ts";
import { duplicateOrder } from "./order-refusals.ts";

export interface PlacedOrder {
  readonly order: OrderRecord;
  /** Oldest first. */
  readonly fills: readonly FillRecord[];
}

/**
 * The orders that one command placed, in their state right after it.
 * @throws ApiError if the command was a repetition, which placed nothing
 */
export function ordersPlacedBy(
  events: readonly ExchangeEvent[],
  market: MarketView,
): PlacedOrder[] {
  const orders = new Map<number, OrderState>();
  let list: OrderListRecord | undefined;
  for (const event of events) {
    switch (event.type) {
      case "orderListPlaced":
        list = placedList(event);
        break;
      case "requestRepeated":
        throw duplicateOrder();
      case "orderPlaced":
        orders.set(event.orderId, placedOrder(event, list));
        break;
      case "orderWaiting":
      case "orderActivated":
      case "orderAmended":
      case "waitingOrderAmended":
      case "quantityDecremented": {
        const order = orders.get(event.orderId);
        if (order !== undefined) applyChange(order, event);
        break;
      }
      case "traded":
        for (const orderId of [event.takerOrderId, event.makerOrderId]) {
          const order = orders.get(orderId);
          if (order !== undefined) applyTrade(order, event);
        }
        break;
      case "orderEnded": {
        const order = orders.get(event.orderId);
        if (order !== undefined) applyEnd(order, event);
        break;
      }
      default:
    }
  }
  return [...orders.values()].map((order) => ({ order, fills: fillsIn(events, order, market) }));
}

export type ResponseType = "ACK" | "RESULT" | "FULL";

/** The requested type of response, or the default of the order's type. */
export function responseTypeOf({
  newOrderRespType,
  type,
}: {
  readonly newOrderRespType?: ResponseType | undefined;
  readonly type: string;
}): ResponseType {
  return newOrderRespType ?? (type === "MARKET" || type === "LIMIT" ? "FULL" : "ACK");
}

/** The answer of a call that placed an order. */
export function describePlaced(
  { order, fills }: PlacedOrder,
  market: MarketView,
  responseType: ResponseType,
) {
  const transactTime = order.placedAtMs;
  if (responseType === "ACK") return { ...identityOf(order, market), transactTime };
  const result = {
    ...identityOf(order, market),
    transactTime,
    ...describeProgress(order, market),
    workingTime: workingTimeOf(order),
  };
  if (responseType === "RESULT") return result;
  return Object.assign(result, { fills: fills.map((fill) => describeFill(fill, market)) });
}

/**
 * A person's order from its placement to its end: the recorded fields, and how each event changes
 * them. Views, history and exports fold orders with these functions and no others.
 */
import type { OrderKind } from "#contract/enumerations.ts";
import type { OrderEnd } from "#contract/order-ends.ts";
import { kindOf } from "#contract/order-words.ts";
import type {
  OrderConditions,
  OrderListKind,
  OrderType,
  Side,
  TimeInForce,
} from "#engine/commands.ts";
import type { EventOf, FeeSource, OrderEndStatus } from "#engine/events.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";
import type { OrderListRecord } from "./order-lists.ts";
import {
  changing,
  type ChangingRecordOf,
  fixed,
  RecordKind,
  type RecordOf,
} from "./record-kind.ts";

/**
 * If the order's list ended otherwise than by a cancellation, `workingOrderExpired` if the order waited for
 * the list's working order, else `listExpired`; of any other order the engine's reason.
 */
type RecordedEndReason = OrderEnd | RejectReason;

export const ORDERS = new RecordKind({
  orderId: fixed("order_id").integer(),
  account: fixed("account").integer(),
  marketId: fixed("market_id").integer(),
  clientOrderId: fixed("client_order_id").text<string>(),
  side: fixed("side").text<Side>(),
  orderType: fixed("order_type").text<OrderType>(),
  timeInForce: fixed("time_in_force").text<TimeInForce>(),
  postOnly: fixed("post_only").flag(),
  /** The limit price; 0 for market orders. */
  priceTicks: changing("price_ticks").integer(),
  /** The size in lots; 0 for market orders by quote amount. */
  quantityLots: changing("quantity_lots").integer(),
  /** Size in quote units; 0 if the order has a quantity. */
  quoteAmount: changing("quote_amount").integer(),
  makerFeeBps: fixed("maker_fee_bps").integer(),
  takerFeeBps: fixed("taker_fee_bps").integer(),
  feeSource: fixed("fee_source").text<FeeSource>(),
  /** The order's conditions; absent for a plain order. */
  conditions: changing("conditions").optionalJson<OrderConditions>(),
  /** The list with which the order was placed, 0 if none. */
  listId: fixed("list_id").integer(),
  /** The kind of that list; "" if none. */
  listKind: fixed("list_kind").text<OrderListKind | "">(),
  /** The condition that the order waits for; while it waits, it is open but in no book. */
  waitsFor: changing("waits_for").text<"nothing" | EventOf<"orderWaiting">["waitsFor"]>(),
  /** The trigger price; of a waiting trailing stop its present one; 0 if none. */
  triggerTicks: changing("trigger_ticks").integer(),
  placedAtMs: fixed("placed_at").integer(),
  /**
   * When the order was sent to the market: at its placement, or once its condition was met; 0 if not yet.
   */
  workingSinceMs: changing("working_since").integer(),
  placedSequence: fixed("placed_sequence").integer(),
  status: changing("status").text<"open" | OrderEndStatus>(),
  /** Why the order ended; "" while it is open. */
  endReason: changing("end_reason").text<RecordedEndReason | "">(),
  filledLots: changing("filled_lots").integer(),
  /** Quote units traded so far. */
  filledNotional: changing("filled_quote").integer(),
  updatedAtMs: changing("updated_at").integer(),
  /** The sequence of the last event that changed the order. */
  updatedSequence: changing("updated_sequence").integer(),
});

/** An order in its current state. */
export type OrderRecord = RecordOf<typeof ORDERS.fields>;
/** An order that is being folded, with its changing fields writable. */
export type OrderState = ChangingRecordOf<typeof ORDERS.fields>;
export type OrderChange = EventOf<
  "orderActivated" | "orderAmended" | "orderWaiting" | "quantityDecremented" | "waitingOrderAmended"
>;

/** The kind of an order, as its owner sees it. */
export function kindOfOrder({ orderType, conditions }: OrderRecord): OrderKind {
  return kindOf(orderType, conditions?.trigger?.kind, conditions?.displayLots !== undefined);
}

/** @param list the list that the same command placed, if the order belongs to one */
export function placedOrder(
  event: EventOf<"orderPlaced">,
  list?: Pick<OrderListRecord, "kind">,
): OrderState {
  return {
    orderId: event.orderId,
    account: event.account,
    marketId: event.marketId,
    clientOrderId: event.clientOrderId,
    side: event.side,
    orderType: event.orderType,
    timeInForce: event.timeInForce,
    postOnly: event.postOnly,
    priceTicks: event.priceTicks,
    quantityLots: event.quantityLots,
    quoteAmount: event.quoteAmount,
    makerFeeBps: event.makerFeeBps,
    takerFeeBps: event.takerFeeBps,
    feeSource: event.feeSource,
    ...(event.conditions !== undefined && { conditions: event.conditions }),
    listId: event.listId ?? 0,
    listKind: list?.kind ?? "",
    waitsFor: "nothing",
    triggerTicks: 0,
    placedAtMs: event.timestampMs,
    workingSinceMs: event.timestampMs,
    placedSequence: event.sequence,
    status: "open",
    endReason: "",
    filledLots: 0,
    filledNotional: 0,
    updatedAtMs: event.timestampMs,
    updatedSequence: event.sequence,
  };
}

/** Folds an event that changes the order's terms or its trigger. */
export function applyChange(order: OrderState, event: OrderChange): void {
  switch (event.type) {
    case "orderWaiting":
      order.waitsFor = event.waitsFor;
      order.triggerTicks = event.triggerTicks;
      order.workingSinceMs = 0;
      break;
    case "orderActivated":
      order.waitsFor = "nothing";
      order.quantityLots = event.quantityLots;
      order.workingSinceMs = event.timestampMs;
      break;
    case "orderAmended":
      order.priceTicks = event.priceTicks;
      order.quantityLots = event.quantityLots;
      break;
    case "waitingOrderAmended":
      order.priceTicks = event.priceTicks;
      order.quantityLots = event.quantityLots;
      order.quoteAmount = event.quoteAmount;
      order.triggerTicks = event.triggerTicks;
      if (event.trigger !== undefined) {
        order.conditions = { ...order.conditions, trigger: event.trigger };
      }
      break;
    case "quantityDecremented":
      // An order by quote amount has no quantity.
      if (order.quoteAmount === 0) order.quantityLots -= event.decrementedLots;
      break;
    default:
      event satisfies never;
  }
  update(order, event);
}

/** Folds a trade to which the order is a party. */
export function applyTrade(order: OrderState, trade: EventOf<"traded">): void {
  order.filledLots += trade.quantityLots;
  order.filledNotional += trade.notional;
  update(order, trade);
}

export function applyEnd(order: OrderState, event: EventOf<"orderEnded">): void {
  order.status = event.status;
  order.endReason = endReasonOf(order, event);
  order.waitsFor = "nothing";
  update(order, event);
}

function endReasonOf(
  { waitsFor }: OrderState,
  { isListExpired, reason }: EventOf<"orderEnded">,
): RecordedEndReason {
  if (isListExpired !== true) return reason;
  return waitsFor === "workingOrder" ? "workingOrderExpired" : "listExpired";
}

function update(order: OrderState, event: OrderChange | EventOf<"orderEnded" | "traded">): void {
  order.updatedAtMs = event.timestampMs;
  order.updatedSequence = event.sequence;
}

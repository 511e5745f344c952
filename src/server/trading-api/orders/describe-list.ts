/** Lists of orders in the trading API's format, for calls and streams alike. */
import type { OrderListRecord } from "../../records/order-lists.ts";
import type { OrderRecord } from "../../records/orders.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { symbolOf } from "../symbols.ts";
import { describeCancelled, identityOf } from "./describe-order.ts";

export type ListState = "EXECUTING" | "ALL_DONE";

/** The client list id, or the list's number if it has none. */
export function nameOfList({ clientListId, listId }: OrderListRecord): string {
  return clientListId === "" ? String(listId) : clientListId;
}

/** An OTOCO is an OTO as well. */
export function contingencyOf({ kind }: OrderListRecord): "OCO" | "OTO" {
  return kind === "oco" ? "OCO" : "OTO";
}

export function listStatusOf(state: ListState): "EXEC_STARTED" | "ALL_DONE" {
  return state === "ALL_DONE" ? "ALL_DONE" : "EXEC_STARTED";
}

/**
 * An item of `allOrderList`, and the answer of `GET /api/v3/orderList`. @param orders all orders of
 * the list
 */
export function describeList(
  list: OrderListRecord,
  orders: readonly OrderRecord[],
  market: MarketView,
) {
  const isOpen = orders.some(({ status }) => status === "open");
  const state = isOpen ? "EXECUTING" : "ALL_DONE";
  return {
    orderListId: list.listId,
    contingencyType: contingencyOf(list),
    listStatusType: listStatusOf(state),
    listOrderStatus: state,
    listClientOrderId: nameOfList(list),
    transactionTime: Math.max(list.placedAtMs, ...orders.map(({ updatedAtMs }) => updatedAtMs)),
    symbol: symbolOf(market),
    orders: orders.map((order) => {
      const { clientOrderId, orderId, symbol } = identityOf(order, market);
      return { symbol, orderId, clientOrderId };
    }),
  };
}

/**
 * @param orders all orders of the list
 * @param cancelled the orders that the cancellation ended
 * @param cancelId the client's id for the cancellation
 */
export function describeCancelledList(
  list: OrderListRecord,
  orders: readonly OrderRecord[],
  cancelled: readonly OrderRecord[],
  market: MarketView,
  cancelId: string,
) {
  return {
    ...describeList(list, orders, market),
    orderReports: cancelled.map((order) => describeCancelled(order, market, cancelId)),
  };
}

/**
 * A list of a person's orders that depend on each other, as it was placed. Its outcome is recorded
 * with its orders.
 */
import type { OrderListKind } from "#engine/commands.ts";
import type { EventOf } from "#engine/events.ts";
import { fixed, RecordKind, type RecordOf } from "./record-kind.ts";

export const ORDER_LISTS = new RecordKind({
  account: fixed("account").integer(),
  listId: fixed("list_id").integer(),
  marketId: fixed("market_id").integer(),
  kind: fixed("kind").text<OrderListKind>(),
  /** The client list id; "" if the owner gave none. */
  clientListId: fixed("client_list_id").text<string>(),
  /** The lowest order id; the orders of a list have successive ids. */
  firstOrderId: fixed("first_order_id").integer(),
  orderCount: fixed("order_count").integer(),
  placedAtMs: fixed("placed_at").integer(),
});
export type OrderListRecord = RecordOf<typeof ORDER_LISTS.fields>;

export function placedList(event: EventOf<"orderListPlaced">): OrderListRecord {
  const { account, clientListId = "", kind, listId, marketId, orderIds, timestampMs } = event;
  return {
    account,
    listId,
    marketId,
    kind,
    clientListId,
    firstOrderId: orderIds[0],
    orderCount: orderIds.length,
    placedAtMs: timestampMs,
  };
}

/** The ids of a list's orders, in the order of the request. */
export function orderIdsOf({ firstOrderId, orderCount }: OrderListRecord): number[] {
  return Array.from({ length: orderCount }, (_, index) => firstOrderId + index);
}

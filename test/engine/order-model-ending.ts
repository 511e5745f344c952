/**
 * Endings: an order releases its hold, one `orderEnded` states the reason, and its list ends with it, or
 * continues if its working order has filled. Also the effect of a trade on a list, because it can end
 * the list's other orders.
 *
 * Invariants: an order ends once; when a list has ended, none of its orders is open except the one whose
 * trade ended it. Never: whether an order ends; the caller has decided that.
 */
import type { OrderEndReason, OrderEndStatus } from "#engine/events.ts";
import {
  isOpen,
  naming,
  setFree,
  type ModelExchange,
  type ModelList,
  type ModelOrder,
} from "./order-model-exchange.ts";
import { hold } from "./order-model-holds.ts";

export function endOrder(
  exchange: ModelExchange,
  order: ModelOrder,
  status: OrderEndStatus,
  reason: OrderEndReason,
  kept = 0n,
  isListExpired = false,
): void {
  const wasResting = order.state === "resting";
  const released = order.held - kept;
  hold(exchange, order, -released);
  exchange.orders.splice(exchange.orders.indexOf(order), 1);
  const isByQuote = order.terms.quoteAmount !== 0;
  exchange.events.push({
    type: "orderEnded",
    ...naming(order),
    status,
    reason,
    ...(isListExpired && { isListExpired }),
    priceTicks: Number(order.price),
    remainingLots: isByQuote ? 0 : Number(order.left),
    releasedAmount: Number(released),
    wasResting,
    visibleLots: Number(order.shown),
  });
  const { list } = order;
  if (list === undefined) return;
  if (status === "filled" && list.working === order) {
    list.working = undefined;
    setFree(exchange, list.others[0]);
  } else {
    endRest(exchange, list, order, status !== "cancelled");
  }
}

/** Adds what a working order receives; in a pair, the order that trades ends the other. */
export function tradedInList(exchange: ModelExchange, order: ModelOrder, received: bigint): void {
  const { list } = order;
  if (list === undefined) return;
  if (list.working === order) list.received += received;
  else if (list.working === undefined) endRest(exchange, list, order, true);
}

function endRest(
  exchange: ModelExchange,
  list: ModelList,
  except: ModelOrder,
  isExpired: boolean,
): void {
  const rest = [...(list.working === undefined ? [] : [list.working]), ...list.others];
  for (const order of [except, ...rest]) order.list = undefined;
  for (const order of rest) {
    if (order !== except && isOpen(exchange, order)) {
      endOrder(exchange, order, "cancelled", "listEnded", 0n, isExpired);
    }
  }
}

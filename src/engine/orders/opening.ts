/**
 * How an order becomes an open one: it gets a row, the details that it needs, a place in its
 * account's list and, where it waits, one among the triggers of its market.
 *
 * Never: refusals or limits; whoever opens an order has checked that there is room.
 */
import type { Ticks } from "../amount.ts";
import type { EventBuffer } from "../event-buffer.ts";
import type { IncomingOrder } from "./incoming-order.ts";
import { OrderDetails } from "./order-details.ts";
import { NO_ORDER, packFees } from "../book/order-table.ts";
import { BID } from "../book/price-ladder.ts";
import type { EngineState } from "../state.ts";
import { TIMER_ORDER_EXPIRY } from "../time/timers.ts";

/** The row of an order that comes to rest; the caller puts it into the book. */
export function openOrder(state: EngineState, order: IncomingOrder): number {
  if (order.slot !== NO_ORDER) return order.slot;
  const { accounts, orders } = state;
  const slot = orders.allocate(order.orderId);
  order.slot = slot;
  orders.setAccount(slot, order.account);
  orders.setMarketAndSide(slot, order.book.marketId * 2 + order.side);
  orders.setFees(
    slot,
    packFees(order.makerFeeBps, order.takerFeeBps, order.hasClientId, order.postOnly),
  );
  if (order.needsDetails) keepDetails(state, order, slot);
  orders.setTotalLots(slot, order.totalLots);
  accounts.addOpenOrder(order.account, slot);
  return slot;
}

/**
 * Lets the order wait, maybe for something else than before: it is open, holds what it holds, and
 * stands in no book.
 */
export function letWait(state: EngineState, order: IncomingOrder, events: EventBuffer): void {
  const { details: table, orders } = state;
  const { account, book, orderId, side, waitsFor } = order;
  const wasOpen = order.slot !== NO_ORDER;
  const slot = openOrder(state, order);
  orders.setShownLots(slot, 0);
  const details = table.at(slot);
  if (wasOpen) keepWaitingTerms(details, order);
  if (waitsFor === "trigger") book.triggers.add(details);
  if (waitsFor === "nothing") return;
  events.rare({
    type: "orderWaiting",
    orderId,
    account,
    marketId: book.marketId,
    side: side === BID ? "buy" : "sell",
    waitsFor,
    triggerTicks: details.triggerTicks as Ticks,
  });
}

function keepDetails(state: EngineState, order: IncomingOrder, slot: number): void {
  const { accounts, details: table, timers } = state;
  const { account, book, expiresAtMs, orderId } = order;
  const details = new OrderDetails(orderId, order.namedSelfTradePrevention);
  details.displayLots = order.displayLots;
  details.expiresAtMs = expiresAtMs;
  details.listId = order.listId;
  if (order.waitsFor !== "nothing") keepWaitingTerms(details, order);
  if (expiresAtMs !== 0) details.timer = timers.add(expiresAtMs, TIMER_ORDER_EXPIRY, orderId);
  if (details.isAlgorithmic) accounts.countAlgoOrders(account, 1);
  if (details.displayLots > 0) book.icebergCount++;
  table.keep(slot, details);
  state.orders.getsDetails(slot);
}

function keepWaitingTerms(details: OrderDetails, order: IncomingOrder): void {
  const { side, trigger } = order;
  details.waitsFor = order.waitsFor;
  details.orderType = order.priceTicks === 0 ? "market" : "limit";
  details.timeInForce = order.timeInForce;
  details.priceTicks = order.priceTicks;
  details.quoteAmount = order.quoteAmount;
  details.neededAmount = order.neededAmount;
  details.heldAmount = order.heldAmount;
  details.trigger = trigger;
  details.activatesAbove = activatesAbove(side, trigger);
  details.triggerTicks = order.triggerTicks;
  details.trailBps = order.trailBps;
  details.bestTicks = trigger === "trailingStop" ? order.book.lastTicks : 0;
}

/** Whether prices at or above the trigger price activate an order, or those at or below. */
export function activatesAbove(side: number, trigger: OrderDetails["trigger"]): boolean {
  return (side === BID) === (trigger !== "takeProfit");
}

/**
 * How an order becomes open: it gets a row, the details that it needs, a place among its account's
 * orders and, if it waits, one among the triggers of its market.
 *
 * Never: refusals or limits; the caller has checked that there is room.
 */
import { packRowFees } from "../accounts/packed-fees.ts";
import type { Ticks } from "../amount.ts";
import { NO_ORDER } from "../book/order-table.ts";
import { BID } from "../book/price-ladder.ts";
import type { OrderTrigger } from "../commands.ts";
import type { EngineState } from "../state.ts";
import { TIMER_ORDER_EXPIRY } from "../time/timers.ts";
import { decisiveConditions } from "../order-terms.ts";
import { OrderDetails, restingTerms } from "./order-details.ts";
import type { Placement } from "./placement.ts";

/**
 * Gives an order that starts to rest a row and returns its slot; the caller puts it into the book.
 */
export function openOrder(state: EngineState, order: Placement): number {
  if (order.slot !== NO_ORDER) return order.slot;
  const { accounts, orders } = state;
  const { account, book, fees, terms } = order;
  const slot = orders.allocate(order.orderId);
  order.slot = slot;
  orders.setAccount(slot, account);
  orders.setMarketAndSide(slot, book.marketId * 2 + order.side);
  orders.setFees(slot, packRowFees(fees, terms.clientOrderId !== "", terms.postOnly));
  if (order.needsDetails) storeDetails(state, order, slot);
  orders.setTotalLots(slot, order.totalLots);
  if (order.listId === 0) accounts.appendOpenOrder(account, slot);
  else accounts.addOpenOrder(account, slot);
  return slot;
}

/**
 * Makes the order wait, possibly for something new: it is open and keeps its hold, but is in no
 * book.
 */
export function letWait(state: EngineState, order: Placement): void {
  const { details: table, orders } = state;
  const { account, book, orderId, side, waitsFor } = order;
  const wasOpen = order.slot !== NO_ORDER;
  const slot = openOrder(state, order);
  orders.setVisibleLots(slot, 0);
  const details = table.at(slot);
  if (wasOpen) {
    if (details.waitsFor === "workingOrder") book.triggers.expectNoLonger(details);
    storeTerms(details, order);
  }
  if (waitsFor === "trigger") book.triggers.add(details);
  if (waitsFor === "workingOrder") book.triggers.expect(details);
  if (waitsFor === "nothing") return;
  state.events.rare({
    type: "orderWaiting",
    orderId,
    account,
    marketId: book.marketId,
    side: side === BID ? "buy" : "sell",
    waitsFor,
    triggerTicks: details.triggerTicks as Ticks,
  });
}

function storeDetails(state: EngineState, order: Placement, slot: number): void {
  const { accounts, details: table, orders, timers } = state;
  const { account, book, orderId, terms } = order;
  const conditions = decisiveConditions(terms.conditions ?? {});
  const details = new OrderDetails(orderId, restingTerms(conditions));
  const { displayLots, expiresAtMs } = details;
  details.listId = order.listId;
  if (order.waitsFor !== "nothing") storeTerms(details, order);
  if (expiresAtMs !== 0) details.timer = timers.add(expiresAtMs, TIMER_ORDER_EXPIRY, orderId);
  if (details.isAlgorithmic) accounts.countAlgoOrders(account, 1);
  if (displayLots > 0) book.icebergCount++;
  table.keep(slot, details);
  orders.getsDetails(slot);
}

/** Keeps the terms of a waiting order, for when it goes to the market. */
function storeTerms(details: OrderDetails, order: Placement): void {
  const { orderType, timeInForce, priceTicks, quoteAmount } = order.terms;
  const { conditions } = details.terms;
  details.terms = { orderType, timeInForce, priceTicks, quoteAmount, conditions };
  details.waitsFor = order.waitsFor;
  details.neededAmount = order.neededAmount;
  details.heldAmount = order.heldAmount;
  details.activatesAbove = activatesAbove(order.side, conditions.trigger?.kind);
  details.triggerTicks = order.triggerTicks;
  details.bestTicks = details.isTrailing ? order.book.lastTicks : 0;
}

/**
 * Whether an order is activated by prices at or above its trigger price; if false, by those at or
 * below.
 */
export function activatesAbove(side: number, trigger: OrderTrigger["kind"] | undefined): boolean {
  return (side === BID) === (trigger !== "takeProfit");
}

/**
 * How open orders end: their holds are released, their rows and references are removed, one
 * `orderEnded` says why, and the rest of their list ends with them.
 *
 * Invariants: an order that has ended is in no book, timer, trigger or list; each accepted order
 * ends exactly once. Never: refusals; the caller has decided that the order ends.
 */
import { hasClientId } from "../accounts/packed-fees.ts";
import { AMOUNT_MAX } from "../amount.ts";
import { END_REASON, END_CANCELLED, END_FILLED, LIST_EXPIRED } from "./end-codes.ts";
import { holdFor } from "../money-formulas.ts";
import type { OrderBook } from "../book/order-book.ts";
import { type OrderDetails } from "./order-details.ts";
import { NO_ORDER } from "../book/order-table.ts";
import { ASK, BID } from "../book/price-ladder.ts";
import type { EngineState } from "../state.ts";

/**
 * Ends an open order, resting or waiting, and releases its hold, which is zero if it has filled.
 * `keptAmount` of the hold remains, for the order that replaces this one.
 */
export function endOrder(
  state: EngineState,
  slot: number,
  status: number,
  reason: number,
  keptAmount = 0,
): void {
  const { ledger, orders } = state;
  const orderId = orders.idOf(slot);
  const visibleLots = orders.visibleLotsOf(slot);
  const account = orders.accountOf(slot);
  const marketAndSide = orders.marketAndSideOf(slot);
  const side = marketAndSide & 1;
  const book = state.books[marketAndSide >> 1] as OrderBook;
  const details = orders.hasDetails(slot) ? state.details.at(slot) : undefined;
  const waits = details !== undefined && details.waitsFor !== "nothing";
  const listId = details === undefined ? 0 : details.listId;
  const priceTicks = waits ? details.terms.priceTicks : book.priceOf(slot);
  const hiddenLots = details === undefined ? 0 : details.hiddenLots;
  const remainingLots = waits ? orders.totalLotsOf(slot) : visibleLots + hiddenLots;
  const held = waits ? details.heldAmount : holdFor(book, side, priceTicks, remainingLots);
  const released = held - keptAmount;
  ledger.release(account, side === BID ? book.quoteAssetId : book.baseAssetId, released);
  if (!waits) book.remove(side, slot);
  forgetOrder(state, slot, account, orderId, book);
  state.events.orderEnded(
    orderId,
    account,
    book.marketId,
    side === ASK,
    status,
    reason,
    priceTicks,
    remainingLots,
    released,
    !waits,
    visibleLots,
  );
  if (listId !== 0) endedOfList(state, listId, orderId, status);
}

/** Ends those of the orders that are still open: the end of one may end others of its list. */
export function endOrders(
  state: EngineState,
  orderIds: readonly number[],
  status: number,
  reason: number,
): void {
  for (const orderId of orderIds) {
    const slot = state.orders.find(orderId);
    if (slot !== NO_ORDER) endOrder(state, slot, status, reason);
  }
}

/** Removes the row of an order that is no longer in a book, and all references to it. */
export function forgetOrder(
  state: EngineState,
  slot: number,
  account: number,
  orderId: number,
  book: OrderBook,
): void {
  const { accounts, clientOrderIds, orders } = state;
  if (hasClientId(orders.feesOf(slot))) clientOrderIds.orderEnded(orderId);
  if (orders.hasDetails(slot)) forgetDetails(state, slot, account, book);
  accounts.removeOpenOrder(account, slot);
  orders.free(slot);
}

/**
 * Reacts to the end of an order of a list: if a working order has filled, its pending orders are
 * released; otherwise the whole list ends.
 */
export function endedOfList(
  state: EngineState,
  listId: number,
  orderId: number,
  status: number,
): void {
  const { lists } = state;
  const list = lists.get(listId);
  if (list === undefined) return;
  if (status === END_FILLED && list.workingOrderId === orderId) {
    list.workingOrderId = 0;
    state.activations.push(list.otherOrderIds[0]);
    return;
  }
  const reason = status === END_CANCELLED ? END_REASON.listEnded : LIST_EXPIRED;
  endRestOfList(state, listId, orderId, reason);
}

/**
 * Reacts to a trade of an order of a list, or to lots lost to self-trade prevention: adds up the
 * proceeds of a working order, and ends the other order of a live pair.
 */
export function tradedOfList(
  state: EngineState,
  listId: number,
  orderId: number,
  received: number,
): void {
  if (listId === 0) return;
  const list = state.lists.get(listId);
  if (list === undefined) return;
  // Received and spent again and again, the proceeds may add up to any amount.
  const receivedAmount = Math.min(list.receivedAmount + received, AMOUNT_MAX);
  if (list.workingOrderId === orderId) list.receivedAmount = receivedAmount;
  else endRestOfList(state, listId, orderId, LIST_EXPIRED);
}

/**
 * Ends the limit order of a live pair whose trigger order was reached. The trigger order keeps its own
 * need of their shared hold.
 */
export function endPairedLimit(state: EngineState, trigger: OrderDetails): void {
  const { lists, orders } = state;
  const list = lists.get(trigger.listId);
  trigger.listId = 0;
  if (list === undefined) return;
  lists.delete(list.listId);
  const slot = orders.find(list.otherOrderIds[0]);
  const kept = Math.min(holdOf(state, slot), trigger.neededAmount);
  trigger.heldAmount = trigger.neededAmount;
  endOrder(state, slot, END_CANCELLED, LIST_EXPIRED, kept);
}

/** Dissolves a list and ends its orders, except one, in order of placement. */
function endRestOfList(
  state: EngineState,
  listId: number,
  exceptOrderId: number,
  reason: number,
): void {
  const { lists } = state;
  const list = lists.get(listId);
  if (list === undefined) return;
  lists.delete(listId);
  const others = [list.workingOrderId, ...list.otherOrderIds].filter((id) => id !== exceptOrderId);
  endOrders(state, others, END_CANCELLED, reason);
}

/** The amount that an open order holds. */
export function holdOf(state: EngineState, slot: number): number {
  const { details: table, orders } = state;
  const marketAndSide = orders.marketAndSideOf(slot);
  const book = state.books[marketAndSide >> 1] as OrderBook;
  let lots: number = orders.visibleLotsOf(slot);
  if (orders.hasDetails(slot)) {
    const details = table.at(slot);
    if (details.waitsFor !== "nothing") return details.heldAmount;
    lots += details.hiddenLots;
  }
  return holdFor(book, marketAndSide & 1, book.priceOf(slot), lots);
}

/** Marks an order as no longer waiting: its trigger was reached, or its working order filled. */
export function stopWaiting(state: EngineState, details: OrderDetails, account: number): void {
  details.waitsFor = "nothing";
  if (!details.isAlgorithmic) state.accounts.countAlgoOrders(account, -1);
}

function forgetDetails(state: EngineState, slot: number, account: number, book: OrderBook): void {
  const { accounts, details: table, timers } = state;
  const details = table.at(slot);
  if (details.timer !== undefined) timers.remove(details.timer);
  if (details.isAlgorithmic) accounts.countAlgoOrders(account, -1);
  if (details.displayLots > 0) book.icebergCount--;
  if (details.waitsFor === "trigger") book.triggers.remove(details);
  if (details.waitsFor === "workingOrder") book.triggers.expectNoLonger(details);
  table.free(slot);
}

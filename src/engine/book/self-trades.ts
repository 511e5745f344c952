/**
 * Self-trade prevention: an order would trade with another of its own account; the incoming order's
 * self-trade mode, or else the market's, decides which of the two expires, or that both lose the
 * smaller of their remainders.
 *
 * Markets that gather orders for an auction refuse such orders (liquidity.ts) and do not come here.
 */
import type { Amount, Lots, Ticks } from "../amount.ts";
import { assert } from "../assert.ts";
import { affordableLots, baseAmountOf, holdFor, notionalOf } from "../money-formulas.ts";
import { END_REASON, END_EXPIRED } from "../orders/end-codes.ts";
import { endOrder, tradedOfList } from "../orders/ending.ts";
import type { Placement } from "../orders/placement.ts";
import type { EngineState } from "../state.ts";
import type { OrderBook } from "./order-book.ts";
import { NO_ORDER } from "./order-table.ts";
import { ASK, BID } from "./price-ladder.ts";

/**
 * Applies the self-trade mode when the next order in the book belongs to the same account. Returns
 * false if the incoming order stops.
 */
export function preventSelfTrade(
  state: EngineState,
  order: Placement,
  own: number,
  priceTicks: number,
): boolean {
  const { orderId: takerId } = order;
  const ownId = state.orders.idOf(own);
  const ownLots = order.book.leftOf(own);
  const takerLots = order.isByQuote ? 0 : order.remainingLots;
  switch (order.selfTradePrevention) {
    case "expireTaker":
      emitPrevented(state, order, ownId, priceTicks, takerId, takerLots, 0);
      order.stopReason = END_REASON.selfTrade;
      return false;
    case "expireMaker":
      emitPrevented(state, order, ownId, priceTicks, ownId, 0, ownLots);
      endOrder(state, own, END_EXPIRED, END_REASON.selfTrade);
      return true;
    case "expireBoth":
      emitPrevented(state, order, ownId, priceTicks, takerId, takerLots, ownLots);
      endOrder(state, own, END_EXPIRED, END_REASON.selfTrade);
      order.stopReason = END_REASON.selfTrade;
      return false;
    default:
      return decrement(state, order, own, priceTicks);
  }
}

/**
 * Reduces both orders by the smaller remainder. Returns false if nothing of the incoming order is
 * left.
 */
function decrement(state: EngineState, order: Placement, own: number, priceTicks: number): boolean {
  const { book, orderId } = order;
  const { orders } = state;
  const ownId = orders.idOf(own);
  const ownLots = book.leftOf(own);
  const wanted = order.isByQuote
    ? affordableLots(book, priceTicks, order.remainingQuote)
    : order.remainingLots;
  const lots = Math.min(wanted, ownLots, lotsToDecrement(order, priceTicks));
  const isUsedUp = lots === wanted || lots < ownLots;
  emitPrevented(state, order, ownId, priceTicks, isUsedUp ? orderId : ownId, lots, lots);
  if (lots === 0) {
    order.stopReason = END_REASON.selfTrade;
    return false;
  }
  decrementResting(state, order, own, priceTicks, lots);
  decrementIncoming(state, order, priceTicks, lots);
  if (lots === ownLots) endOrder(state, own, END_EXPIRED, END_REASON.selfTrade);
  else tradedOfList(state, listOf(state, own), ownId, 0);
  if (order.listId !== 0) tradedOfList(state, order.listId, orderId, 0);
  if (!isUsedUp) return true;
  order.stopReason = END_REASON.selfTrade;
  return false;
}

/**
 * How many lots the incoming order can lose. A sell by quote amount holds the lots that the book
 * wanted when it arrived; if resting orders end instead of trading, the next ones pay less a lot. An
 * order may also hold less than its limit takes.
 */
function lotsToDecrement(order: Placement, priceTicks: number): number {
  const sellsByQuote = order.isByQuote && order.side === ASK;
  return sellsByQuote || order.holdsLess ? order.coveredLots(priceTicks) : Infinity;
}

function emitPrevented(
  state: EngineState,
  { account, book, orderId, selfTradePrevention, side }: Placement,
  makerOrderId: number,
  priceTicks: number,
  endedOrderId: number,
  takerLots: number,
  makerLots: number,
): void {
  state.events.rare({
    type: "selfTradePrevented",
    account,
    marketId: book.marketId,
    matchId: endedOrderId,
    takerSide: side === ASK ? "sell" : "buy",
    takerOrderId: orderId,
    makerOrderId,
    mode: selfTradePrevention,
    priceTicks: priceTicks as Ticks,
    takerLots: takerLots as Lots,
    makerLots: makerLots as Lots,
  });
}

/** Reduces the resting order, its hidden part first. */
function decrementResting(
  state: EngineState,
  { account, book, side: takerSide }: Placement,
  own: number,
  priceTicks: number,
  lots: number,
): void {
  const { ledger, orders } = state;
  const side = takerSide === BID ? ASK : BID;
  const visibleLotsBefore = orders.visibleLotsOf(own);
  const ownLots = visibleLotsBefore + book.hiddenLotsOf(own);
  const released = holdFor(book, side, priceTicks, lots);
  ledger.release(account, side === BID ? book.quoteAssetId : book.baseAssetId, released);
  reduceResting(state, own, lots);
  state.events.rare({
    type: "quantityDecremented",
    orderId: orders.idOf(own),
    account,
    marketId: book.marketId,
    side: side === ASK ? "sell" : "buy",
    wasResting: true,
    priceTicks: priceTicks as Ticks,
    decrementedLots: lots as Lots,
    remainingLots: (ownLots - lots) as Lots,
    releasedAmount: released,
    previousVisibleLots: visibleLotsBefore,
    visibleLots: orders.visibleLotsOf(own),
  });
}

/** Reduces the incoming order. The hold of a market buy is released only when the order ends. */
function decrementIncoming(
  state: EngineState,
  order: Placement,
  priceTicks: number,
  lots: number,
): void {
  const { account, book, limitTicks, side, slot } = order;
  if (order.isByQuote) {
    order.remainingQuote -= notionalOf(book, priceTicks, lots);
  } else {
    order.remainingLots -= lots;
    order.totalLots -= lots;
    if (slot !== NO_ORDER) state.orders.setTotalLots(slot, order.totalLots);
  }
  let released = 0;
  if (side === ASK) released = baseAmountOf(book, lots);
  else if (order.holdsAtLimit) released = notionalOf(book, limitTicks, lots);
  state.ledger.release(account, order.spentAssetId, released);
  order.remainingHeld -= released;
  assert(order.remainingHeld >= 0, "an order loses no more than it held");
  state.events.rare({
    type: "quantityDecremented",
    orderId: order.orderId,
    account,
    marketId: book.marketId,
    side: side === ASK ? "sell" : "buy",
    wasResting: false,
    priceTicks: 0 as Ticks,
    decrementedLots: lots as Lots,
    remainingLots: (order.isByQuote ? 0 : order.remainingLots) as Lots,
    releasedAmount: released as Amount,
    previousVisibleLots: 0 as Lots,
    visibleLots: 0 as Lots,
  });
}

/**
 * Reduces a resting order, its hidden part first. The order keeps its place in the queue; the
 * caller moves the money.
 */
export function reduceResting(state: EngineState, slot: number, lots: number): void {
  const { orders } = state;
  const marketId = orders.marketAndSideOf(slot) >> 1;
  const book = state.books[marketId] as OrderBook;
  let visibleLots = lots;
  if (orders.hasDetails(slot)) {
    const hiddenLots = Math.min(lots, book.hiddenLotsOf(slot));
    if (hiddenLots !== 0) book.reduceHidden(slot, hiddenLots);
    visibleLots -= hiddenLots;
  }
  book.reduce(slot, visibleLots);
  orders.setTotalLots(slot, orders.totalLotsOf(slot) - lots);
}

function listOf(state: EngineState, slot: number): number {
  const { details: table, orders } = state;
  return orders.hasDetails(slot) ? table.at(slot).listId : 0;
}

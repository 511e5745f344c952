/**
 * The remainder of an order that has met the book: an incoming order rests or ends, a
 * resting one that has traded rests on, shows its next part, or ends. Matching and auctions share it.
 *
 * Never: trades and their money (book/matching.ts, markets/uncrossing.ts).
 */
import { NO_LEVEL } from "../book/level-table.ts";
import { NO_ORDER } from "../book/order-table.ts";
import { ASK, BID } from "../book/price-ladder.ts";
import { affordableLots } from "../money-formulas.ts";
import type { EngineState } from "../state.ts";
import { END_EXPIRED, END_FILLED, END_REASON } from "./end-codes.ts";
import { endOrder, endedOfList, forgetOrder } from "./ending.ts";
import { showNextPart } from "./icebergs.ts";
import { openOrder } from "./opening.ts";
import { NOT_STOPPED, type Placement } from "./placement.ts";

/** Continues a resting order that has traded, whose book shows the traded lots no more. */
export function restOn(state: EngineState, slot: number): void {
  if (state.orders.visibleLotsOf(slot) > 0) return;
  if (!showNextPart(state, slot)) endOrder(state, slot, END_FILLED, END_REASON.filled);
}

/**
 * Lets a remainder rest if the order may rest, else ends the order. Returns whether the order
 * rests.
 */
export function restOrEnd(state: EngineState, order: Placement): boolean {
  const isDone = order.isByQuote ? isQuoteUsedUp(order) : order.remainingLots === 0;
  const isFilled = isDone && order.stopReason === NOT_STOPPED;
  if (!isFilled && order.mayRest && order.stopReason === NOT_STOPPED) {
    rest(state, order);
    return true;
  }
  const status = isFilled ? END_FILLED : END_EXPIRED;
  const reason = isFilled ? END_REASON.filled : stopReasonOf(order);
  endPlacement(state, order, status, reason);
  return false;
}

/** Ends an order that is in no book, and releases its remaining hold. */
export function endPlacement(
  state: EngineState,
  order: Placement,
  status: number,
  reason: number,
): void {
  const { account, book, listId, orderId, remainingHeld: released, slot } = order;
  state.ledger.release(account, order.spentAssetId, released);
  if (slot !== NO_ORDER) forgetOrder(state, slot, account, orderId, book);
  state.events.orderEnded(
    orderId,
    account,
    book.marketId,
    order.side === ASK,
    status,
    reason,
    order.terms.priceTicks,
    order.isByQuote ? 0 : order.remainingLots,
    released,
    false,
    0,
  );
  if (listId !== 0) endedOfList(state, listId, orderId, status);
}

function rest(state: EngineState, order: Placement): void {
  const { account, book, limitTicks, orderId, remainingLots, side } = order;
  const slot = openOrder(state, order);
  let visibleLots = remainingLots;
  if (state.orders.hasDetails(slot)) {
    const { displayLots } = order;
    if (displayLots !== 0) {
      visibleLots = Math.min(displayLots, remainingLots);
      state.details.at(slot).hiddenLots = remainingLots - visibleLots;
    }
  }
  book.append(side, slot, limitTicks, visibleLots);
  if (order.isAsPlaced && visibleLots === remainingLots) {
    state.events.restedAsPlaced();
    return;
  }
  const { marketId } = book;
  const sells = side === ASK;
  state.events.orderRested(
    orderId,
    account,
    marketId,
    sells,
    limitTicks,
    remainingLots,
    visibleLots,
  );
}

function stopReasonOf(order: Placement): number {
  if (order.stopReason !== NOT_STOPPED) return order.stopReason;
  if (order.metBreaker) return END_REASON.breaker;
  if (order.holdsAtLimit) return END_REASON.immediateOrCancel;
  const isExhausted = order.book.ladder.best(oppositeOf(order.side)) === NO_LEVEL;
  return isExhausted ? END_REASON.bookExhausted : END_REASON.priceBand;
}

/**
 * Whether an order by quote amount is done: one lot at the next price costs more than what is left.
 */
function isQuoteUsedUp(order: Placement): boolean {
  const { book, remainingQuote } = order;
  if (remainingQuote === 0) return true;
  if (order.stopReason !== NOT_STOPPED) return false;
  const opposite = oppositeOf(order.side);
  return (
    book.ladder.best(opposite) !== NO_LEVEL &&
    affordableLots(book, book.bestTicks(opposite), remainingQuote) === 0
  );
}

function oppositeOf(side: number): number {
  return side === BID ? ASK : BID;
}

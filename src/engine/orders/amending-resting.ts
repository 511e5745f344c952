/**
 * Gives a resting order a new price, a new total quantity, or both. Less quantity at the same price
 * keeps the order's place in its queue; anything else sends it to the end of the queue of its price,
 * after it has traded if it crosses.
 *
 * Never: which orders may be amended (amending.ts), orders that wait (amending-waiting.ts).
 */
import { feesOfRow, isPostOnly } from "../accounts/packed-fees.ts";
import type { Amount, Lots, Ticks } from "../amount.ts";
import { crossesOwnOrder } from "../book/liquidity.ts";
import { match } from "../book/matching.ts";
import type { OrderBook } from "../book/order-book.ts";
import { BID } from "../book/price-ladder.ts";
import { reduceResting } from "../book/self-trades.ts";
import type { OrderTerms } from "../commands.ts";
import { isWithinBand, notionalMaxOf } from "../markets/price-limits.ts";
import { holdFor, notionalOf } from "../money-formulas.ts";
import { isDisplay } from "../order-terms.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { holdOf } from "./ending.ts";
import { validateSize } from "./order-checks.ts";
import { restOrEnd } from "./remainders.ts";

export type RestingAmendment = ReturnType<typeof restingAmendmentOf>;

/** An amendment of a resting order: its terms before and after. A price or quantity of 0 stays. */
export function restingAmendmentOf(
  state: EngineState,
  slot: number,
  priceTicks: number,
  quantityLots: number,
) {
  const { orders } = state;
  const marketAndSide = orders.marketAndSideOf(slot);
  const side = marketAndSide & 1;
  const book = state.books[marketAndSide >> 1] as OrderBook;
  const details = orders.hasDetails(slot) ? state.details.at(slot) : undefined;
  const oldTicks = book.priceOf(slot);
  const oldTotal = orders.totalLotsOf(slot);
  const oldRemaining = orders.visibleLotsOf(slot) + (details?.hiddenLots ?? 0);
  const newTicks = priceTicks === 0 ? oldTicks : priceTicks;
  const newTotal = quantityLots === 0 ? oldTotal : quantityLots;
  const newRemaining = newTotal - (oldTotal - oldRemaining);
  return {
    slot,
    account: orders.accountOf(slot),
    book,
    side,
    spentAssetId: side === BID ? book.quoteAssetId : book.baseAssetId,
    details,
    oldTicks,
    oldTotal,
    oldHold: holdOf(state, slot),
    newTicks,
    newTotal,
    newRemaining,
    newHold: holdFor(book, side, newTicks, newRemaining),
  };
}

export function changesResting({ newTicks, newTotal, oldTicks, oldTotal }: RestingAmendment) {
  return newTicks !== oldTicks || newTotal !== oldTotal;
}

/**
 * Why a resting order may not have these terms, apart from its hold; null if it may.
 * @param mayCross whether it may trade at once
 */
export function validateRestingTerms(
  state: EngineState,
  amendment: RestingAmendment,
  mayCross: boolean,
): RejectReason | null {
  const { account, book, details, newTicks, newTotal, oldTicks, side, slot } = amendment;
  const movesPrice = newTicks !== oldTicks;
  const displayLots = details?.displayLots ?? 0;
  if (displayLots > 0 && !isDisplay(displayLots, newTotal)) return "invalidDisplay";
  const badSize = validateSize(newTicks, newTotal, book);
  if (badSize !== null) return badSize;
  const plan = state.catalogue.planTerms(state.accounts.planOf(account));
  if (notionalOf(book, newTicks, newTotal) > notionalMaxOf(book, plan)) return "notionalTooLarge";
  if (movesPrice && !isWithinBand(book, side, newTicks)) return "priceOutsideBand";
  if (book.isGathering) {
    return crossesOwnOrder(state, account, book, side, newTicks) ? "wouldCrossOwnOrder" : null;
  }
  if (mayCross && book.status !== "postOnly" && !isPostOnly(state.orders.feesOf(slot))) return null;
  return movesPrice && book.crosses(side, newTicks) ? "wouldCross" : null;
}

/** Amends a resting order. From here on nothing is refused. */
export function amendResting(state: EngineState, amendment: RestingAmendment): void {
  const { account, book, newHold, newRemaining, newTicks, newTotal } = amendment;
  const { oldHold, oldTicks, oldTotal, side, slot, spentAssetId } = amendment;
  const { ledger, orders } = state;
  if (newHold > oldHold) ledger.hold(account, spentAssetId, newHold - oldHold);
  else ledger.release(account, spentAssetId, oldHold - newHold);
  const keepsPriority = newTicks === oldTicks && newTotal < oldTotal;
  const orderId = orders.idOf(slot);
  const visibleLotsBefore = orders.visibleLotsOf(slot);
  if (keepsPriority) {
    reduceResting(state, slot, oldTotal - newTotal);
  } else {
    book.remove(side, slot);
    orders.setTotalLots(slot, newTotal);
  }
  state.events.orderAmended(
    orderId,
    account,
    book.marketId,
    side !== BID,
    newTicks,
    newTotal,
    newRemaining,
    Math.max(0, newHold - oldHold),
    Math.max(0, oldHold - newHold),
    keepsPriority,
    oldTicks,
    visibleLotsBefore,
    keepsPriority ? orders.visibleLotsOf(slot) : 0,
  );
  if (!keepsPriority) reenterBook(state, orderId, amendment);
}

/** Sends an order that has left the book into it again, on its new terms. */
function reenterBook(state: EngineState, orderId: number, amendment: RestingAmendment): void {
  const { account, book, details, newHold, newRemaining, newTicks, slot } = amendment;
  const order = state.placements.first;
  const fees = state.orders.feesOf(slot);
  order.fill(amendedTerms(amendment, isPostOnly(fees)), account, book);
  order.continueAs({ slot, orderId, listId: details?.listId ?? 0, fees: feesOfRow(fees) });
  order.limitTicks = newTicks;
  order.remainingLots = newRemaining;
  order.heldAmount = newHold;
  match(state, order);
  restOrEnd(state, order);
}

function amendedTerms(
  { details, newTicks, newTotal, side }: RestingAmendment,
  postOnly: boolean,
): OrderTerms {
  return {
    side: side === BID ? "buy" : "sell",
    orderType: "limit",
    // The order's timer decides whether it expires.
    timeInForce: "gtc",
    postOnly,
    priceTicks: newTicks as Ticks,
    quantityLots: newTotal as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
    conditions: details?.terms.conditions,
  };
}

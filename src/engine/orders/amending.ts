/**
 * Gives a resting order a new price, a new total quantity, or both: refuse → hold or release →
 * match → settle → rest. Less quantity at the same price keeps the order's place in its queue;
 * anything else sends the order to the end of the queue of its price, after it has traded if it
 * crosses.
 *
 * Never: orders that wait (they are replaced), the conditions and fees that an order was placed
 * with.
 */
import { feesOfRow, isPostOnly } from "../accounts/packed-fees.ts";
import type { Amount } from "../amount.ts";
import { match, restOrEnd } from "../book/matching.ts";
import type { OrderBook } from "../book/order-book.ts";
import { NO_ORDER } from "../book/order-table.ts";
import { crossesOwnOrder } from "../book/liquidity.ts";
import { BID } from "../book/price-ladder.ts";
import { reduceResting } from "../book/self-trades.ts";
import type { CommandOf, OrderTerms } from "../commands.ts";
import { isUncrossing } from "../markets/pending-uncrossings.ts";
import { isWithinBand, notionalMaxOf } from "../markets/price-limits.ts";
import { holdFor, notionalOf } from "../money-formulas.ts";
import type { Outcome, RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { holdOf } from "./ending.ts";
import { isDisplay, isPositive } from "../order-terms.ts";
import { refuseSize } from "./order-checks.ts";
import type { OrderDetails } from "./order-details.ts";

type Amendment = ReturnType<typeof amendmentOf>;

export function amendOrder(state: EngineState, command: CommandOf<"amendOrder">): Outcome {
  const { account } = command;
  const { accounts, ledger, orders } = state;
  if (!accounts.exists(account)) return "unknownAccount";
  const slot = orders.find(command.orderId);
  if (slot === NO_ORDER) return "unknownOrder";
  if (orders.accountOf(slot) !== account) return "unknownOrder";
  const details = orders.hasDetails(slot) ? state.details.at(slot) : undefined;
  if (details !== undefined && details.waitsFor !== "nothing") return "orderNotResting";
  const amendment = amendmentOf(state, slot, details, command);
  const refusal = refuseAmendment(state, command, amendment);
  if (refusal !== null) return refusal;

  const { book, newHold, newRemaining, newTicks, newTotal } = amendment;
  const { oldHold, oldTicks, oldTotal, side } = amendment;
  const assetId = side === BID ? book.quoteAssetId : book.baseAssetId;
  if (newHold > oldHold) ledger.hold(account, assetId, newHold - oldHold);
  else ledger.release(account, assetId, oldHold - newHold);
  const keepsPriority = newTicks === oldTicks && newTotal < oldTotal;
  const shownBefore = orders.shownLotsOf(slot);
  if (keepsPriority) {
    reduceResting(state, slot, oldTotal - newTotal);
  } else {
    book.remove(side, slot);
    orders.setTotalLots(slot, newTotal);
  }
  state.events.orderAmended(
    command.orderId,
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
    shownBefore,
    keepsPriority ? orders.shownLotsOf(slot) : 0,
  );
  if (!keepsPriority) reenterBook(state, command, amendment);
  return "accepted";
}

/** An amendment: the order's terms before and after. */
function amendmentOf(
  state: EngineState,
  slot: number,
  details: OrderDetails | undefined,
  command: CommandOf<"amendOrder">,
) {
  const { orders } = state;
  const marketAndSide = orders.marketAndSideOf(slot);
  const side = marketAndSide & 1;
  const book = state.books[marketAndSide >> 1] as OrderBook;
  const oldTicks = book.priceOf(slot);
  const oldTotal = orders.totalLotsOf(slot);
  const oldRemaining = orders.shownLotsOf(slot) + (details?.hiddenLots ?? 0);
  const newTicks = command.priceTicks === 0 ? oldTicks : command.priceTicks;
  const newTotal = command.quantityLots === 0 ? oldTotal : command.quantityLots;
  const newRemaining = newTotal - (oldTotal - oldRemaining);
  return {
    slot,
    book,
    side,
    details,
    oldTicks,
    oldTotal,
    oldRemaining,
    oldHold: holdOf(state, slot),
    newTicks,
    newTotal,
    newRemaining,
    newHold: holdFor(book, side, newTicks, newRemaining),
  };
}

function refuseAmendment(
  state: EngineState,
  command: CommandOf<"amendOrder">,
  amendment: Amendment,
): RejectReason | null {
  const { accounts, catalogue, ledger, lists, orders } = state;
  const { book, details, newTicks, newTotal, side, slot } = amendment;
  if (accounts.isFrozen(command.account)) return "accountFrozen";
  if (isUncrossing(state, book.marketId)) return "marketBusy";
  if (!book.isTrading && !book.isGathering && book.status !== "postOnly") {
    return "marketNotTrading";
  }
  const list = details === undefined ? undefined : lists.get(details.listId);
  // The two orders of a live pair have one quantity and share a hold.
  if (list !== undefined && list.workingOrderId !== details?.orderId) return "invalidList";
  if (!isPositive(newTicks)) return "invalidPrice";
  if (!isPositive(newTotal) || amendment.newRemaining <= 0) return "invalidQuantity";
  const movesPrice = newTicks !== amendment.oldTicks;
  if (!movesPrice && newTotal === amendment.oldTotal) return "nothingToChange";
  const displayLots = details?.displayLots ?? 0;
  if (movesPrice && (displayLots > 0 || list !== undefined)) return "invalidPrice";
  if (displayLots > 0 && !isDisplay(displayLots, newTotal)) return "invalidDisplay";
  const badSize = refuseSize(newTicks, newTotal, book);
  if (badSize !== null) return badSize;
  const plan = catalogue.planTerms(accounts.planOf(command.account));
  if (notionalOf(book, newTicks, newTotal) > notionalMaxOf(book, plan)) return "notionalTooLarge";
  const postOnly = isPostOnly(orders.feesOf(slot));
  if (movesPrice && !isWithinBand(book, side, newTicks)) return "priceOutsideBand";
  if (book.isGathering) {
    if (crossesOwnOrder(state, command.account, book, side, newTicks)) {
      return "wouldCrossOwnOrder";
    }
  } else if (postOnly || book.status === "postOnly") {
    if (movesPrice && book.crosses(side, newTicks)) return "wouldCross";
  }
  const assetId = side === BID ? book.quoteAssetId : book.baseAssetId;
  const available = ledger.available(command.account, assetId);
  const more = amendment.newHold - amendment.oldHold;
  return more > available ? "insufficientAvailable" : null;
}

/** Sends an order that has left the book into it again, on its new terms. */
function reenterBook(
  state: EngineState,
  { account, orderId }: CommandOf<"amendOrder">,
  amendment: Amendment,
): void {
  const { book, details, newHold, newRemaining, newTicks, slot } = amendment;
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
  { details, newTicks, newTotal, side }: Amendment,
  postOnly: boolean,
): OrderTerms {
  return {
    side: side === BID ? "buy" : "sell",
    orderType: "limit",
    // The order's timer decides whether it expires.
    timeInForce: "gtc",
    postOnly,
    priceTicks: newTicks,
    quantityLots: newTotal,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
    conditions: details?.terms.conditions,
  };
}

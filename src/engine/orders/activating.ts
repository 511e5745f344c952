/**
 * Activates waiting orders: orders whose trigger a trade has reached, and pending orders whose
 * working order has filled. They are activated one by one after the command that released them, in
 * the order of release; each may trade and release others. The part that exceeds the limit of one command
 * (work-limit.ts) follows after the next commands. An order that has already ended is skipped.
 *
 * Invariants: an activated order holds all that it needs; each is activated once for each thing
 * that it waits for.
 */
import { feesOfRow } from "../accounts/packed-fees.ts";
import type { Amount, Lots, Ticks } from "../amount.ts";
import { match } from "../book/matching.ts";
import { BID } from "../book/price-ladder.ts";
import { trailedTicks } from "../book/triggers.ts";
import { bandEdgeOf, isWithinBand } from "../markets/price-limits.ts";
import { affordableLots, lotsIn } from "../money-formulas.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { END_EXPIRED, endReasonCode } from "./end-codes.ts";
import { endOrder, endPairedLimit, stopWaiting } from "./ending.ts";
import { letWait } from "./opening.ts";
import type { OrderList } from "./order-lists.ts";
import type { Placement } from "./placement.ts";
import { endPlacement, restOrEnd } from "./remainders.ts";
import { canFillAtOnce, capOf, validateHold, validateOrder } from "./validating.ts";
import { findWaiting, termsOf, type Waiting } from "./waiting-orders.ts";

/** An activated order already counts among the open and the algorithmic orders. */
const IS_OPEN = { extraOpen: -1, extraAlgo: -1, isOpen: true, isPending: false };

/** Activates released orders until none is left or the limit of one command is reached. */
export function activatePending(state: EngineState): void {
  const { activations, lists, ordersPerCommandMax } = state;
  // The queue may grow during the loop.
  for (let taken = 0; activations.length > 0 && taken < ordersPerCommandMax; taken++) {
    const waiting = findWaiting(state, activations.take());
    if (waiting === undefined) continue;
    const { book, details } = waiting;
    if (details.waitsFor === "trigger") {
      // If the market has since stopped trading, the order is checked again when trading resumes.
      if (book.isTrading) goToMarket(state, waiting);
      else book.triggers.add(details);
    } else if (book.isTrading) {
      placePending(state, lists.get(details.listId) as OrderList);
    }
  }
}

/**
 * Sends an order to the market. Its trigger was reached and it holds the amount that it needs, so only the
 * book can still refuse it.
 */
function goToMarket(state: EngineState, waiting: Waiting): void {
  const order = state.placements.first;
  const { account, book, details, lots, side } = waiting;
  if (details.listId !== 0) endPairedLimit(state, details);
  stopWaiting(state, details, account);
  emitActivated(state, waiting, "trigger", 0, lots);

  order.fill(termsOf(state, waiting, lots), account, book);
  continueAs(state, order, waiting);
  order.heldAmount = details.heldAmount;
  if (order.terms.orderType === "limit") {
    order.limitTicks = order.terms.priceTicks;
  } else if (side === BID && !order.isByQuote) {
    order.limitTicks = Math.min(capOf(book, details.triggerTicks), bandEdgeOf(book, side));
    order.holdsAtLimit = true;
    order.holdsLess = affordableLots(book, order.limitTicks, details.heldAmount) < lots;
  } else {
    order.limitTicks = bandEdgeOf(book, side);
  }
  const refusal = validateActivated(state, order);
  if (refusal === null) {
    match(state, order);
    restOrEnd(state, order);
  } else {
    order.remainingHeld = order.heldAmount;
    endPlacement(state, order, END_EXPIRED, endReasonCode(refusal));
  }
}

function validateActivated(state: EngineState, order: Placement): RejectReason | null {
  const { book, limitTicks, side, terms } = order;
  // A market order's limit is the band's edge at most.
  if (!isWithinBand(book, side, limitTicks)) return "priceOutsideBand";
  if (terms.postOnly && book.crosses(side, limitTicks)) return "wouldCross";
  return terms.timeInForce === "fok" && !canFillAtOnce(state, order) ? "wouldNotFill" : null;
}

/** Places the pending orders of a list whose working order has filled, or ends them as refused. */
function placePending(state: EngineState, list: OrderList): void {
  const pending = list.otherOrderIds.map((orderId) => findWaiting(state, orderId) as Waiting);
  const lots = Math.min(...pending.map((waiting) => lotsOf(waiting, list)));
  const refusal = validateAgain(state, pending, lots);
  if (refusal !== null) {
    const why = endReasonCode(refusal.reason);
    endOrder(state, refusal.of.slot, END_EXPIRED, why);
    return;
  }
  const { first: order, second: other } = state.placements;
  const [first, second] = pending;
  const { heldAmount } = order;
  if (second === undefined) {
    state.lists.delete(list.listId);
    first.details.listId = 0;
  } else {
    // The trigger order waits before the limit order goes to the market.
    other.heldAmount = Math.max(0, other.heldAmount - heldAmount);
    holdNow(state, other, second);
    letWait(state, other);
  }
  holdNow(state, order, first);
  if (order.waitsFor === "trigger") {
    letWait(state, order);
    return;
  }
  stopWaiting(state, first.details, first.account);
  match(state, order);
  restOrEnd(state, order);
}

/**
 * The quantity of a pending order; if its terms leave that open, the proceeds of its working order, in
 * whole lots.
 */
function lotsOf({ book, details, lots, side }: Waiting, list: OrderList): number {
  const { conditions, priceTicks, quoteAmount } = details.terms;
  if (lots !== 0 || quoteAmount !== 0) return lots;
  if (side !== BID) return lotsIn(book, list.receivedAmount);
  if (priceTicks !== 0) return affordableLots(book, priceTicks, list.receivedAmount);
  const triggerTicks =
    conditions.trigger?.kind === "trailingStop"
      ? trailedTicks(book.lastTicks, conditions.trigger.trailBps, true)
      : details.triggerTicks;
  return affordableLots(book, capOf(book, triggerTicks), list.receivedAmount);
}

/** The first of the pending orders that would be refused if placed now, and why; null if none. */
function validateAgain(
  state: EngineState,
  pending: readonly Waiting[],
  lots: number,
): { of: Waiting; reason: RejectReason } | null {
  if (lots === 0 && pending[0].details.terms.quoteAmount === 0) {
    return { of: pending[0], reason: "invalidQuantity" };
  }
  const { first, second } = state.placements;
  let needed = 0;
  for (const waiting of pending) {
    const { account, book } = waiting;
    const order = waiting === pending[0] ? first : second;
    const terms = termsOf(state, waiting, lots);
    const reason = validateOrder(state, order, terms, account, book.marketId, IS_OPEN);
    if (reason !== null) return { of: waiting, reason };
    needed = Math.max(needed, order.heldAmount);
  }
  const reason = validateHold(state, first, needed, 0);
  return reason === null ? null : { of: pending[0], reason };
}

/** Gives a pending order its hold. From here on nothing is refused. */
function holdNow(state: EngineState, order: Placement, waiting: Waiting): void {
  const { heldAmount, totalLots } = order;
  continueAs(state, order, waiting);
  state.ledger.hold(order.account, order.spentAssetId, heldAmount);
  state.orders.setTotalLots(waiting.slot, totalLots);
  emitActivated(state, waiting, "workingOrder", heldAmount, totalLots);
}

function continueAs({ orders }: EngineState, order: Placement, { details, slot }: Waiting): void {
  const { listId, orderId } = details;
  order.continueAs({ slot, orderId, listId, fees: feesOfRow(orders.feesOf(slot)) });
}

function emitActivated(
  state: EngineState,
  { account, book, details, side }: Waiting,
  cause: "trigger" | "workingOrder",
  heldAmount: number,
  lots: number,
): void {
  state.events.rare({
    type: "orderActivated",
    orderId: details.orderId,
    account,
    marketId: book.marketId,
    side: side === BID ? "buy" : "sell",
    cause,
    lastTicks: book.lastTicks as Ticks,
    heldAmount: heldAmount as Amount,
    quantityLots: lots as Lots,
  });
}

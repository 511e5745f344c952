/**
 * Amends an open order: refuse → hold or release → change → match → rest. An order keeps its id, its
 * fees, its conditions and its end; of the orders of a list each keeps its own price and trigger, and a
 * pair has one quantity.
 *
 * Invariants: an amended pair holds the larger need of its two orders; the fill of a working order
 * cannot be what triggers an amended order that waits for it. Never: orders whose trigger was reached.
 */
import type { Lots } from "../amount.ts";
import type { OrderBook } from "../book/order-book.ts";
import { NO_ORDER } from "../book/order-table.ts";
import { BID } from "../book/price-ladder.ts";
import type { CommandOf } from "../commands.ts";
import { isUncrossing } from "../markets/pending-uncrossings.ts";
import { isPositive } from "../order-terms.ts";
import type { Outcome, RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import {
  amendResting,
  changesResting,
  validateRestingTerms,
  restingAmendmentOf,
  type RestingAmendment,
} from "./amending-resting.ts";
import {
  amendWaiting,
  isReachedByFill,
  validateFieldsOfWaiting,
  validateWaitingTerms,
  waitingAmendmentOf,
  type WaitingAmendment,
} from "./amending-waiting.ts";
import type { OrderDetails } from "./order-details.ts";
import type { OrderList } from "./order-lists.ts";
import { findWaiting, type Waiting } from "./waiting-orders.ts";

type Command = CommandOf<"amendOrder">;

export function amendOrder(state: EngineState, command: Command): Outcome {
  const { account, orderId } = command;
  const { accounts, orders } = state;
  if (!accounts.exists(account)) return "unknownAccount";
  const slot = orders.find(orderId);
  if (slot === NO_ORDER) return "unknownOrder";
  if (orders.accountOf(slot) !== account) return "unknownOrder";
  const book = state.books[orders.marketAndSideOf(slot) >> 1] as OrderBook;
  const details = orders.hasDetails(slot) ? state.details.at(slot) : undefined;
  const list = details === undefined ? undefined : state.lists.get(details.listId);
  if (details === undefined || details.waitsFor === "nothing") {
    const refusal = validateAmendable(state, account, book);
    return refusal ?? amendOrderInBook(state, command, slot, list);
  }
  if (command.everyKind !== true || !isUntriggered(details, book)) return "orderNotResting";
  const refusal = validateAmendable(state, account, book);
  return refusal ?? amendWaitingOrder(state, command, list);
}

/** The reason why the account has no order in the market that may be amended now; null if it has one. */
function validateAmendable(
  state: EngineState,
  account: number,
  book: OrderBook,
): RejectReason | null {
  if (state.accounts.isFrozen(account)) return "accountFrozen";
  if (isUncrossing(state, book.marketId)) return "marketBusy";
  const isOpen = book.isTrading || book.isGathering || book.status === "postOnly";
  return isOpen ? null : "marketNotTrading";
}

/** Whether the order does not wait for a price, or no trade has reached that yet. */
function isUntriggered(details: OrderDetails, book: OrderBook): boolean {
  return details.waitsFor !== "trigger" || book.triggers.has(details);
}

function amendOrderInBook(
  state: EngineState,
  command: Command,
  slot: number,
  list: OrderList | undefined,
): Outcome {
  const { orderId, priceTicks, quantityLots } = command;
  const everyKind = command.everyKind === true;
  const isOfPair = list !== undefined && list.workingOrderId !== orderId;
  if (isOfPair && !everyKind) return "invalidList";
  if (command.triggerTicks !== undefined || command.trailBps !== undefined) return "invalidTrigger";
  if (command.quoteAmount !== undefined) return "invalidAmount";
  const amendment = restingAmendmentOf(state, slot, priceTicks, quantityLots);
  const { account, details, newTicks, newTotal, oldTicks, side, spentAssetId } = amendment;
  if (!isPositive(newTicks)) return "invalidPrice";
  if (!isPositive(newTotal) || amendment.newRemaining <= 0) return "invalidQuantity";
  if (!changesResting(amendment)) return "nothingToChange";
  if (isOfPair) return amendPairByLimit(state, list, amendment);
  const movesPrice = newTicks !== oldTicks;
  const isFixed = (details?.displayLots ?? 0) > 0 || list !== undefined;
  if (movesPrice && isFixed && !everyKind) return "invalidPrice";
  const refusal = validateRestingTerms(state, amendment, true);
  if (refusal !== null) return refusal;
  if (movesPrice && list !== undefined && fillTriggersPending(state, list, side, newTicks)) {
    return "wouldTriggerAtOnce";
  }
  const more = amendment.newHold - amendment.oldHold;
  if (more > state.ledger.available(account, spentAssetId)) return "insufficientAvailable";
  amendResting(state, amendment);
  return "accepted";
}

/** Whether an order of the list would be triggered by the fill of its working order at this price. */
function fillTriggersPending(
  state: EngineState,
  { otherOrderIds }: OrderList,
  side: number,
  priceTicks: number,
): boolean {
  return otherOrderIds.some((orderId) => {
    const pending = findWaiting(state, orderId) as Waiting;
    return isReachedByFill(pending, pending.details.triggerTicks, { side, priceTicks });
  });
}

/** Amends the limit order of a pair. It may not trade at once, which would end the other order. */
function amendPairByLimit(
  state: EngineState,
  { otherOrderIds }: OrderList,
  limit: RestingAmendment,
): Outcome {
  const trigger = findWaiting(state, otherOrderIds[1]) as Waiting;
  if (!isUntriggered(trigger.details, limit.book)) return "orderNotResting";
  const quantityLots = limit.newTotal as Lots;
  return amendPair(state, limit, waitingAmendmentOf(state, trigger, { quantityLots }));
}

function amendPair(
  state: EngineState,
  limit: RestingAmendment,
  trigger: WaitingAmendment,
): Outcome {
  const { account, newHold, oldHold, spentAssetId } = limit;
  const { details } = trigger.waiting;
  const changesLimit = changesResting(limit);
  const refusal =
    (changesLimit ? validateRestingTerms(state, limit, false) : null) ??
    (trigger.changesTerms ? validateWaitingTerms(state, trigger) : null);
  if (refusal !== null) return refusal;
  // The trigger order holds its need beyond the limit order's hold.
  const beyond = Math.max(0, trigger.neededAmount - newHold);
  const more = newHold + beyond - oldHold - details.heldAmount;
  if (more > state.ledger.available(account, spentAssetId)) return "insufficientAvailable";
  const changesTrigger = trigger.changesTerms || beyond !== details.heldAmount;
  // An amount that one of the two releases may be held by the other one.
  const triggerFirst = beyond < details.heldAmount;
  if (changesTrigger && triggerFirst) amendWaiting(state, trigger, beyond);
  if (changesLimit) amendResting(state, limit);
  if (changesTrigger && !triggerFirst) amendWaiting(state, trigger, beyond);
  return "accepted";
}

function amendWaitingOrder(
  state: EngineState,
  command: Command,
  list: OrderList | undefined,
): Outcome {
  const waiting = findWaiting(state, command.orderId) as Waiting;
  const { account, details } = waiting;
  const badField = validateFieldsOfWaiting(waiting, command);
  if (badField !== null) return badField;
  const amendment = waitingAmendmentOf(state, waiting, command);
  if (!amendment.changesTerms) return "nothingToChange";
  if (list !== undefined && details.waitsFor === "workingOrder") {
    return amendPendingOrder(state, list, amendment);
  }
  if (list !== undefined) {
    const { slot } = findWaiting(state, list.otherOrderIds[0]) as Waiting;
    const limit = restingAmendmentOf(state, slot, 0, amendment.terms.quantityLots);
    return amendPair(state, limit, amendment);
  }
  const refusal = validateWaitingTerms(state, amendment);
  if (refusal !== null) return refusal;
  const { neededAmount, spentAssetId } = amendment;
  const more = neededAmount - details.heldAmount;
  if (more > state.ledger.available(account, spentAssetId)) return "insufficientAvailable";
  amendWaiting(state, amendment, neededAmount);
  return "accepted";
}

/** Amends an order that waits for its working order; of a pair, the quantity of both. */
function amendPendingOrder(
  state: EngineState,
  list: OrderList,
  amendment: WaitingAmendment,
): Outcome {
  const { changesTrigger, terms, waiting } = amendment;
  const { quantityLots } = terms;
  const amendments = list.otherOrderIds.map((orderId) =>
    orderId === waiting.details.orderId
      ? amendment
      : waitingAmendmentOf(state, findWaiting(state, orderId) as Waiting, { quantityLots }),
  );
  for (const each of amendments) {
    const refusal = each.changesTerms ? validateWaitingTerms(state, each) : null;
    if (refusal !== null) return refusal;
  }
  const isFirst = amendment === amendments[0];
  const movesLimit = isFirst && terms.priceTicks !== waiting.details.terms.priceTicks;
  if ((movesLimit || changesTrigger) && isInvertedPair(amendments)) return "invalidList";
  if (changesTrigger && isTriggeredByFill(state, list, amendment)) return "wouldTriggerAtOnce";
  for (const each of amendments) if (each.changesTerms) amendWaiting(state, each, 0);
  return "accepted";
}

/** Whether the fill of the working order, if that is open, reaches the amended trigger price. */
function isTriggeredByFill(
  { orders }: EngineState,
  { workingOrderId }: OrderList,
  { triggerTicks, waiting }: WaitingAmendment,
): boolean {
  const slot = orders.find(workingOrderId);
  if (slot === NO_ORDER) return false;
  const side = orders.marketAndSideOf(slot) & 1;
  return isReachedByFill(waiting, triggerTicks, { side, priceTicks: waiting.book.priceOf(slot) });
}

/** Whether the limit order of a pending pair is not on the better side of its stop. */
function isInvertedPair(amendments: readonly WaitingAmendment[]): boolean {
  const [limit, trigger] = amendments;
  if (trigger?.terms.conditions?.trigger?.kind !== "stop") return false;
  const { priceTicks } = limit.terms;
  return limit.waiting.side === BID
    ? priceTicks >= trigger.triggerTicks
    : priceTicks <= trigger.triggerTicks;
}

/**
 * Decides whether an order may be placed, and derives its fees, its limit, its hold and the condition
 * that it waits for. Each check fills the placement that it receives. The order of the checks is in
 * placing.ts.
 *
 * Never: any change of the state.
 */
import { AMOUNT_MAX, type Lots } from "../amount.ts";
import { NO_LEVEL } from "../book/level-table.ts";
import { canFill, costToBuy, crossesOwnOrder, lotsToReceive } from "../book/liquidity.ts";
import type { OrderBook } from "../book/order-book.ts";
import { ASK, BID } from "../book/price-ladder.ts";
import { trailedTicks } from "../book/triggers.ts";
import type { OrderTerms, OrderTrigger } from "../commands.ts";
import type { PlanTerms } from "../markets/catalogue.ts";
import { validateForStatus } from "../markets/market-statuses.ts";
import { isUncrossing } from "../markets/pending-uncrossings.ts";
import {
  bandEdgeOf,
  isWithinBand,
  notionalMaxOf,
  worstBeforeHalt,
} from "../markets/price-limits.ts";
import { baseAmountOf, holdFor, notionalOf } from "../money-formulas.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { activatesAbove } from "./opening.ts";
import { validateTerms } from "./order-checks.ts";
import type { Placement } from "./placement.ts";

/** The circumstances in which an order is placed, which affect its validation. */
export interface Circumstances {
  /** How many further orders the same command opens; negative for orders that the command ends. */
  readonly extraOpen: number;
  /** How many of these orders count as algorithmic. */
  readonly extraAlgo: number;
  /** Whether the order already has its row, its details and its timer. */
  readonly isOpen: boolean;
  /** Whether the order waits for a working order. */
  readonly isPending: boolean;
}

export const ALONE: Circumstances = {
  extraOpen: 0,
  extraAlgo: 0,
  isOpen: false,
  isPending: false,
};

/**
 * Why the order cannot be placed, apart from its hold; null if it can, and the placement is filled.
 */
export function validateOrder(
  state: EngineState,
  order: Placement,
  terms: OrderTerms,
  account: number,
  marketId: number,
  circumstances: Circumstances,
): RejectReason | null {
  const { accounts, books, catalogue } = state;
  if (!catalogue.markets.has(marketId)) return "unknownMarket";
  const book = books[marketId] as OrderBook;
  if (accounts.isFrozen(account)) return "accountFrozen";
  if (!book.isTrading) {
    if (isUncrossing(state, marketId)) return "marketBusy";
    const refusal = validateForStatus(book.status, terms);
    if (refusal !== null) return refusal;
  }
  const badTerms = validateTerms(terms, book, state.nowMs);
  if (badTerms !== null) return badTerms;

  const plan = planOf(state, account);
  const trigger = terms.conditions?.trigger;
  if (trigger !== undefined || terms.timeInForce === "gtc" || terms.timeInForce === "gtd") {
    const refusal = validateOrderCounts(state, terms, account, book, plan, circumstances);
    if (refusal !== null) return refusal;
  }
  fillPlacement(state, order, terms, account, book);
  const notionalMax = notionalMaxOf(book, plan);
  if (trigger !== undefined) return validateTrigger(order, trigger, notionalMax);
  return terms.orderType === "market"
    ? validateAtMarket(state, order, notionalMax)
    : validateAtLimit(state, order, notionalMax);
}

/**
 * Why the order cannot wait for a working order; null if it can. Its size, its hold and the state
 * of the book are checked when the working order has filled.
 */
export function validatePending(
  state: EngineState,
  terms: OrderTerms,
  account: number,
  marketId: number,
  circumstances: Circumstances,
): RejectReason | null {
  const book = state.books[marketId] as OrderBook;
  const badTerms = validatePendingTerms(state, terms, book);
  if (badTerms !== null) return badTerms;
  const plan = planOf(state, account);
  return validateOrderCounts(state, terms, account, book, plan, circumstances);
}

/** Why the terms of a pending order are invalid, its size aside if that is open; null if valid. */
export function validatePendingTerms(
  state: EngineState,
  terms: OrderTerms,
  book: OrderBook,
): RejectReason | null {
  const isOpenEnded = terms.quantityLots === 0 && terms.quoteAmount === 0;
  const sized = isOpenEnded ? { ...terms, quantityLots: book.quantityLotsMax as Lots } : terms;
  const badTerms = validateTerms(sized, book, state.nowMs);
  return badTerms !== null && isOpenEnded && SIZE_REASONS.has(badTerms) ? null : badTerms;
}

/** Fills the placement of an order that waits for its working order and holds nothing yet. */
export function fillPending(
  state: EngineState,
  order: Placement,
  terms: OrderTerms,
  account: number,
  book: OrderBook,
): void {
  fillPlacement(state, order, terms, account, book);
  order.waitsFor = "workingOrder";
  order.heldAmount = 0;
  order.neededAmount = 0;
  const trigger = terms.conditions?.trigger;
  if (trigger === undefined || trigger.kind === "trailingStop") return;
  order.triggerTicks = trigger.triggerTicks;
}

/**
 * Why the account cannot hold this amount for the order, given what the command releases; null if
 * it can.
 */
export function validateHold(
  { ledger }: EngineState,
  { account, spentAssetId }: Placement,
  heldAmount: number,
  freedAmount: number,
): RejectReason | null {
  const available = ledger.available(account, spentAssetId);
  return heldAmount > available + freedAmount ? "insufficientAvailable" : null;
}

function planOf({ accounts, catalogue }: EngineState, account: number): PlanTerms {
  return catalogue.planTerms(accounts.planOf(account));
}

function fillPlacement(
  state: EngineState,
  order: Placement,
  terms: OrderTerms,
  account: number,
  book: OrderBook,
): void {
  order.fill(terms, account, book);
  order.fees = book.ownFees || state.feeTiers.feesOf(account);
}

/** Why the account cannot have another open order of this kind; null if it can. */
function validateOrderCounts(
  { accounts, details, orders, pendingTakePlaces, timers }: EngineState,
  { conditions }: OrderTerms,
  account: number,
  book: OrderBook,
  plan: PlanTerms,
  { isPending, isOpen, extraOpen, extraAlgo }: Circumstances,
): RejectReason | null {
  if (accounts.openOrderCount(account) + extraOpen >= plan.openOrdersMax) {
    return "tooManyOpenOrders";
  }
  // The order that a replacement ends frees its row.
  if (extraOpen >= 0 && orders.isFull) return "limitReached";
  if (conditions === undefined && !isPending) return null;
  const isAlgorithmic =
    isPending || conditions?.trigger !== undefined || conditions?.displayLots !== undefined;
  if (isAlgorithmic && accounts.algoOrderCount(account) + extraAlgo >= plan.algoOrdersMax) {
    return "tooManyAlgoOrders";
  }
  if (!isOpen && (details.room < DETAILS_RESERVED || timers.isFull)) return "limitReached";
  const trigger = conditions?.trigger;
  // A pending order whose working order has filled has had its place since it was placed.
  if (trigger === undefined || (isOpen && pendingTakePlaces)) return null;
  const trailing = trigger.kind === "trailingStop" ? 1 : 0;
  return book.triggers.hasRoomFor(1, trailing, pendingTakePlaces) ? null : "limitReached";
}

function validateAtLimit(
  state: EngineState,
  order: Placement,
  notionalMax: number,
): RejectReason | null {
  const { account, book, side, terms } = order;
  const { priceTicks, quantityLots } = terms;
  if (notionalOf(book, priceTicks, quantityLots) > notionalMax) return "notionalTooLarge";
  if (!isWithinBand(book, side, priceTicks)) return "priceOutsideBand";
  if (book.isGathering) {
    if (crossesOwnOrder(state, account, book, side, priceTicks)) return "wouldCrossOwnOrder";
  } else if (terms.postOnly && book.crosses(side, priceTicks)) {
    return "wouldCross";
  }
  order.limitTicks = priceTicks;
  if (terms.timeInForce === "fok" && !canFillAtOnce(state, order)) return "wouldNotFill";
  order.heldAmount = holdFor(book, side, priceTicks, quantityLots);
  return null;
}

/** Whether a fill-or-kill order would fill within its limit. */
export function canFillAtOnce(state: EngineState, order: Placement): boolean {
  const { account, book, limitTicks, remainingLots, side } = order;
  const passesOver = order.selfTradePrevention === "expireMaker";
  const worstTicks = worstBeforeHalt(book, side, limitTicks, state.nowMs);
  return canFill(state, book, side, worstTicks, remainingLots, account, passesOver);
}

function validateAtMarket(
  state: EngineState,
  order: Placement,
  notionalMax: number,
): RejectReason | null {
  const { account, book, isByQuote, side, terms, totalLots } = order;
  const { quoteAmount } = terms;
  const opposite = side === BID ? ASK : BID;
  if (book.ladder.best(opposite) === NO_LEVEL) return "noLiquidity";
  const notional = notionalOf(book, book.bestTicks(opposite), isByQuote ? 1 : totalLots);
  if (isByQuote) {
    if (notional > quoteAmount) return "notionalTooSmall";
    if (quoteAmount > notionalMax) return "notionalTooLarge";
  } else {
    if (notional < book.notionalMin) return "notionalTooSmall";
    if (notional > notionalMax) return "notionalTooLarge";
  }
  const limitTicks = bandEdgeOf(book, side);
  order.limitTicks = limitTicks;
  const passedOver = order.selfTradePrevention === "expireMaker" ? account : 0;
  if (side === ASK && !isByQuote) {
    order.heldAmount = baseAmountOf(book, totalLots);
  } else if (side === ASK) {
    const reach = lotsToReceive(state, book, quoteAmount, limitTicks, passedOver);
    order.limitTicks = reach.worstTicks;
    order.heldAmount = baseAmountOf(book, reach.amount);
  } else if (isByQuote) {
    order.heldAmount = quoteAmount;
  } else {
    const reach = costToBuy(state, book, totalLots, limitTicks, passedOver);
    if (reach.amount > AMOUNT_MAX) return "notionalTooLarge";
    order.limitTicks = reach.worstTicks;
    order.heldAmount = reach.amount;
  }
  return null;
}

/** Checks the trigger of an order, which holds the amount that it will need once the trigger is reached. */
function validateTrigger(
  order: Placement,
  trigger: OrderTrigger,
  notionalMax: number,
): RejectReason | null {
  const { book, side } = order;
  const { lastTicks } = book;
  if (lastTicks === 0) return "noReferencePrice";
  const isAbove = activatesAbove(side, trigger.kind);
  const triggerTicks =
    trigger.kind === "trailingStop"
      ? trailedTicks(lastTicks, trigger.trailBps, isAbove)
      : trigger.triggerTicks;
  order.waitsFor = "trigger";
  order.triggerTicks = triggerTicks;
  if (isAbove ? lastTicks >= triggerTicks : lastTicks <= triggerTicks) {
    return "wouldTriggerAtOnce";
  }
  return validateTriggeredSize(order, notionalMax);
}

/**
 * Why an order with this trigger price may not have its size; null if it may, and the placement has
 * the amount that it needs.
 */
export function validateTriggeredSize(order: Placement, notionalMax: number): RejectReason | null {
  const { book, isByQuote, terms, totalLots, triggerTicks } = order;
  if (terms.orderType === "market" && !isByQuote) {
    if (notionalOf(book, triggerTicks, totalLots) < book.notionalMin) return "notionalTooSmall";
  }
  order.heldAmount = amountNeeded(order);
  order.neededAmount = order.heldAmount;
  const notional = isByQuote
    ? terms.quoteAmount
    : notionalOf(book, terms.priceTicks || triggerTicks, totalLots);
  const isTooLarge = notional > notionalMax || order.heldAmount > AMOUNT_MAX;
  return isTooLarge ? "notionalTooLarge" : null;
}

/**
 * The amount that a triggered order needs to go to the market: for a limit order its notional or
 * its quantity; for a market order to sell, its quantity; for one to buy, its quote amount, or its
 * quantity at the cap.
 */
function amountNeeded({ book, isByQuote, side, terms, totalLots, triggerTicks }: Placement) {
  if (side === BID && isByQuote) return terms.quoteAmount;
  return holdFor(book, side, terms.priceTicks || capOf(book, triggerTicks), totalLots);
}

/** The cap: the highest price at which a triggered market order by quantity buys. */
export function capOf(book: OrderBook, triggerTicks: number): number {
  return trailedTicks(triggerTicks, book.protectionBps, true);
}

/** The reasons that concern a quantity, which may not be known yet. */
const SIZE_REASONS: ReadonlySet<RejectReason> = new Set([
  "quantityTooLarge",
  "notionalTooSmall",
  "notionalTooLarge",
  "invalidDisplay",
]);

/** Details reserved for the further orders of a list, whose orders are checked one by one. */
const DETAILS_RESERVED = 3;

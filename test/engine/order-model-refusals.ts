/**
 * Refusals: every reason to refuse an order, of which the engine may return any. If the account or the
 * market accepts no orders, or the terms are invalid, nothing else is checked.
 *
 * Never: a change; refusals of a list as such (order-model-lists.ts), of an amendment
 * (order-model-amending.ts) or of a market's command (order-model-markets.ts).
 */
import type { OrderTerms } from "#engine/commands.ts";
import {
  isGathering,
  isInBand,
  opposite,
  spentOf,
  tickOf,
  type ModelMarket,
} from "./market-model.ts";
import { EXACT_MAX, isPositive, type Reasons } from "./model-parts.ts";
import { book, crosses, crossesOwn, touchOf } from "./order-model-book.ts";
import {
  EXPIRY_MS_MAX,
  isWaiting,
  mayRest,
  type ModelExchange,
  type ModelOrder,
} from "./order-model-exchange.ts";
import { placementNeeds, triggeredNeeds } from "./order-model-holds.ts";
import { isDisplay } from "./order-model-icebergs.ts";
import { canFillWhole } from "./order-model-receipts.ts";
import { isReached, triggerPrice } from "./order-model-triggers.ts";

/** Orders and holds that the current command adds or frees besides the order that is checked. */
export interface OpenedResources {
  readonly open: number;
  readonly algo: number;
  readonly freed: bigint;
}
export const NOTHING_OPENED: OpenedResources = { open: 0, algo: 0, freed: 0n };

/** Every reason to refuse the order. */
export function refusals(
  exchange: ModelExchange,
  terms: OrderTerms,
  account: number,
  market: ModelMarket,
  opened: OpenedResources,
): Reasons {
  if (exchange.house.isFrozen(account)) return new Set(["accountFrozen"]);
  if (!isLetIn(terms, market)) return new Set(["marketNotTrading"]);
  const reasons = badTerms(exchange, terms, market);
  if (mayRest(terms) || isWaiting(terms)) {
    addLimits(exchange, reasons, account, opened.open, isAlgorithmicTerms(terms), opened.algo);
  }
  if (reasons.size > 0) return reasons;
  const { conditions, side } = terms;
  const price = BigInt(terms.priceTicks);
  const total = BigInt(terms.quantityLots);
  const trigger = conditions?.trigger;
  const notionalMax = notionalMaxOf(exchange, account, market);
  if (trigger !== undefined) {
    if (market.last === 0n) return reasons.add("noReferencePrice");
    const at = triggerPrice(trigger, side, market.last);
    if (isReached(trigger, side, at, market.last)) reasons.add("wouldTriggerAtOnce");
    addTriggeredSize(reasons, exchange, terms, account, market, at);
  } else if (terms.orderType === "limit") {
    if (price * total * tickOf(market) > notionalMax) reasons.add("notionalTooLarge");
    if (!isInBand(market, side, price, touchOf(exchange, market))) reasons.add("priceOutsideBand");
    if (isGathering(market)) {
      if (crossesOwn(exchange, account, side, price, market)) reasons.add("wouldCrossOwnOrder");
    } else if (terms.postOnly && crosses(exchange, side, price, market)) {
      reasons.add("wouldCross");
    }
    const isWhole = terms.timeInForce === "fok";
    if (isWhole && !canFillWhole(exchange, terms, account, market, price, total)) {
      reasons.add("wouldNotFill");
    }
  } else {
    const best = book(exchange, market.id, opposite(side))[0];
    if (best === undefined) return reasons.add("noLiquidity");
    const lotCost = best.price * tickOf(market);
    const isSmall =
      terms.quoteAmount === 0
        ? lotCost * total < BigInt(market.terms.notionalMin)
        : lotCost > BigInt(terms.quoteAmount);
    if (isSmall) reasons.add("notionalTooSmall");
    const notional = terms.quoteAmount === 0 ? lotCost * total : BigInt(terms.quoteAmount);
    if (notional > notionalMax) reasons.add("notionalTooLarge");
  }
  const needs = placementNeeds(exchange, terms, market, account);
  if (needs > EXACT_MAX) return reasons.add("notionalTooLarge");
  const available = exchange.money.of(account, spentOf(side, market), "available");
  if (needs > available + opened.freed) reasons.add("insufficientAvailable");
  return reasons;
}

/**
 * The checks of a pending order at its placement; its size, hold and price in the book are checked when
 * its working order has filled.
 */
export function pendingRefusals(
  exchange: ModelExchange,
  terms: OrderTerms,
  account: number,
  market: ModelMarket,
  open: number,
  algo: number,
  working: OrderTerms,
): Reasons {
  const reasons = badPendingTerms(exchange, terms, market);
  const workingAlgo = isAlgorithmicTerms(working) ? 1 : 0;
  addLimits(exchange, reasons, account, open, true, algo + workingAlgo);
  return reasons;
}

/** The size of an order that takes what its working order receives is not checked yet. */
export function badPendingTerms(
  exchange: ModelExchange,
  terms: OrderTerms,
  market: ModelMarket,
): Reasons {
  const isOpenEnded = terms.quantityLots === 0 && terms.quoteAmount === 0;
  const lots = market.terms.quantityLotsMax;
  const reasons = badTerms(
    exchange,
    isOpenEnded ? { ...terms, quantityLots: lots } : terms,
    market,
  );
  if (isOpenEnded) {
    for (const reason of ["notionalTooSmall", "notionalTooLarge", "quantityTooLarge"] as const) {
      reasons.delete(reason);
    }
  }
  return reasons;
}

/** The size of an order with this trigger price. */
export function addTriggeredSize(
  reasons: Reasons,
  exchange: ModelExchange,
  terms: OrderTerms,
  account: number,
  market: ModelMarket,
  triggerAt: bigint,
): void {
  const { orderType, priceTicks, quantityLots, quoteAmount } = terms;
  const lotsAt = (price: bigint) => price * BigInt(quantityLots) * tickOf(market);
  if (orderType === "market" && quoteAmount === 0) {
    if (lotsAt(triggerAt) < BigInt(market.terms.notionalMin)) reasons.add("notionalTooSmall");
  }
  const unit = orderType === "limit" ? BigInt(priceTicks) : triggerAt;
  const notional = quoteAmount === 0 ? lotsAt(unit) : BigInt(quoteAmount);
  const isTooLarge = notional > notionalMaxOf(exchange, account, market);
  if (isTooLarge || triggeredNeeds(terms, triggerAt, market) > EXACT_MAX) {
    reasons.add("notionalTooLarge");
  }
}

export function badTerms(exchange: ModelExchange, terms: OrderTerms, market: ModelMarket): Reasons {
  const reasons: Reasons = new Set();
  const { conditions = {}, orderType, priceTicks, quantityLots, quoteAmount, timeInForce } = terms;
  const { displayLots, expiresAtMs, trigger } = conditions;
  if ((timeInForce === "gtd") !== (expiresAtMs !== undefined)) reasons.add("invalidTimeInForce");
  if (expiresAtMs !== undefined) {
    const after = expiresAtMs - exchange.nowMs;
    if (!isPositive(after) || after > EXPIRY_MS_MAX) reasons.add("invalidTimeInForce");
  }
  if (displayLots !== undefined) {
    const fits =
      isPositive(displayLots) &&
      isPositive(quantityLots) &&
      isDisplay(BigInt(displayLots), BigInt(quantityLots));
    if (!fits || orderType !== "limit" || !mayRest(terms)) reasons.add("invalidDisplay");
  }
  if (trigger !== undefined) {
    const size = trigger.kind === "trailingStop" ? trigger.trailBps : trigger.triggerTicks;
    const max = trigger.kind === "trailingStop" ? 9_999 : Infinity;
    if (!isPositive(size) || size > max) reasons.add("invalidTrigger");
  }
  if (orderType === "limit") {
    if (terms.postOnly && !mayRest(terms)) reasons.add("invalidTimeInForce");
    if (!isPositive(priceTicks)) reasons.add("invalidPrice");
    if (!isPositive(quantityLots)) reasons.add("invalidQuantity");
    if (quoteAmount !== 0) reasons.add("invalidAmount");
    if (isPositive(priceTicks) && isPositive(quantityLots)) {
      addSize(reasons, BigInt(priceTicks), BigInt(quantityLots), market);
    }
    return reasons;
  }
  if (timeInForce !== "ioc" || terms.postOnly) reasons.add("invalidTimeInForce");
  if (priceTicks !== 0) reasons.add("invalidPrice");
  if (quantityLots !== 0) {
    if (!isPositive(quantityLots)) reasons.add("invalidQuantity");
    if (quoteAmount !== 0) reasons.add("invalidAmount");
    if (quantityLots > market.terms.quantityLotsMax) reasons.add("quantityTooLarge");
    return reasons;
  }
  if (!isPositive(quoteAmount)) reasons.add("invalidAmount");
  if (quoteAmount < market.terms.notionalMin) reasons.add("notionalTooSmall");
  // How many lots sell for a total is known only at execution.
  if (trigger !== undefined && terms.side === "sell") reasons.add("invalidAmount");
  return reasons;
}

export function addSize(reasons: Reasons, price: bigint, lots: bigint, market: ModelMarket): void {
  if (lots > BigInt(market.terms.quantityLotsMax)) reasons.add("quantityTooLarge");
  const notional = price * lots * tickOf(market);
  if (notional > EXACT_MAX) reasons.add("notionalTooLarge");
  if (notional < BigInt(market.terms.notionalMin)) reasons.add("notionalTooSmall");
}

/**
 * The smaller of the market's limit and the plan's, which applies if its currency is the market's quote
 * coin.
 */
export function notionalMaxOf(
  exchange: ModelExchange,
  account: number,
  market: ModelMarket,
): bigint {
  const ofMarket = BigInt(market.terms.notionalMax ?? EXACT_MAX);
  const ofPlan = exchange.house.notionalMaxOf(account, market.quote);
  return ofMarket < ofPlan ? ofMarket : ofPlan;
}

function addLimits(
  exchange: ModelExchange,
  reasons: Reasons,
  account: number,
  open: number,
  isAlgo: boolean,
  algo: number,
): void {
  const mine = exchange.orders.filter((order) => order.account === account);
  const { openOrdersMax, algoOrdersMax = openOrdersMax } = exchange.house.planOf(account);
  if (mine.length + open >= openOrdersMax) reasons.add("tooManyOpenOrders");
  if (isAlgo && mine.filter(isAlgorithmic).length + algo >= algoOrdersMax) {
    reasons.add("tooManyAlgoOrders");
  }
}

/** Whether the market's state accepts such an order. */
function isLetIn(terms: OrderTerms, market: ModelMarket): boolean {
  if (market.status === "trading") return true;
  const rests = terms.orderType === "limit" && mayRest(terms) && !isWaiting(terms);
  return rests && (market.status === "postOnly" ? terms.postOnly : isGathering(market));
}

function isAlgorithmicTerms({ conditions }: OrderTerms): boolean {
  return conditions?.trigger !== undefined || conditions?.displayLots !== undefined;
}

/** Whether the order waits, for a trigger or a working order, or is an iceberg. */
export function isAlgorithmic(order: ModelOrder): boolean {
  const isIceberg = order.terms.conditions?.displayLots !== undefined;
  return isIceberg || order.state === "pending" || order.state === "waiting";
}

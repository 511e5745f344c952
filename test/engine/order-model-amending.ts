/**
 * Amending: an open order gets other terms. In the book it keeps its place in the queue only if its
 * quantity is reduced at the same price; otherwise it is sent to the market again, with the same id. The
 * orders of a pair (OCO) share their quantity and hold what the larger of both needs; every other term of
 * an order of a list is its own.
 *
 * Commands of earlier journals (without `everyKind`) amend no order that waits, none of a pair, and not
 * the price of an iceberg or of a working order.
 */
import type { OrderTerms, OrderTrigger } from "#engine/commands.ts";
import { isGathering, isInBand, neverCrosses, spentOf, tickOf } from "./market-model.ts";
import { isPositive, type CommandOf, type Reasons } from "./model-parts.ts";
import { crosses, crossesOwn, touchOf } from "./order-model-book.ts";
import { naming, ownOrder, type ModelExchange, type ModelOrder } from "./order-model-exchange.ts";
import { hold, restingNeeds, triggeredNeeds } from "./order-model-holds.ts";
import { isDisplay } from "./order-model-icebergs.ts";
import { toMarket } from "./order-model-matching.ts";
import {
  addSize,
  addTriggeredSize,
  badPendingTerms,
  badTerms,
  notionalMaxOf,
} from "./order-model-refusals.ts";
import { isReached, triggerPrice } from "./order-model-triggers.ts";

type Command = CommandOf<"amendOrder">;

/** What an order is to be; equal to what it is if it stays. */
interface Amended {
  readonly order: ModelOrder;
  readonly terms: OrderTerms;
  readonly total: bigint;
  readonly price: bigint;
  readonly triggerAt: bigint;
  readonly needs: bigint;
}

export function amendOrder(exchange: ModelExchange, command: Command): Reasons {
  const order = ownOrder(exchange, command.account, command.orderId);
  if (order === undefined) return new Set(["unknownOrder", "unknownAccount"]);
  const isInBook = order.state === "resting";
  if (!isInBook && command.everyKind !== true) return new Set(["orderNotResting"]);
  // A timer before this command may have led to the trade that reached the trigger.
  const pair = pairOf(order);
  const isReachedBefore = [order, ...(pair ?? [])].some(
    ({ isQueued, state }) => isQueued && state === "waiting",
  );
  const reasons: Reasons = new Set();
  if (exchange.house.isFrozen(command.account)) reasons.add("accountFrozen");
  if (isReachedBefore) reasons.add("orderNotResting");
  const { status } = order.market;
  if (!neverCrosses(status) && !isGathering(order.market)) reasons.add("marketNotTrading");
  addBadFields(reasons, command, order);
  if (pair !== undefined && isInBook && command.everyKind !== true) reasons.add("invalidList");
  if (reasons.size > 0) return reasons;

  const first = amended(order, command);
  const { quantityLots } = first.terms;
  const others = (pair ?? [order])
    .filter((other) => other !== order)
    .map((other) => amended(other, { quantityLots }));
  const all = [first, ...others];
  if (isSame(first)) reasons.add("nothingToChange");
  for (const each of all) if (!isSame(each)) addReasons(reasons, exchange, each, command);
  addBadList(reasons, all);
  const needs = sharedNeeds(all);
  const more = needs.reduce((sum, { held }) => sum + held, 0n) - heldBy(all);
  const asset = spentOf(order.side, order.market);
  if (more > exchange.money.of(order.account, asset, "available")) {
    reasons.add("insufficientAvailable");
  }
  if (reasons.size > 0) return reasons;

  // What one releases the other may hold.
  for (const { each, held } of needs.toSorted((a, b) => byRelease(a) - byRelease(b))) {
    if (isSame(each) && held === each.order.held) continue;
    if (each.order.state === "resting") amendInBook(exchange, each);
    else amendWaiting(exchange, each, held);
  }
  return reasons;
}

const byRelease = ({ each, held }: { each: Amended; held: bigint }): number =>
  Number(held > each.order.held);

/** The two orders of a live or pending pair, the limit order first; undefined for any other order. */
function pairOf({ list, state }: ModelOrder): ModelOrder[] | undefined {
  if (list === undefined || list.others.length < 2) return undefined;
  const isWorking = list.working !== undefined && state !== "pending";
  return isWorking ? undefined : list.others;
}

/** Fields that the order does not have, or that are no such numbers. */
function addBadFields(reasons: Reasons, command: Command, order: ModelOrder): void {
  const { priceTicks, quantityLots, quoteAmount, trailBps, triggerTicks } = command;
  const { conditions, orderType, quoteAmount: byTotal } = order.terms;
  const kind = order.state === "resting" ? undefined : conditions?.trigger?.kind;
  const isByTotal = order.state !== "resting" && byTotal !== 0;
  const isSized = order.total > 0n;
  if (priceTicks !== 0 && (orderType === "market" || !isPositive(priceTicks))) {
    reasons.add("invalidPrice");
  }
  if (quantityLots !== 0 && (!isSized || !isPositive(quantityLots))) reasons.add("invalidQuantity");
  if (quoteAmount !== undefined && (!isByTotal || !isPositive(quoteAmount))) {
    reasons.add("invalidAmount");
  }
  if (trailBps !== undefined && kind !== "trailingStop") reasons.add("invalidTrigger");
  if (triggerTicks !== undefined) {
    const isPrice = kind === "stop" || kind === "takeProfit";
    if (!isPrice || !isPositive(triggerTicks)) reasons.add("invalidTrigger");
  }
}

function amended(order: ModelOrder, change: Partial<Command>): Amended {
  const { market, side, state, terms: old } = order;
  const { priceTicks = 0, quantityLots = 0 } = change;
  const price = priceTicks === 0 ? order.price : BigInt(priceTicks);
  const total = quantityLots === 0 ? order.total : BigInt(quantityLots);
  const trigger = changedTrigger(old.conditions?.trigger, change);
  const terms: OrderTerms = {
    ...old,
    priceTicks: Number(price) as OrderTerms["priceTicks"],
    quantityLots: Number(total) as OrderTerms["quantityLots"],
    quoteAmount: change.quoteAmount ?? old.quoteAmount,
    ...(trigger !== undefined && { conditions: { ...old.conditions, trigger } }),
  };
  const moves = trigger !== undefined && sizeOf(trigger) !== sizeOf(old.conditions?.trigger);
  const triggerAt = moves ? triggerPrice(trigger, side, order.best) : order.triggerAt;
  const after = { order, terms, total, price, triggerAt };
  if (state === "resting") {
    return { ...after, needs: restingNeeds(side, price, total - order.total + order.left, market) };
  }
  if (state === "pending") return { ...after, needs: 0n };
  const isUnchanged = isSame({ ...after, needs: 0n });
  return { ...after, needs: isUnchanged ? order.needed : triggeredNeeds(terms, triggerAt, market) };
}

function changedTrigger(
  trigger: OrderTrigger | undefined,
  { trailBps, triggerTicks }: Partial<Command>,
): OrderTrigger | undefined {
  if (trigger === undefined) return undefined;
  return trigger.kind === "trailingStop"
    ? { ...trigger, trailBps: trailBps ?? trigger.trailBps }
    : { ...trigger, triggerTicks: triggerTicks ?? trigger.triggerTicks };
}

const sizeOf = (trigger: OrderTrigger | undefined): number =>
  trigger === undefined
    ? 0
    : trigger.kind === "trailingStop"
      ? trigger.trailBps
      : trigger.triggerTicks;

function movesTrigger({ order, terms }: Amended): boolean {
  return sizeOf(terms.conditions?.trigger) !== sizeOf(order.terms.conditions?.trigger);
}

function isSame(each: Amended): boolean {
  const { order, price, terms, total } = each;
  const isOfSize = total === order.total && terms.quoteAmount === order.terms.quoteAmount;
  return isOfSize && price === order.price && !movesTrigger(each);
}

/** Why one order may not have its terms. */
function addReasons(
  reasons: Reasons,
  exchange: ModelExchange,
  each: Amended,
  { everyKind }: Command,
): void {
  const { order, price, terms, total, triggerAt } = each;
  const { account, list, market, side } = order;
  const trigger = terms.conditions?.trigger;
  if (order.state === "pending") {
    for (const reason of badPendingTerms(exchange, terms, market)) reasons.add(reason);
    return;
  }
  if (order.state === "waiting" && trigger !== undefined) {
    for (const reason of badTerms(exchange, terms, market)) reasons.add(reason);
    if (movesTrigger(each) && isReached(trigger, side, triggerAt, market.last)) {
      reasons.add("wouldTriggerAtOnce");
    }
    addTriggeredSize(reasons, exchange, terms, account, market, triggerAt);
    return;
  }
  if (total - order.total + order.left <= 0n) reasons.add("invalidQuantity");
  const moves = price !== order.price;
  const display = terms.conditions?.displayLots;
  const isFixed = everyKind !== true && (display !== undefined || list !== undefined);
  if (moves && isFixed) reasons.add("invalidPrice");
  if (display !== undefined && !isDisplay(BigInt(display), total)) reasons.add("invalidDisplay");
  addSize(reasons, price, total, market);
  if (price * total * tickOf(market) > notionalMaxOf(exchange, account, market)) {
    reasons.add("notionalTooLarge");
  }
  if (moves && !isInBand(market, side, price, touchOf(exchange, market))) {
    reasons.add("priceOutsideBand");
  }
  const isOfPair = pairOf(order) !== undefined;
  if (isGathering(market)) {
    if (crossesOwn(exchange, account, side, price, market)) reasons.add("wouldCrossOwnOrder");
  } else if (moves && (terms.postOnly || market.status === "postOnly" || isOfPair)) {
    if (crosses(exchange, side, price, market)) reasons.add("wouldCross");
  }
}

/**
 * Why orders of a list may not have these terms together: a pending stop that the fill of the working
 * order must reach, and a pending pair that is not on both sides.
 */
function addBadList(reasons: Reasons, all: readonly Amended[]): void {
  const [first] = all;
  const { list, state } = first.order;
  if (list === undefined) return;
  const { working, others } = list;
  if (working !== undefined) {
    const moved = first.order === working ? others : movesTrigger(first) ? [first.order] : [];
    const price = first.order === working ? first.price : working.price;
    const isMoved = first.order !== working || price !== working.price;
    for (const order of isMoved ? moved : []) {
      const triggerAt = order === first.order ? first.triggerAt : order.triggerAt;
      if (mustReach(working, price, order, triggerAt)) reasons.add("wouldTriggerAtOnce");
    }
  }
  if (state !== "pending" || others.length < 2) return;
  const of = (order: ModelOrder) => all.find((each) => each.order === order) as Amended;
  const [limit, trigger] = others.map(of);
  const moves = movesTrigger(trigger) || limit.price !== limit.order.price;
  if (!moves || trigger.terms.conditions?.trigger?.kind !== "stop") return;
  const isApart =
    limit.order.side === "buy" ? limit.price < trigger.triggerAt : limit.price > trigger.triggerAt;
  if (!isApart) reasons.add("invalidList");
}

/** Whether any price at which the working order can fill reaches the trigger of the other. */
function mustReach(
  working: ModelOrder,
  price: bigint,
  { side, terms }: ModelOrder,
  triggerAt: bigint,
): boolean {
  const trigger = terms.conditions?.trigger;
  if (trigger === undefined || trigger.kind === "trailingStop") return false;
  const best = working.side === "buy" ? 0n : price + triggerAt;
  return isReached(trigger, side, triggerAt, price) && isReached(trigger, side, triggerAt, best);
}

/** What each holds: of a pair the trigger order only what it needs beyond the limit order. */
function sharedNeeds(all: readonly Amended[]): { each: Amended; held: bigint }[] {
  if (all.length < 2) return all.map((each) => ({ each, held: each.needs }));
  const limit = all.find(({ order }) => order.state === "resting");
  return all.map((each) => {
    if (limit === undefined || each === limit) return { each, held: each.needs };
    const beyond = each.needs - limit.needs;
    return { each, held: beyond > 0n ? beyond : 0n };
  });
}

function heldBy(all: readonly Amended[]): bigint {
  return all.reduce((sum, { order }) => sum + order.held, 0n);
}

function amendInBook(exchange: ModelExchange, { needs, order, price, total }: Amended): void {
  const previous = { previousPriceTicks: Number(order.price), previousVisibleLots: order.shown };
  const more = needs - order.held;
  hold(exchange, order, more);
  const left = total - order.total + order.left;
  const keptPriority = price === order.price && total < order.total;
  const hiddenBefore = order.left - order.shown;
  const lost = order.left - left;
  Object.assign(order, { price, total, left });
  order.shown = !keptPriority ? 0n : order.shown - (lost > hiddenBefore ? lost - hiddenBefore : 0n);
  exchange.events.push({
    type: "orderAmended",
    ...naming(order),
    priceTicks: Number(price),
    quantityLots: Number(total),
    remainingLots: Number(left),
    heldAmount: Number(more > 0n ? more : 0n),
    releasedAmount: Number(more < 0n ? -more : 0n),
    keptPriority,
    previousPriceTicks: previous.previousPriceTicks,
    previousVisibleLots: Number(previous.previousVisibleLots),
    visibleLots: Number(order.shown),
  });
  if (!keptPriority) toMarket(exchange, order, price, true);
}

function amendWaiting(exchange: ModelExchange, each: Amended, held: bigint): void {
  const { needs, order, price, terms, total, triggerAt } = each;
  const more = held - order.held;
  hold(exchange, order, more);
  const quoteLeft = BigInt(terms.quoteAmount);
  Object.assign(order, { terms, price, total, left: total, quoteLeft, triggerAt, needed: needs });
  const trigger = terms.conditions?.trigger;
  // Of a trailing stop that does not follow the market yet no trigger price is known.
  const isKnown = order.state === "waiting" || trigger?.kind !== "trailingStop";
  exchange.events.push({
    type: "waitingOrderAmended",
    ...naming(order),
    priceTicks: terms.priceTicks,
    quantityLots: terms.quantityLots,
    quoteAmount: terms.quoteAmount,
    triggerTicks: isKnown ? Number(triggerAt) : 0,
    ...(trigger !== undefined && { trigger }),
    heldAmount: Number(more > 0n ? more : 0n),
    releasedAmount: Number(more < 0n ? -more : 0n),
  });
}

/**
 * Lists: a pair in which one order ends the other (OCO), a working order with a pending order (OTO) or
 * with a pending pair (bracket). How a list is placed, and how its pending orders are placed when the
 * working order has filled.
 *
 * Invariants: a pair holds the larger of both needs, once; a pending order holds nothing before it is
 * placed. Never: how a list ends (order-model-ending.ts).
 */
import type { OrderListKind, OrderTerms } from "#engine/commands.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";
import { lotOf, spentOf, tickOf, type ModelMarket } from "./market-model.ts";
import { EXACT_MAX, type Reasons } from "./model-parts.ts";
import { tellActivated } from "./order-model-activating.ts";
import { book } from "./order-model-book.ts";
import { endOrder } from "./order-model-ending.ts";
import {
  isWaiting,
  mayRest,
  type ModelExchange,
  type ModelList,
  type ModelOrder,
} from "./order-model-exchange.ts";
import { hold, placementNeeds } from "./order-model-holds.ts";
import { openOrder, startOrder, tellWaiting } from "./order-model-placing.ts";
import {
  badTerms,
  NOTHING_OPENED,
  pendingRefusals,
  refusals,
  type OpenedResources,
} from "./order-model-refusals.ts";
import { capOf, triggerPrice } from "./order-model-triggers.ts";

export function placeOrderList(
  exchange: ModelExchange,
  kind: OrderListKind,
  orders: readonly OrderTerms[],
  account: number,
  marketId: number,
): Reasons {
  const market = exchange.markets.find(({ id }) => id === marketId);
  if (market === undefined) return new Set(["unknownMarket", "unknownAccount", "invalidList"]);
  if (!exchange.house.isAccount(account)) return new Set(["unknownAccount", "invalidList"]);
  const pair = kind === "oto" ? [] : orders.slice(-2);
  const reasons: Reasons = new Set(isPair(pair) ? [] : ["invalidList"]);
  const [first, ...pending] = orders;
  if (kind !== "oco" && (isWaiting(first) || !fitsWorking(first, pending))) {
    reasons.add("invalidList");
  }
  const needs = needsOrZero(exchange, first, market, account);
  if (kind === "oco") {
    const other = needsOrZero(exchange, orders[1], market, account);
    addAll(reasons, refusals(exchange, first, account, market, { ...NOTHING_OPENED }));
    const freed = needs < other ? needs : other;
    addAll(reasons, refusals(exchange, orders[1], account, market, { open: 1, algo: 0, freed }));
    const both = needs > other ? needs : other;
    if (both > exchange.money.of(account, spentOf(first.side, market), "available")) {
      reasons.add("insufficientAvailable");
    } else reasons.delete("insufficientAvailable");
  } else {
    addAll(reasons, refusals(exchange, first, account, market, NOTHING_OPENED));
    // A working order that cannot rest adds no open order to its pending ones.
    const isOpen = mayRest(first) ? 1 : 0;
    for (const [index, terms] of pending.entries()) {
      addAll(
        reasons,
        pendingRefusals(exchange, terms, account, market, isOpen + index, index, first),
      );
    }
  }
  // If an order has invalid terms, the list is invalid too.
  if (reasons.size > 0) return reasons.add("invalidList");

  const list: ModelList = {
    id: ++exchange.listCount,
    working: undefined,
    others: [],
    received: 0n,
  };
  const opened: ModelOrder[] = [];
  if (kind === "oco") {
    const [limit, trigger] = orders.map((terms) =>
      placementNeeds(exchange, terms, market, account),
    );
    opened.push(openOrder(exchange, first, account, market, limit, list));
    const more = trigger > limit ? trigger - limit : 0n;
    opened.push(openOrder(exchange, orders[1], account, market, more, list, trigger));
    list.others = opened;
  } else {
    opened.push(openOrder(exchange, first, account, market, needs, list));
    list.working = opened[0];
    for (const terms of pending) {
      const order = openOrder(exchange, terms, account, market, 0n, list);
      order.state = "pending";
      list.others.push(order);
      opened.push(order);
    }
  }
  exchange.events.push({
    type: "orderListPlaced",
    listId: list.id,
    account,
    marketId,
    kind,
    orderIds: opened.map(({ id }) => id),
  });
  // Waiting orders are announced before the first order is sent to the market.
  for (const order of opened.slice(1)) {
    // A trailing stop's trigger price is known only once it begins to follow the market.
    const isTrailing = order.terms.conditions?.trigger?.kind === "trailingStop";
    const known = isTrailing ? 0n : order.triggerAt;
    if (order.state === "pending") tellWaiting(exchange, order, "workingOrder", known);
    else startOrder(exchange, order);
  }
  startOrder(exchange, opened[0]);
  return reasons;
}

/**
 * Whether the orders are none, or a resting limit order and a trigger order with the same side and
 * quantity.
 */
function isPair(pair: readonly OrderTerms[]): boolean {
  if (pair.length === 0) return true;
  const [limit, trigger] = pair;
  return (
    limit.orderType === "limit" &&
    mayRest(limit) &&
    !isWaiting(limit) &&
    isWaiting(trigger) &&
    limit.side === trigger.side &&
    limit.quantityLots === trigger.quantityLots
  );
}

/** A pending order without a quantity spends the working order's proceeds, so it must be on the other side. */
function fitsWorking(working: OrderTerms, pending: readonly OrderTerms[]): boolean {
  return pending.every((terms) => terms.side !== working.side || terms.quantityLots !== 0);
}

function needsOrZero(
  exchange: ModelExchange,
  terms: OrderTerms,
  market: ModelMarket,
  account: number,
): bigint {
  return badTerms(exchange, terms, market).size > 0
    ? 0n
    : placementNeeds(exchange, terms, market, account);
}

function addAll(reasons: Reasons, more: Reasons): void {
  for (const reason of more) reasons.add(reason);
}

export function placePending(exchange: ModelExchange, list: ModelList): void {
  const { others, received } = list;
  const lots = others.map((order) => pendingLots(exchange, order, received));
  const least = lots.reduce((a, b) => (a < b ? a : b));
  const sized = others.map(({ terms }): OrderTerms => {
    const quantityLots = Number(terms.quoteAmount === 0 ? least : 0n) as OrderTerms["quantityLots"];
    return { ...terms, quantityLots };
  });
  const { account, market, side } = others[0];
  // The orders are open and algorithmic already, so the limits do not count them again.
  const opened: OpenedResources = { open: -1, algo: -1, freed: EXACT_MAX };
  for (const [index, terms] of sized.entries()) {
    const [refusal] = refusals(exchange, terms, account, market, opened);
    if (refusal !== undefined) return refusePending(exchange, others[index], refusal);
  }
  const needs = sized.map((terms) => placementNeeds(exchange, terms, market, account));
  const both = needs.reduce((a, b) => (a > b ? a : b));
  if (both > exchange.money.of(account, spentOf(side, market), "available")) {
    return refusePending(exchange, others[0], "insufficientAvailable");
  }
  for (const [index, order] of others.entries()) {
    order.total = BigInt(sized[index].quantityLots);
    order.left = order.total;
    order.best = market.last;
    const trigger = order.terms.conditions?.trigger;
    if (trigger !== undefined) order.triggerAt = triggerPrice(trigger, side, market.last);
    order.needed = needs[index];
    const held = index === 0 ? needs[0] : needs[1] > needs[0] ? needs[1] - needs[0] : 0n;
    hold(exchange, order, held);
    tellActivated(exchange, order, "workingOrder", held);
  }
  if (others.length === 1) others[0].list = undefined;
  for (const order of others.toReversed()) startOrder(exchange, order);
}

/** Ends a pending order that is refused. If several reasons apply, the event contains one of them. */
function refusePending(exchange: ModelExchange, order: ModelOrder, reason: RejectReason): void {
  endOrder(exchange, order, "expired", reason);
}

function pendingLots(exchange: ModelExchange, order: ModelOrder, received: bigint): bigint {
  const { market, side, terms } = order;
  if (terms.quoteAmount !== 0) return EXACT_MAX;
  if (terms.quantityLots !== 0) return order.total;
  if (side === "sell") return received / lotOf(market);
  const trigger = terms.conditions?.trigger;
  let price = order.price;
  if (terms.orderType === "market") {
    if (trigger !== undefined) price = capOf(triggerPrice(trigger, side, market.last), market);
    else price = book(exchange, market.id, "sell")[0]?.price ?? 1n;
  }
  return received / (price * tickOf(market));
}

/**
 * Placing: an order is accepted with its id, its fees and its hold, and is sent to the market or waits
 * for its trigger. A replacement ends one order and places another.
 */
import type { OrderTerms } from "#engine/commands.ts";
import { bandEdge, type ModelMarket } from "./market-model.ts";
import type { CommandOf, Reasons } from "./model-parts.ts";
import { touchOf } from "./order-model-book.ts";
import { endOrder } from "./order-model-ending.ts";
import {
  naming,
  ownOrder,
  type ModelExchange,
  type ModelList,
  type ModelOrder,
} from "./order-model-exchange.ts";
import { hold, placementNeeds } from "./order-model-holds.ts";
import { toMarket } from "./order-model-matching.ts";
import { isAlgorithmic, NOTHING_OPENED, refusals } from "./order-model-refusals.ts";
import { triggerPrice } from "./order-model-triggers.ts";

export function placeOrder(
  exchange: ModelExchange,
  terms: OrderTerms,
  account: number,
  marketId: number,
  opened = NOTHING_OPENED,
): Reasons {
  const market = exchange.markets.find(({ id }) => id === marketId);
  if (market === undefined) return new Set(["unknownMarket", "unknownAccount"]);
  if (!exchange.house.isAccount(account)) return new Set(["unknownAccount"]);
  const reasons = refusals(exchange, terms, account, market, opened);
  if (reasons.size > 0) return reasons;
  startOrder(
    exchange,
    openOrder(exchange, terms, account, market, placementNeeds(exchange, terms, market, account)),
  );
  return reasons;
}

export function replaceOrder(exchange: ModelExchange, command: CommandOf<"replaceOrder">): Reasons {
  const { account, marketId, mode, order: terms, orderId } = command;
  const old = ownOrder(exchange, account, orderId);
  if (old === undefined && mode === "stopOnFailure") {
    return new Set(["unknownOrder", "unknownAccount"]);
  }
  if (old === undefined) return placeOrder(exchange, terms, account, marketId);
  if (old.market.id !== marketId || old.side !== terms.side || old.list !== undefined) {
    return new Set(["invalidReplacement", "unknownMarket"]);
  }
  const opened = { open: -1, algo: isAlgorithmic(old) ? -1 : 0, freed: old.held };
  const reasons = refusals(exchange, terms, account, old.market, opened);
  if (reasons.size > 0) return reasons;
  const needs = placementNeeds(exchange, terms, old.market, account);
  // The old order still moves the band, as it does for what the new one needs.
  const touch = touchOf(exchange, old.market);
  endOrder(exchange, old, "cancelled", "replaced");
  startOrder(exchange, openOrder(exchange, terms, account, old.market, needs), touch);
  return reasons;
}

export function openOrder(
  exchange: ModelExchange,
  terms: OrderTerms,
  account: number,
  market: ModelMarket,
  held: bigint,
  list?: ModelList,
  needed = held,
): ModelOrder {
  const { conditions, side } = terms;
  const trigger = conditions?.trigger;
  const total = BigInt(terms.quantityLots);
  const own = market.terms.feeOverride;
  const fees =
    own === undefined ? exchange.house.feesOf(account) : { ...own, feeSource: "market" as const };
  const order: ModelOrder = {
    id: ++exchange.orderCount,
    account,
    market,
    side,
    terms,
    makerBps: BigInt(fees.makerFeeBps),
    takerBps: BigInt(fees.takerFeeBps),
    price: BigInt(terms.priceTicks),
    total,
    left: total,
    quoteLeft: BigInt(terms.quoteAmount),
    shown: 0n,
    held: 0n,
    needed,
    state: "matching",
    rank: 0,
    best: market.last,
    triggerAt: trigger === undefined ? 0n : triggerPrice(trigger, side, market.last),
    list,
    isQueued: false,
  };
  exchange.orders.push(order);
  hold(exchange, order, held);
  const { clientOrderId, orderType, postOnly, priceTicks, quantityLots, quoteAmount } = terms;
  exchange.events.push({
    type: "orderPlaced",
    orderId: order.id,
    account,
    marketId: market.id,
    side,
    orderType,
    timeInForce: terms.timeInForce,
    postOnly,
    priceTicks,
    quantityLots,
    quoteAmount,
    heldAmount: Number(held),
    ...fees,
    clientOrderId,
    ...(conditions === undefined ? {} : { conditions }),
    ...(list === undefined ? {} : { listId: list.id }),
  });
  return order;
}

export function startOrder(
  exchange: ModelExchange,
  order: ModelOrder,
  touch = touchOf(exchange, order.market),
): void {
  if (order.terms.conditions?.trigger === undefined) {
    const isLimit = order.terms.orderType === "limit";
    const { market, side } = order;
    const edge = bandEdge(market, side, touch);
    toMarket(exchange, order, isLimit ? order.price : edge, isLimit);
  } else {
    order.state = "waiting";
    tellWaiting(exchange, order, "trigger", order.triggerAt);
  }
}

export function tellWaiting(
  exchange: ModelExchange,
  order: ModelOrder,
  waitsFor: "trigger" | "workingOrder",
  triggerAt: bigint,
): void {
  const triggerTicks = Number(triggerAt);
  exchange.events.push({ type: "orderWaiting", ...naming(order), waitsFor, triggerTicks });
}

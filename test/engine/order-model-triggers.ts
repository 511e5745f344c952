/**
 * Triggers: where stops, take-profits and trailing stops stand and which of them a price reaches.
 *
 * Invariants: what one price reaches is set free by ascending id; a trailing stop follows first, and
 * only to the better. Never: what happens to an order that was reached (order-model-activating.ts).
 */
import type { OrderTrigger, Side } from "#engine/commands.ts";
import type { ModelMarket } from "./market-model.ts";
import { setFree, type ModelExchange } from "./order-model-exchange.ts";

const DEFAULT_PROTECTION_BPS = 500n;

/** A trade at this price: what it reaches is set free, the lower id first. */
export function seePrice(exchange: ModelExchange, market: ModelMarket, price: bigint): void {
  for (const order of exchange.orders.toSorted((a, b) => a.id - b.id)) {
    const trigger = order.terms.conditions?.trigger;
    if (order.state !== "waiting" || order.market !== market || trigger === undefined) continue;
    if (order.isQueued) continue;
    if (trigger.kind === "trailingStop") {
      const isBetter = order.side === "sell" ? price > order.best : price < order.best;
      if (isBetter) order.best = price;
      order.triggerAt = triggerPrice(trigger, order.side, order.best);
    }
    if (isReached(trigger, order.side, order.triggerAt, price)) setFree(exchange, order);
  }
}

/** For a trailing one from the best price seen so far. */
export function triggerPrice(trigger: OrderTrigger, side: Side, best: bigint): bigint {
  if (trigger.kind !== "trailingStop") return BigInt(trigger.triggerTicks);
  const distance = roundedUpBps(best, BigInt(trigger.trailBps));
  return side === "sell" ? best - distance : best + distance;
}

export function isReached(trigger: OrderTrigger, side: Side, at: bigint, last: bigint): boolean {
  const isAbove = (side === "buy") === (trigger.kind !== "takeProfit");
  return isAbove ? last >= at : last <= at;
}

/** The most that a market order to buy pays once its trigger is reached. */
export function capOf(triggerAt: bigint, market: ModelMarket): bigint {
  const { protectionBps } = market.terms;
  const bps = protectionBps === undefined ? DEFAULT_PROTECTION_BPS : BigInt(protectionBps);
  return triggerAt + roundedUpBps(triggerAt, bps);
}

function roundedUpBps(price: bigint, bps: bigint): bigint {
  return (price * bps + 9_999n) / 10_000n;
}

/**
 * Triggers: the trigger prices of stops, take-profits and trailing stops, and which orders a price
 * activates.
 *
 * Invariants: orders activated by one price are queued by ascending id; a trailing stop is moved first,
 * and only in its owner's favour. Never: what an activated order does (order-model-activating.ts).
 */
import type { OrderTrigger, Side } from "#engine/commands.ts";
import type { ModelMarket } from "./market-model.ts";
import { setFree, type ModelExchange } from "./order-model-exchange.ts";

const DEFAULT_PROTECTION_BPS = 500n;

/** Applies a trade's price: queues the orders whose trigger it reaches, by ascending id. */
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

/** The trigger price; for a trailing stop, from the best price since it was placed. */
export function triggerPrice(trigger: OrderTrigger, side: Side, best: bigint): bigint {
  if (trigger.kind !== "trailingStop") return BigInt(trigger.triggerTicks);
  const distance = roundedUpBps(best, BigInt(trigger.trailBps));
  return side === "sell" ? best - distance : best + distance;
}

export function isReached(trigger: OrderTrigger, side: Side, at: bigint, last: bigint): boolean {
  const isAbove = (side === "buy") === (trigger.kind !== "takeProfit");
  return isAbove ? last >= at : last <= at;
}

/** The highest price that a market buy order pays once its trigger is reached. */
export function capOf(triggerAt: bigint, market: ModelMarket): bigint {
  const { protectionBps } = market.terms;
  const bps = protectionBps === undefined ? DEFAULT_PROTECTION_BPS : BigInt(protectionBps);
  return triggerAt + roundedUpBps(triggerAt, bps);
}

function roundedUpBps(price: bigint, bps: bigint): bigint {
  return (price * bps + 9_999n) / 10_000n;
}

/**
 * Holds: how much an order needs from its placement, how much it needs to rest, and how amounts move
 * between available and held, and to the counterparty. Fees are rounded up to the next unit.
 *
 * Invariants: `order.held` is the order's part of its account's held balance. Never: whether the balance
 * suffices (order-model-refusals.ts).
 */
import type { OrderTerms, Side } from "#engine/commands.ts";
import {
  bandEdge,
  lotOf,
  opposite,
  reaches,
  spentOf,
  tickOf,
  type ModelMarket,
} from "./market-model.ts";
import { book, touchOf } from "./order-model-book.ts";
import { modeOf, type ModelExchange, type ModelOrder } from "./order-model-exchange.ts";
import { capOf, triggerPrice } from "./order-model-triggers.ts";

const FEES_ACCOUNT = 2;

/** Amount that the order must hold from its placement. */
export function placementNeeds(
  exchange: ModelExchange,
  terms: OrderTerms,
  market: ModelMarket,
  account: number,
): bigint {
  const { conditions, orderType, side } = terms;
  const total = BigInt(terms.quantityLots);
  const quote = BigInt(terms.quoteAmount);
  if (orderType === "limit") return restingNeeds(side, BigInt(terms.priceTicks), total, market);
  if (side === "buy" && quote > 0n) return quote;
  const trigger = conditions?.trigger;
  if (trigger !== undefined) {
    return triggeredNeeds(terms, triggerPrice(trigger, side, market.last), market);
  }
  const passes = modeOf(terms, market) === "expireMaker";
  const edge = bandEdge(market, side, touchOf(exchange, market));
  const makers = book(exchange, market.id, opposite(side))
    .filter((maker) => !passes || maker.account !== account)
    .filter((maker) => edge === undefined || reaches(side, edge, maker.price));
  if (side === "sell" && quote === 0n) return total * lotOf(market);
  let lotsLeft = total;
  let quoteLeft = quote;
  let sum = 0n;
  for (const level of new Set(makers.map((maker) => maker.price))) {
    const there = makers
      .filter((maker) => maker.price === level)
      .reduce((lots, maker) => lots + maker.left, 0n);
    const lotCost = level * tickOf(market);
    if (side === "sell") {
      const affordable = quoteLeft / lotCost;
      const lots = there < affordable ? there : affordable;
      sum += lots * lotOf(market);
      quoteLeft -= lots * lotCost;
      if (affordable < there) break;
    } else {
      const lots = there < lotsLeft ? there : lotsLeft;
      sum += lots * lotCost;
      lotsLeft -= lots;
    }
  }
  return sum;
}

/** Amount that an order needs once its trigger is reached. */
export function triggeredNeeds(
  { orderType, priceTicks, quantityLots, quoteAmount, side }: OrderTerms,
  triggerAt: bigint,
  market: ModelMarket,
): bigint {
  const total = BigInt(quantityLots);
  if (orderType === "limit") return restingNeeds(side, BigInt(priceTicks), total, market);
  if (side === "sell") return total * lotOf(market);
  if (quoteAmount > 0) return BigInt(quoteAmount);
  return capOf(triggerAt, market) * total * tickOf(market);
}

export function restingNeeds(side: Side, price: bigint, lots: bigint, market: ModelMarket): bigint {
  return side === "buy" ? price * lots * tickOf(market) : lots * lotOf(market);
}

export function hold(exchange: ModelExchange, order: ModelOrder, amount: bigint): void {
  const asset = spentOf(order.side, order.market);
  exchange.money.add(order.account, asset, "available", -amount);
  exchange.money.add(order.account, asset, "held", amount);
  order.held += amount;
}

export function pay(
  exchange: ModelExchange,
  payer: ModelOrder,
  receiver: ModelOrder,
  asset: number,
  amount: bigint,
  fee: bigint,
): void {
  exchange.money.add(payer.account, asset, "held", -amount);
  payer.held -= amount;
  exchange.money.add(receiver.account, asset, "available", amount - fee);
  exchange.money.add(FEES_ACCOUNT, asset, "available", fee);
}

/** The fee, rounded up to the next unit. */
export const feeOn = (amount: bigint, bps: bigint): bigint => (amount * bps + 9_999n) / 10_000n;

/**
 * Balance limits: which trades they prevent, and which orders they exclude from an auction or from
 * filling a fill-or-kill order. Receipts are counted before fees.
 *
 * While all accounts together own no more than the limit, nothing is prevented. Never: a change.
 */
import type { OrderTerms, Side } from "#engine/commands.ts";
import { lotOf, opposite, tickOf, type ModelMarket } from "./market-model.ts";
import { book, canFill } from "./order-model-book.ts";
import type { ModelExchange, ModelOrder } from "./order-model-exchange.ts";

/** Whether balance limits may prevent trades in the market. */
export function isLimited({ house }: ModelExchange, market: ModelMarket): boolean {
  const { balanceMax } = house;
  if (balanceMax === undefined) return false;
  return [market.base, market.quote].some((asset) => house.supplyOf(asset) > balanceMax);
}

/** The amount that the order's account receives if `lots` trade at `price`. */
export function receiptOf(order: ModelOrder, lots: bigint, price: bigint): bigint {
  const { market, side } = order;
  return side === "buy" ? lots * lotOf(market) : lots * price * tickOf(market);
}

export function mayReceive(exchange: ModelExchange, order: ModelOrder, amount: bigint): boolean {
  const { market, side } = order;
  const asset = side === "buy" ? market.base : market.quote;
  return exchange.house.mayOwn(order.account, asset, amount);
}

/**
 * The resting orders of a side that might receive too much if its best `lots` trade. At a price that
 * trades in part, each order is counted as if it were first in the queue.
 */
export function overfull(
  exchange: ModelExchange,
  market: ModelMarket,
  side: Side,
  lots: bigint,
  onePrice?: bigint,
  passedOver?: number,
): ModelOrder[] {
  const queue = book(exchange, market.id, side).filter(({ account }) => account !== passedOver);
  const found: ModelOrder[] = [];
  const receipts = new Map<number, bigint>();
  let left = lots;
  for (const level of new Set(queue.map(({ price }) => price))) {
    if (left <= 0n) break;
    const there = queue.filter(({ price }) => price === level);
    for (const order of there) {
      const most = order.left < left ? order.left : left;
      const before = receipts.get(order.account) ?? 0n;
      const receipt = before + receiptOf(order, most, onePrice ?? level);
      if (mayReceive(exchange, order, receipt)) receipts.set(order.account, receipt);
      else found.push(order);
    }
    for (const order of there) left -= order.left;
  }
  return found;
}

/** Whether a fill-or-kill order can fill completely, and balance limits allow every party its receipt. */
export function canFillWhole(
  exchange: ModelExchange,
  terms: OrderTerms,
  account: number,
  market: ModelMarket,
  price: bigint,
  lots: bigint,
): boolean {
  if (!canFill(exchange, terms, account, market, price, lots)) return false;
  return mayAllReceive(exchange, market, terms.side, account, lots);
}

/** Counts the incoming order at the best price for its lots, resting orders at their own prices. */
function mayAllReceive(
  exchange: ModelExchange,
  market: ModelMarket,
  side: Side,
  account: number,
  lots: bigint,
): boolean {
  if (!isLimited(exchange, market)) return true;
  const [best] = book(exchange, market.id, opposite(side));
  const receipt = side === "buy" ? lots * lotOf(market) : lots * best.price * tickOf(market);
  const asset = side === "buy" ? market.base : market.quote;
  if (!exchange.house.mayOwn(account, asset, receipt)) return false;
  return overfull(exchange, market, opposite(side), lots, undefined, account).length === 0;
}

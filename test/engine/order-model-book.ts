/**
 * The book of a market, sorted again for every query: resting orders, whether a price crosses, and
 * whether a fill-or-kill order could fill completely. Never: a change.
 */
import type { OrderTerms, Side } from "#engine/commands.ts";
import {
  breakerEdge,
  opposite,
  reaches,
  tighter,
  type ModelMarket,
  type Touch,
} from "./market-model.ts";
import { modeOf, type ModelExchange, type ModelOrder } from "./order-model-exchange.ts";

/** Resting orders of a side in the order in which they trade. */
export function book(exchange: ModelExchange, marketId: number, side: Side): ModelOrder[] {
  const sign = side === "sell" ? 1 : -1;
  return exchange.orders
    .filter((order) => order.state === "resting" && order.side === side)
    .filter((order) => order.market.id === marketId)
    .toSorted((a, b) => sign * Number(a.price - b.price) || a.rank - b.rank);
}

export function crosses(
  exchange: ModelExchange,
  side: Side,
  price: bigint,
  market: ModelMarket,
): boolean {
  return book(exchange, market.id, opposite(side)).some((maker) =>
    reaches(side, price, maker.price),
  );
}

export function crossesOwn(
  exchange: ModelExchange,
  account: number,
  side: Side,
  price: bigint,
  market: ModelMarket,
): boolean {
  const own = book(exchange, market.id, opposite(side)).filter(
    (order) => order.account === account,
  );
  return own.some((order) => reaches(side, price, order.price));
}

export function touchOf(exchange: ModelExchange, { id }: ModelMarket): Touch {
  return { bid: book(exchange, id, "buy")[0]?.price, ask: book(exchange, id, "sell")[0]?.price };
}

/** The best price on the other side of an order; undefined if there is none. */
export function bestOpposite(
  exchange: ModelExchange,
  { id }: ModelMarket,
  side: Side,
): bigint | undefined {
  return book(exchange, id, opposite(side))[0]?.price;
}

/**
 * Whether the quantity can fill. Hidden lots trade after all visible lots at their price, so the
 * account's own visible lots come before them.
 */
export function canFill(
  exchange: ModelExchange,
  terms: OrderTerms,
  account: number,
  market: ModelMarket,
  price: bigint,
  lots: bigint,
): boolean {
  const passes = modeOf(terms, market) === "expireMaker";
  const met = bestOpposite(exchange, market, terms.side);
  const edge = breakerEdge(market, terms.side, exchange.nowMs, met);
  const worst = tighter(terms.side, price, edge) as bigint;
  const makers = book(exchange, market.id, opposite(terms.side)).filter((maker) =>
    reaches(terms.side, worst, maker.price),
  );
  let left = lots;
  for (const level of new Set(makers.map((maker) => maker.price))) {
    const queue = makers.filter((maker) => maker.price === level);
    for (const maker of queue) {
      if (maker.account !== account) left -= maker.shown;
      else if (!passes) return left <= 0n;
      if (left <= 0n) return true;
    }
    for (const maker of queue) {
      if (maker.account !== account) left -= maker.left - maker.shown;
    }
    if (left <= 0n) return true;
  }
  return false;
}

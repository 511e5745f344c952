/** Explains why an order has not filled, as far as the book and the trades show. */
import {
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
} from "#contract/decimal.ts";
import type { OrderLife } from "#contract/order-life.ts";
import { orderEnd } from "#contract/order-ends.ts";
import type { Decimal, Order } from "#contract/types.ts";
import { orderWait } from "../../format/order-words.ts";
import { formatGivenPrice } from "../../format/given-price.ts";
import { formatShare } from "../../format/money.ts";

/** Best bid, best ask and last price; null if unknown, or if there is no order or no trade. */
export interface MarketPrices {
  readonly bid: Decimal | null;
  readonly ask: Decimal | null;
  readonly last: Decimal | null;
  readonly isTrading: boolean;
}

/**
 * Returns sentences, the most important first; none for a filled order.
 * @param printTime formats milliseconds since 1970
 */
export function notFilledFacts(
  { order, tradedRange }: Pick<OrderLife, "order" | "tradedRange">,
  now: MarketPrices,
  printTime: (timeMs: number) => string,
): string[] {
  if (order.status === "filled") return [];
  const isOpen = order.status === "open" || order.status === "partiallyFilled";
  const facts = isOpen ? openFacts(order, now) : [orderEnd(order)];
  return [...facts, tradedFact(order, tradedRange, printTime)].filter((fact) => fact !== null);
}

function openFacts(order: Order, now: MarketPrices): (string | null)[] {
  const halted = now.isTrading ? null : "The market is not trading at the moment.";
  const wait = orderWait(order);
  if (wait !== null) {
    const last = now.last === null ? null : `The last price is ${formatGivenPrice(now.last)}.`;
    return [wait, order.special?.waitsFor === "trigger" ? last : null, halted];
  }
  return [distanceFact(order, now), queueFact(order, now), halted];
}

/** How far the order's price is from the best price of the opposite side. */
function distanceFact({ side, price }: Order, { bid, ask }: MarketPrices): string | null {
  const [other, name, way] =
    side === "buy" ? [ask, "lowest ask", "above"] : [bid, "highest bid", "below"];
  if (price === null) return null;
  if (other === null) {
    return `Nothing is ${side === "buy" ? "offered" : "bid"} in the book at the moment.`;
  }
  const distance = subtractDecimals(other, price).replace("-", "");
  const percent = divideDecimals(multiplyDecimals(distance, "100"), price, 2, "nearest");
  return `The ${name} is ${formatGivenPrice(other)}, ${formatShare(percent)} ${way} the price of this order.`;
}

/** The orders that are ahead of this one in the book. */
function queueFact({ side, price }: Order, { bid, ask }: MarketPrices): string | null {
  const best = side === "buy" ? bid : ask;
  if (price === null || best === null) return null;
  const difference = compareDecimals(best, price);
  if (difference === 0) {
    return `It is at the best price of its side: orders placed there earlier trade first.`;
  }
  const isBehind = (side === "buy") === difference > 0;
  const name = side === "buy" ? "bids up to" : "asks down to";
  return isBehind ? `Better ${name} ${formatGivenPrice(best)} trade before it.` : null;
}

function tradedFact(
  order: Order,
  tradedRange: OrderLife["tradedRange"],
  printTime: (timeMs: number) => string,
): string | null {
  if (tradedRange === null) return null;
  const { lowest, highest, from, to } = tradedRange;
  const isOpen = order.status === "open" || order.status === "partiallyFilled";
  const when = isOpen
    ? `Since ${printTime(from)}`
    : `Between ${printTime(from)} and ${printTime(to)}`;
  const range = `${when} the market traded from ${formatGivenPrice(lowest)} to ${formatGivenPrice(highest)}`;
  const { side, price, special } = order;
  if (price === null || special?.trigger !== undefined || special?.waitsFor !== undefined) {
    return `${range}.`;
  }
  const isMissed = compareDecimals(side === "buy" ? lowest : highest, price);
  const neverMet = side === "buy" ? isMissed > 0 : isMissed < 0;
  return neverMet ? `${range}: never at the price of this order.` : `${range}.`;
}

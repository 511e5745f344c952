/**
 * How far prices may go at once, and how large an order may be. A band keeps limit orders near the
 * last price and stops market orders; a breaker halts the market before a trade that is too far from
 * where its window began. Distances in basis points are rounded down.
 */
import { bpsRoundingDown } from "./amount.ts";
import type { PlanTerms } from "./catalogue.ts";
import type { BreakerTerms } from "./commands.ts";
import type { OrderBook } from "./order-book.ts";
import { BID } from "./price-ladder.ts";

/** No window of the breaker has begun. */
export const NO_WINDOW = -1;

/** The price that bands are around: the last one, before the first trade the market's reference. */
function bandCentreOf(book: OrderBook): number {
  return book.lastTicks || book.referenceTicks;
}

/** The one of two limits that lets less trade. */
export function tighterOf(side: number, limitTicks: number, edgeTicks: number): number {
  return side === BID ? Math.min(limitTicks, edgeTicks) : Math.max(limitTicks, edgeTicks);
}

/** The prices within a distance in basis points, rounded down, of another. */
export function pricesWithin(
  centreTicks: number,
  bps: number,
): { lowestTicks: number; highestTicks: number } {
  const distance = bpsRoundingDown(centreTicks, bps);
  return { lowestTicks: centreTicks - distance, highestTicks: centreTicks + distance };
}

/** Whether a limit order may have this price. */
export function isWithinBand(book: OrderBook, priceTicks: number): boolean {
  if (book.priceBandBps === 0) return true;
  const centre = bandCentreOf(book);
  if (centre === 0) return true;
  const { lowestTicks, highestTicks } = pricesWithin(centre, book.priceBandBps);
  return priceTicks >= lowestTicks && priceTicks <= highestTicks;
}

/** The worst price at which a market order of the side may trade: Infinity or 0 without a band. */
export function bandEdgeOf(book: OrderBook, side: number): number {
  const centre = bandCentreOf(book);
  return edgeOf(side, centre, book.priceBandBps);
}

/**
 * Begins the breaker's window in which the present lies, at the last price, where it has not begun:
 * also in a window whose beginning had no price yet.
 */
export function beginWindow(book: OrderBook, nowMs: number): void {
  if (book.breaker === undefined || hasBegun(book, book.breaker, nowMs)) return;
  book.breakerWindow = Math.floor(nowMs / book.breaker.windowMs);
  book.breakerTicks = bandCentreOf(book);
}

/**
 * The worst price at which an order of the side may trade now without halting the market: Infinity
 * or 0 without a breaker.
 */
export function breakerEdgeOf(book: OrderBook, side: number, nowMs: number): number {
  const { breaker } = book;
  if (breaker === undefined) return side === BID ? Infinity : 0;
  const centre = hasBegun(book, breaker, nowMs) ? book.breakerTicks : bandCentreOf(book);
  return edgeOf(side, centre, breaker.bps);
}

/** No edge without a price or a distance. */
function edgeOf(side: number, centreTicks: number, bps: number): number {
  if (centreTicks === 0 || bps === 0) return side === BID ? Infinity : 0;
  const { lowestTicks, highestTicks } = pricesWithin(centreTicks, bps);
  return side === BID ? highestTicks : lowestTicks;
}

function hasBegun(book: OrderBook, { windowMs }: BreakerTerms, nowMs: number): boolean {
  return book.breakerTicks !== 0 && book.breakerWindow === Math.floor(nowMs / windowMs);
}

/** The largest notional of an order of somebody on this plan. */
export function notionalMaxOf(book: OrderBook, plan: PlanTerms): number {
  const isCounted = plan.currencyId === book.quoteAssetId;
  return isCounted ? Math.min(book.notionalMax, plan.notionalMax) : book.notionalMax;
}

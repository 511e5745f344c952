/**
 * How far prices may go at once, and how large an order may be. A band keeps limit orders near the
 * last price and stops market orders; a breaker halts the market before a trade that is too far
 * from where its window began. Distances in basis points are rounded down.
 *
 * Before the first trade the market's reference price replaces the last one. Without either, an
 * order that trades at once is measured from the best price that it meets: so the first order of a
 * market cannot sweep its book past the limits that its own first trade sets.
 */
import { AMOUNT_MAX, bpsRoundingDown } from "../amount.ts";
import type { PlanTerms } from "./catalogue.ts";
import type { BreakerTerms } from "../commands.ts";
import { NO_LEVEL } from "../book/level-table.ts";
import type { OrderBook } from "../book/order-book.ts";
import { ASK, BID } from "../book/price-ladder.ts";

/** The last price; before the first trade the market's reference price; 0 if neither is known. */
function lastOrReferenceOf(book: OrderBook): number {
  return book.lastTicks || book.referenceTicks;
}

/**
 * The price around which the bands lie; 0 if none. If the band differs by side, it is the last
 * price moved into the spread: an order resting at a better price than the last one shows where the
 * market is, so that a single trade far away cannot keep all other orders out.
 */
function bandCentreOf(book: OrderBook): number {
  const centre = lastOrReferenceOf(book);
  if (!book.hasPassiveBand || centre === 0 || !book.isTrading) return centre;
  return Math.max(book.bestTicks(BID), Math.min(book.bestTicks(ASK), centre));
}

/**
 * The centre or, without one, the best price that an order of the side meets; 0 if neither is
 * known.
 */
function centreOrBestOpposite(book: OrderBook, side: number, centreTicks: number): number {
  if (centreTicks !== 0) return centreTicks;
  const opposite = side === BID ? ASK : BID;
  return book.ladder.best(opposite) === NO_LEVEL ? 0 : book.bestTicks(opposite);
}

/**
 * The prices within a distance, in basis points and rounded down, of another price; limited to 0
 * and AMOUNT_MAX.
 */
export function pricesWithin(
  centreTicks: number,
  bps: number,
): { lowestTicks: number; highestTicks: number } {
  const distance = bpsRoundingDown(centreTicks, bps);
  return {
    lowestTicks: Math.max(0, centreTicks - distance),
    highestTicks: Math.min(AMOUNT_MAX, centreTicks + distance),
  };
}

/**
 * The prices that a limit order of the side may have: up to `bandBps` away if it would trade at
 * once, up to `passiveBps` away if it would rest.
 */
export function bandOf(
  side: number,
  centreTicks: number,
  bandBps: number,
  passiveBps: number,
): { lowestTicks: number; highestTicks: number } {
  return {
    lowestTicks: pricesWithin(centreTicks, side === BID ? passiveBps : bandBps).lowestTicks,
    highestTicks: pricesWithin(centreTicks, side === BID ? bandBps : passiveBps).highestTicks,
  };
}

/** Whether a limit order of the side may have this price. */
export function isWithinBand(book: OrderBook, side: number, priceTicks: number): boolean {
  if (book.priceBandBps === 0) return true;
  const centre = bandCentreOf(book);
  if (centre === 0) return true;
  const isAbove = priceTicks > centre;
  const bps = isAbove === (side === BID) ? book.priceBandBps : book.passiveBandBps;
  const { lowestTicks, highestTicks } = pricesWithin(centre, bps);
  return isAbove ? priceTicks <= highestTicks : priceTicks >= lowestTicks;
}

/** The worst price at which a market order of the side may trade: Infinity or 0 without a band. */
export function bandEdgeOf(book: OrderBook, side: number): number {
  return edgeOf(side, centreOrBestOpposite(book, side, bandCentreOf(book)), book.priceBandBps);
}

/**
 * Begins the current breaker window at the last price, unless it has begun already. A window without a
 * price so far begins again.
 */
export function beginWindow(book: OrderBook, side: number, nowMs: number): void {
  if (book.breaker === undefined || hasBegun(book, book.breaker, nowMs)) return;
  book.breakerWindow = Math.floor(nowMs / book.breaker.windowMs);
  book.breakerTicks = centreOrBestOpposite(book, side, lastOrReferenceOf(book));
}

/**
 * The worst price, within a limit price, at which an order of the side may trade now without
 * halting the market.
 */
export function worstBeforeHalt(
  book: OrderBook,
  side: number,
  limitTicks: number,
  nowMs: number,
): number {
  const { breaker } = book;
  if (breaker === undefined) return limitTicks;
  const centre = hasBegun(book, breaker, nowMs)
    ? book.breakerTicks
    : centreOrBestOpposite(book, side, lastOrReferenceOf(book));
  const edgeTicks = edgeOf(side, centre, breaker.bps);
  return side === BID ? Math.min(limitTicks, edgeTicks) : Math.max(limitTicks, edgeTicks);
}

/**
 * The worst price for an order of the side at a distance from the centre; unlimited if either is 0.
 */
function edgeOf(side: number, centreTicks: number, bps: number): number {
  if (centreTicks === 0 || bps === 0) return side === BID ? Infinity : 0;
  const { lowestTicks, highestTicks } = pricesWithin(centreTicks, bps);
  return side === BID ? highestTicks : lowestTicks;
}

function hasBegun(book: OrderBook, { windowMs }: BreakerTerms, nowMs: number): boolean {
  return book.breakerTicks !== 0 && book.breakerWindow === Math.floor(nowMs / windowMs);
}

/** The largest notional of an order in this market under this plan. */
export function notionalMaxOf(book: OrderBook, plan: PlanTerms): number {
  const isCounted = plan.currencyId === book.quoteAssetId;
  return isCounted ? Math.min(book.notionalMax, plan.notionalMax) : book.notionalMax;
}

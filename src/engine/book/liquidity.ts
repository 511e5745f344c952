/**
 * What one side of a book offers an incoming order: whether it could fill completely, what buying
 * costs, how much selling brings, whether it would meet an order of its own account. Computed from
 * the totals of levels, visible and hidden, so that the work grows with the levels within the limit
 * and not with their orders. The account's own orders, whose number its plan limits, are subtracted
 * level by level. No more levels are visited than the limit of work allows (work-limit.ts):
 * anything behind them is out of the order's reach.
 *
 * Never: any change.
 */
import { AMOUNT_MAX } from "../amount.ts";
import { affordableLots, notionalOf } from "../money-formulas.ts";
import { NO_LEVEL } from "./level-table.ts";
import type { OrderBook } from "./order-book.ts";
import { NO_ORDER } from "./order-table.ts";
import { ASK, BID } from "./price-ladder.ts";
import { canAllReceive } from "../markets/receipts.ts";
import type { EngineState } from "../state.ts";

/** How far an order at the market gets. */
export interface Reach {
  /** What buying costs in quote units, or how many lots are sold. */
  readonly amount: number;
  /** The worst price it may trade at: its limit, unless the level limit is reached first. */
  readonly worstTicks: number;
}

/**
 * Whether an order could fill completely within its limit and its reach: what icebergs hide counts;
 * orders of its own account end the count or, with `passesOver`, are left out. Where a trade could
 * bring an account more than it may own, also whether every party may own what it brings.
 */
export function canFill(
  state: EngineState,
  book: OrderBook,
  side: number,
  limitTicks: number,
  lots: number,
  account: number,
  passesOver: boolean,
): boolean {
  if (!offersEnough(state, book, side, limitTicks, lots, account, passesOver)) return false;
  return !book.checksReceipts || canAllReceive(state, book, side, lots, account);
}

function offersEnough(
  state: EngineState,
  book: OrderBook,
  side: number,
  limitTicks: number,
  lots: number,
  account: number,
  passesOver: boolean,
): boolean {
  const { levels, levelsPerOrderMax } = state;
  const opposite = side === BID ? ASK : BID;
  const own = ownOrders(state, book, opposite, account, limitTicks);
  let left = passesOver ? lots + own.lots : lots;
  let lastTicks = 0;
  let level = book.ladder.best(opposite);
  for (let looked = 0; level !== NO_LEVEL && looked < levelsPerOrderMax; looked++) {
    const priceTicks = levels.priceOf(level);
    if (side === BID ? priceTicks > limitTicks : priceTicks < limitTicks) break;
    if (priceTicks === own.bestTicks && !passesOver) {
      return left <= shownAhead(state, level, account, left);
    }
    left -= book.lotsAt(level);
    if (left <= 0) return true;
    lastTicks = priceTicks;
    level = book.ladder.nextWorse(level);
  }
  if (!passesOver || own.lots === 0) return false;
  // Own orders behind the last level visited were not counted, so they subtract nothing.
  const behind = own.lots - ownOrders(state, book, opposite, account, lastTicks).lots;
  return left <= behind;
}

/**
 * What buying up to `lots` at the market costs in quote units, level by level; above `AMOUNT_MAX`
 * if it cannot be exact. Orders of the buyer count too, so the true cost is never more, unless the
 * account is named: then its orders are passed over.
 */
export function costToBuy(
  state: EngineState,
  book: OrderBook,
  lots: number,
  limitTicks: number,
  passedOver: number,
): Reach {
  let left = lots;
  let cost = 0;
  const worstTicks = walk(state, book, ASK, limitTicks, passedOver, (priceTicks, offered) => {
    const taken = Math.min(left, offered);
    cost += notionalOf(book, priceTicks, taken);
    left -= taken;
    return left > 0 && cost <= AMOUNT_MAX;
  });
  return { amount: cost, worstTicks };
}

/**
 * How many lots must be sold at the market to receive up to `quoteAmount`, never more than it;
 * orders of the seller count too, unless the account is named. Stops at the first price of which
 * one lot would exceed it.
 */
export function lotsToReceive(
  state: EngineState,
  book: OrderBook,
  quoteAmount: number,
  limitTicks: number,
  passedOver: number,
): Reach {
  let left = quoteAmount;
  let lots = 0;
  const worstTicks = walk(state, book, BID, limitTicks, passedOver, (priceTicks, wanted) => {
    const sold = Math.min(affordableLots(book, priceTicks, left), wanted);
    lots += sold;
    left -= notionalOf(book, priceTicks, sold);
    return sold === wanted;
  });
  return { amount: lots, worstTicks };
}

/**
 * Visits the levels of a side within a limit, best first, until `take` needs no more; skips the
 * lots of the excluded account. Returns the worst price that the order may trade at.
 */
function walk(
  state: EngineState,
  book: OrderBook,
  side: number,
  limitTicks: number,
  passedOver: number,
  take: (priceTicks: number, lots: number) => boolean,
): number {
  const { levels, levelsPerOrderMax } = state;
  const own = passedOver === 0 ? undefined : ownLotsByLevel(state, book, side, passedOver);
  let lastTicks = limitTicks;
  let level = book.ladder.best(side);
  for (let looked = 0; level !== NO_LEVEL; looked++) {
    if (looked === levelsPerOrderMax) return lastTicks;
    lastTicks = levels.priceOf(level);
    if (side === BID ? lastTicks < limitTicks : lastTicks > limitTicks) break;
    const lots = book.lotsAt(level) - (own?.get(level) ?? 0);
    if (!take(lastTicks, lots)) break;
    level = book.ladder.nextWorse(level);
  }
  return limitTicks;
}

/**
 * Whether the account has an order in the book that one of this side and price would trade with.
 * While a market gathers orders for an auction they do not meet at once, so orders that must not
 * trade with each other are refused on entry; the same check applies to what a breaker leaves to
 * rest for one.
 */
export function crossesOwnOrder(
  state: EngineState,
  account: number,
  book: OrderBook,
  side: number,
  priceTicks: number,
): boolean {
  return ownOrders(state, book, side === BID ? ASK : BID, account, priceTicks).lots > 0;
}

/** The account's best price on a side and all its lots there, shown and hidden, within a limit. */
function ownOrders(
  state: EngineState,
  book: OrderBook,
  side: number,
  account: number,
  limitTicks: number,
): { bestTicks: number; lots: number } {
  let bestTicks = side === BID ? 0 : Infinity;
  let lots = 0;
  for (const [level, ownLots] of ownLotsByLevel(state, book, side, account)) {
    const priceTicks = state.levels.priceOf(level);
    if (side === BID ? priceTicks < limitTicks : priceTicks > limitTicks) continue;
    bestTicks = side === BID ? Math.max(bestTicks, priceTicks) : Math.min(bestTicks, priceTicks);
    lots += ownLots;
  }
  return { bestTicks, lots };
}

/** All lots, shown and hidden, that the account has at each level of a side. */
function ownLotsByLevel(
  { accounts, orders }: EngineState,
  book: OrderBook,
  side: number,
  account: number,
): ReadonlyMap<number, number> {
  const own = new Map<number, number>();
  const marketAndSide = book.marketId * 2 + side;
  let slot = accounts.firstOpenOrder(account);
  for (; slot !== NO_ORDER; slot = orders.nextOfAccount(slot)) {
    const level = orders.levelOf(slot);
    if (level === NO_LEVEL || orders.marketAndSideOf(slot) !== marketAndSide) continue;
    const lots = book.leftOf(slot);
    own.set(level, (own.get(level) ?? 0) + lots);
  }
  return own;
}

/**
 * The visible quantity of others at a level ahead of the account's first order there, up to what is
 * wanted; visits no more orders than the limit of work allows levels.
 */
function shownAhead(
  { levels, levelsPerOrderMax, orders }: EngineState,
  level: number,
  account: number,
  wanted: number,
): number {
  let lots = 0;
  let slot = levels.firstOrderOf(level);
  for (let looked = 0; lots < wanted && looked < levelsPerOrderMax; looked++) {
    if (orders.accountOf(slot) === account) break;
    lots += orders.shownLotsOf(slot);
    slot = orders.nextOf(slot);
  }
  return lots;
}

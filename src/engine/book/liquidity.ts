/**
 * The liquidity that one side of a book offers an incoming order: whether it could fill completely,
 * what buying costs, how much selling brings, whether it would meet an order of its own account.
 * Computed from the totals of levels, visible and hidden, so that the work grows with the levels
 * within the limit price and not with their orders. The account's own orders, whose number its plan
 * limits, are subtracted level by level. No more levels are visited than the limit of work allows
 * (work-limit.ts, the level limit): an order cannot trade beyond them.
 *
 * Nothing here changes the state.
 */
import { AMOUNT_MAX } from "../amount.ts";
import { affordableLots, notionalOf } from "../money-formulas.ts";
import { NO_LEVEL } from "./level-table.ts";
import type { OrderBook } from "./order-book.ts";
import { NO_ORDER } from "./order-table.ts";
import { ASK, BID } from "./price-ladder.ts";
import { canAllReceive } from "../markets/receipts.ts";
import type { EngineState } from "../state.ts";

/** The amounts that a market order would trade within its limit price and the level limit. */
export interface Reach {
  /** The cost of buying in quote units, or the number of lots sold. */
  readonly amount: number;
  /**
   * The worst price at which the order may trade: its limit, unless the level limit is reached
   * first.
   */
  readonly worstTicks: number;
}

/**
 * Whether an order could fill completely within its limit price and the level limit. Hidden iceberg
 * quantity counts. Counting stops at the account's own orders, or skips them if `passesOver`. If a
 * trade could exceed a balance limit, also checks that every party may own the proceeds.
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
      return left <= visibleLotsAhead(state, level, account, left);
    }
    left -= book.lotsAt(level);
    if (left <= 0) return true;
    lastTicks = priceTicks;
    level = book.ladder.nextWorse(level);
  }
  if (!passesOver || own.lots === 0) return false;
  // Own orders beyond the last level visited were not counted, so they are not subtracted.
  const behind = own.lots - ownOrders(state, book, opposite, account, lastTicks).lots;
  return left <= behind;
}

/**
 * The cost in quote units of buying up to `lots` at market, level by level; above `AMOUNT_MAX` if
 * it cannot be exact. Orders of the account `passedOver` are skipped; if none is named, the buyer's
 * own orders count too, so that the true cost is never higher.
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
 * How many lots must be sold at market to receive up to `quoteAmount`, never more. Orders of the
 * account `passedOver` are skipped; if none is named, the seller's own orders count too. Stops at
 * the first price at which one lot would exceed the amount.
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
 * Visits the levels of a side within a limit price, best first, until `take` needs no more; skips
 * the lots of the excluded account. Returns the worst price at which the order may trade.
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
 * Whether an order of this side and price would cross an order of its own account in the book.
 * While a market gathers orders for an auction, crossing orders do not trade at once, so an order
 * that crosses one of its own account is refused on entry; the same check applies to the remainder
 * that a breaker leaves resting for an auction.
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

/**
 * The account's best price on a side within a limit price, and all its lots there, visible and
 * hidden.
 */
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

/** The account's lots, visible and hidden, at each level of a side. */
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
 * The visible quantity of other accounts ahead of the account's first order at a level, counted up
 * to `wanted`; visits no more orders than the limit of work allows levels.
 */
function visibleLotsAhead(
  { levels, levelsPerOrderMax, orders }: EngineState,
  level: number,
  account: number,
  wanted: number,
): number {
  let lots = 0;
  let slot = levels.firstOrderOf(level);
  for (let looked = 0; lots < wanted && looked < levelsPerOrderMax; looked++) {
    if (orders.accountOf(slot) === account) break;
    lots += orders.visibleLotsOf(slot);
    slot = orders.nextOf(slot);
  }
  return lots;
}

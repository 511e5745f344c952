/**
 * Compares the possible proceeds of orders with the balance limits of their accounts
 * (balance-limit.ts), where either all of the orders trade or none: in an auction, and for a
 * fill-or-kill order. An upper bound, before fees: at a price at which only some of the orders trade,
 * each is counted as if it came first.
 *
 * Nothing here changes the state.
 */
import { canReceive } from "../accounts/balance-limit.ts";
import { NO_LEVEL } from "../book/level-table.ts";
import { holdFor } from "../money-formulas.ts";
import type { OrderBook } from "../book/order-book.ts";
import { NO_ORDER } from "../book/order-table.ts";
import { ASK, BID } from "../book/price-ladder.ts";
import type { EngineState } from "../state.ts";

/** The part of a side that trades, and at which price. */
interface Sweep {
  readonly side: number;
  readonly lots: number;
  /** The price common to all trades; 0 if each order trades at its own. */
  readonly priceTicks: number;
  /** The account whose orders are left out; 0 for none. */
  readonly passedOver: number;
  /** Maximum number of orders to visit. */
  readonly ordersMax: number;
}

/**
 * The ids of the orders, among the best lots of a side, that might lift their account above its
 * limit: if an account has several, the last ones. undefined if too many orders would have to be
 * visited.
 */
export function overfullOrders(
  state: EngineState,
  book: OrderBook,
  { side, lots, priceTicks, passedOver, ordersMax }: Sweep,
): number[] | undefined {
  const { levels, orders } = state;
  const assetId = side === BID ? book.baseAssetId : book.quoteAssetId;
  // Until a trade, each party holds the amount that the other receives.
  const opposite = side === BID ? ASK : BID;
  const receipts = new Map<number, number>();
  const found: number[] = [];
  let left = lots;
  let looked = 0;
  let level = book.ladder.best(side);
  while (left > 0 && level !== NO_LEVEL) {
    const levelTicks = levels.priceOf(level);
    const tradeTicks = priceTicks || levelTicks;
    let lotsThere = 0;
    for (let slot = levels.firstOrderOf(level); slot !== NO_ORDER; slot = orders.nextOf(slot)) {
      if (looked++ === ordersMax) return undefined;
      const account = orders.accountOf(slot);
      if (account === passedOver) continue;
      const orderLots = book.leftOf(slot);
      lotsThere += orderLots;
      const brought = holdFor(book, opposite, tradeTicks, Math.min(orderLots, left));
      const received = (receipts.get(account) ?? 0) + brought;
      if (canReceive(state, account, assetId, received)) receipts.set(account, received);
      else found.push(orders.idOf(slot));
    }
    left -= lotsThere;
    level = book.ladder.nextWorse(level);
  }
  return found;
}

/**
 * Whether every party to a fill-or-kill order, which the book can fill, may own its proceeds. Visits
 * no more orders than the limit of work allows levels (work-limit.ts).
 */
export function canAllReceive(
  state: EngineState,
  book: OrderBook,
  side: number,
  lots: number,
  account: number,
): boolean {
  const opposite = side === BID ? ASK : BID;
  const assetId = side === BID ? book.baseAssetId : book.quoteAssetId;
  const brings = holdFor(book, opposite, book.bestTicks(opposite), lots);
  if (!canReceive(state, account, assetId, brings)) return false;
  const ordersMax = state.levelsPerOrderMax;
  const sweep = { side: opposite, lots, priceTicks: 0, passedOver: account, ordersMax };
  return overfullOrders(state, book, sweep)?.length === 0;
}

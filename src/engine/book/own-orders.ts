/**
 * Whether an order would stand across one of its own account. Where a market gathers orders for an
 * auction they do not meet at once, so those that must not trade with each other are kept apart when
 * they come in; the same is asked of what a breaker leaves to rest for one. The work is bounded by
 * the account's open orders. Never: self-trade prevention while the market trades (matching.ts).
 */
import { NO_LEVEL } from "./level-table.ts";
import type { OrderBook } from "./order-book.ts";
import { NO_ORDER } from "./order-table.ts";
import { ASK, BID } from "./price-ladder.ts";
import type { EngineState } from "../state.ts";

/** Whether the account has an order in the book that one of this side and price would trade with. */
export function crossesOwnOrder(
  state: EngineState,
  account: number,
  book: OrderBook,
  side: number,
  priceTicks: number,
): boolean {
  const { orders } = state;
  const opposite = book.marketId * 2 + (side === BID ? ASK : BID);
  for (
    let slot = state.accounts.firstOpenOrder(account);
    slot !== NO_ORDER;
    slot = orders.nextOfAccount(slot)
  ) {
    if (orders.marketAndSideOf(slot) !== opposite) continue;
    if (orders.levelOf(slot) === NO_LEVEL) continue;
    const ownTicks = book.priceOf(slot);
    if (side === BID ? priceTicks >= ownTicks : priceTicks <= ownTicks) return true;
  }
  return false;
}

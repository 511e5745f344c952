/**
 * What administrators end without naming each order: all orders of a market that closes, all of an
 * account that is frozen. The market or the account is in its new state at once; one command ends as
 * many orders as the limit of work allows and looks at as many accounts and orders as an order looks at
 * levels (work-limit.ts). The rest ends with the next commands, account by account, the oldest first,
 * and within one command in order of placement.
 *
 * Invariants: only orders that were placed before it began are ended, and all of them, even if the
 * account is free again by then; a market takes no other state before all of its orders have ended.
 * Never: how an order ends (ending.ts).
 */
import { FIRST_USER_ACCOUNT } from "../accounts/postings.ts";
import { NO_ORDER } from "../book/order-table.ts";
import type { EngineState } from "../state.ts";
import { NO_LIMIT, marketOrdersMax } from "./work-limit.ts";
import { BECAUSE, END_CANCELLED, becauseRefused } from "./end-codes.ts";
import { endOrders } from "./ending.ts";
import type { PendingMassCancel } from "./pending-mass-cancels.ts";

/** Begins to end all open orders of a market, which takes none any more. */
export function cancelOrdersOfMarket(state: EngineState, marketId: number): void {
  state.massCancels.push({
    account: FIRST_USER_ACCOUNT,
    lastAccount: state.accounts.nextId - 1,
    marketId,
    upToOrderId: state.nextOrderId - 1,
    reason: BECAUSE.marketClosed,
  });
  // Those before it have their part of each command already.
  if (state.massCancels.length === 1) endFirstPart(state);
}

/** Begins to end all orders that a frozen account has open, before those of any market. */
export function cancelOrdersOfAccount(state: EngineState, account: number): void {
  state.massCancels.unshift({
    account,
    lastAccount: account,
    marketId: 0,
    upToOrderId: state.nextOrderId - 1,
    reason: becauseRefused("accountFrozen"),
  });
  endFirstPart(state);
}

/** Ends up to `ordersMax` of the orders that are next; without limits all of them. */
export function continueMassCancels(state: EngineState, ordersMax: number): void {
  const { levelsPerOrderMax, marketsInParts, massCancels } = state;
  const found: number[] = [];
  let looks = marketsInParts ? levelsPerOrderMax : NO_LIMIT;
  while (massCancels.length > 0 && found.length < ordersMax && looks > 0) {
    const [first] = massCancels;
    const foundBefore = found.length;
    looks -= findNext(state, first, found, ordersMax, looks);
    const reason = first.reason;
    if (first.account > first.lastAccount) massCancels.shift();
    const inOrder = found.slice(foundBefore).sort((a, b) => a - b);
    endOrders(state, inOrder, END_CANCELLED, reason);
  }
}

function endFirstPart(state: EngineState): void {
  // What an auction is about to trade stays until it has.
  if (state.uncrossings.length > 0) return;
  continueMassCancels(state, marketOrdersMax(state));
}

/**
 * Adds the ids of the orders that are next to `found`, until these are `ordersMax` or more than
 * `looksMax` accounts and orders were looked at. An account that was begun is looked at to its end, its
 * plan limits its orders. Returns how many looks it took.
 */
function findNext(
  { accounts, orders }: EngineState,
  next: PendingMassCancel,
  found: number[],
  ordersMax: number,
  looksMax: number,
): number {
  const { lastAccount, marketId, upToOrderId } = next;
  let looks = 0;
  for (; next.account <= lastAccount && looks < looksMax; next.account++) {
    looks++;
    let slot = accounts.firstOpenOrder(next.account);
    for (; slot !== NO_ORDER; slot = orders.nextOfAccount(slot), looks++) {
      if (marketId !== 0 && orders.marketAndSideOf(slot) >> 1 !== marketId) continue;
      const orderId = orders.idOf(slot);
      if (orderId > upToOrderId) break;
      if (found.length === ordersMax) return looks;
      found.push(orderId);
    }
  }
  return looks;
}

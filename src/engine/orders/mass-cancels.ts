/**
 * Bulk cancels by administrators: all orders of a market that closes, all of an account that is
 * frozen. The market or the account changes state at once; one command ends as many orders as the
 * limit of work allows and visits as many accounts and orders as an order may visit levels
 * (work-limit.ts). The rest ends with the next commands, account by account, the oldest first, and
 * within one command in order of placement.
 *
 * Invariants: only orders that were placed before it began are ended, and all of them, even if the
 * account is unfrozen by then; a market enters no other state before all of its orders have ended.
 * Never: how an order ends (ending.ts).
 */
import { FIRST_USER_ACCOUNT } from "../accounts/postings.ts";
import { NO_ORDER } from "../book/order-table.ts";
import type { EngineState } from "../state.ts";
import { NO_LIMIT, marketOrdersMax } from "./work-limit.ts";
import { END_REASON, END_CANCELLED, endReasonCode } from "./end-codes.ts";
import { endOrders } from "./ending.ts";
import type { PendingMassCancel } from "./pending-mass-cancels.ts";

/** Begins to end all open orders of a market that no longer accepts any. */
export function cancelOrdersOfMarket(state: EngineState, marketId: number): void {
  state.massCancels.push({
    account: FIRST_USER_ACCOUNT,
    lastAccount: state.accounts.nextId - 1,
    marketId,
    upToOrderId: state.nextOrderId - 1,
    reason: END_REASON.marketClosed,
  });
  // Accounts that began earlier already have their share of each command.
  if (state.massCancels.length === 1) endFirstPart(state);
}

/** Begins to end all open orders of a frozen account, before those of any market. */
export function cancelOrdersOfAccount(state: EngineState, account: number): void {
  state.massCancels.unshift({
    account,
    lastAccount: account,
    marketId: 0,
    upToOrderId: state.nextOrderId - 1,
    reason: endReasonCode("accountFrozen"),
  });
  endFirstPart(state);
}

/** Ends up to `ordersMax` of the next orders; all of them if `ordersMax` is NO_LIMIT. */
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
  // Orders that an auction is about to trade stay until it is over.
  if (state.uncrossings.length > 0) return;
  continueMassCancels(state, marketOrdersMax(state));
}

/**
 * Adds the ids of the next orders to `found`, until these are `ordersMax` or more than `looksMax`
 * accounts and orders were visited. An account is always visited to its end, since its plan limits
 * its orders. Returns how many were visited.
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

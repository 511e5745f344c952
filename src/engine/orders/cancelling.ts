/**
 * Cancels orders for their owner: a single order, or all open orders of an account, optionally
 * limited to one market or side, immediately or when a cancel timer fires. One command cancels as
 * many orders as the limit of work allows (work-limit.ts): the owner repeats the command for the
 * rest, a timer fires again. Ending the order itself is in ending.ts.
 */
import { CANCEL_DELAY_MS_MAX, CANCEL_DELAY_MS_MIN } from "../time/cancel-timers.ts";
import type { CommandOf, Side } from "../commands.ts";
import { endOrder, endOrders } from "./ending.ts";
import { END_REASON, END_CANCELLED } from "./end-codes.ts";
import { NO_ORDER } from "../book/order-table.ts";
import type { Outcome } from "../reject-reasons.ts";
import { isUncrossing } from "../markets/pending-uncrossings.ts";
import { BID } from "../book/price-ladder.ts";
import type { EngineState } from "../state.ts";
import type { Timer } from "../time/timers.ts";

export function cancelOrder(state: EngineState, command: CommandOf<"cancelOrder">): Outcome {
  const { accounts, orders, uncrossings } = state;
  if (!accounts.exists(command.account)) return "unknownAccount";
  const slot = orders.find(command.orderId);
  // Never reveals to another account that the order exists.
  if (slot === NO_ORDER) return "unknownOrder";
  if (orders.accountOf(slot) !== command.account) return "unknownOrder";
  if (uncrossings.length > 0 && isUncrossing(state, orders.marketAndSideOf(slot) >> 1)) {
    return "marketBusy";
  }
  endOrder(state, slot, END_CANCELLED, END_REASON.byOwner);
  return "accepted";
}

/** Refused with `unknownOrder` if there is no order to cancel. */
export function cancelAllOrders(
  state: EngineState,
  command: CommandOf<"cancelAllOrders">,
): Outcome {
  const { accounts, catalogue, nextOrderId, ordersPerCommandMax } = state;
  const { account, marketId, side, upToOrderId = nextOrderId - 1 } = command;
  if (side !== undefined && side !== "buy" && side !== "sell") return "invalidCommand";
  if (!Number.isSafeInteger(upToOrderId)) return "invalidCommand";
  if (!accounts.exists(account)) return "unknownAccount";
  if (marketId !== 0 && !catalogue.markets.has(marketId)) return "unknownMarket";
  const scope = { account, marketId, side, upToOrderId };
  const { orderIds, isAll } = findOrders(state, scope, ordersPerCommandMax);
  if (isAll && orderIds.length === 0) return "unknownOrder";
  endOrders(state, orderIds, END_CANCELLED, END_REASON.byOwner);
  state.leftUpToOrderId = isAll ? 0 : upToOrderId;
  if (!isAll) state.events.rare({ type: "ordersLeftOpen", ...scope });
  return "accepted";
}

export function setCancelTimer(
  { accounts, cancelTimers, catalogue, events, nowMs, timers }: EngineState,
  { account, delayMs, marketId }: CommandOf<"setCancelTimer">,
): Outcome {
  if (!accounts.exists(account)) return "unknownAccount";
  if (marketId !== 0 && !catalogue.markets.has(marketId)) return "unknownMarket";
  if (!Number.isSafeInteger(delayMs)) return "invalidDelay";
  if (delayMs !== 0 && (delayMs < CANCEL_DELAY_MS_MIN || delayMs > CANCEL_DELAY_MS_MAX)) {
    return "invalidDelay";
  }
  if (delayMs !== 0 && timers.isFull) return "limitReached";
  const firesAtMs = delayMs === 0 ? 0 : nowMs + delayMs;
  cancelTimers.set(account, marketId, firesAtMs);
  events.rare({ type: "cancelTimerSet", account, marketId, firesAtMs });
  return "accepted";
}

/**
 * Ends orders when a cancel timer has fired. If more than `ordersMax` are to end, the timer is set
 * again, due at once. Returns how many orders ended.
 */
export function fireCancelTimer(state: EngineState, timer: Timer, ordersMax: number): number {
  const { cancelTimers } = state;
  const { account, marketId } = cancelTimers.takeFired(timer);
  const scope = { account, marketId, side: undefined, upToOrderId: Infinity };
  const { orderIds, isAll } = findOrders(state, scope, ordersMax);
  if (isAll) state.events.rare({ type: "cancelTimerFired", account, marketId });
  else cancelTimers.set(account, marketId, timer.dueMs);
  endOrders(state, orderIds, END_CANCELLED, END_REASON.cancelTimer);
  return orderIds.length;
}

/** Selects orders of an account: marketId 0 for all markets, no side for both. */
interface Scope {
  readonly account: number;
  readonly marketId: number;
  readonly side: Side | undefined;
  readonly upToOrderId: number;
}

/**
 * Up to `ordersMax` of the selected orders, in order of placement, and whether these are all:
 * orders that an auction is about to trade stay until it is over.
 */
function findOrders(
  state: EngineState,
  { account, marketId, side, upToOrderId }: Scope,
  ordersMax: number,
): { orderIds: readonly number[]; isAll: boolean } {
  const { accounts, orders, uncrossings } = state;
  const orderIds: number[] = [];
  let isAll = true;
  let slot = accounts.firstOpenOrder(account);
  for (; slot !== NO_ORDER; slot = orders.nextOfAccount(slot)) {
    const marketAndSide = orders.marketAndSideOf(slot);
    if (marketId !== 0 && marketAndSide >> 1 !== marketId) continue;
    if (side !== undefined && (side === "buy") !== ((marketAndSide & 1) === BID)) continue;
    const orderId = orders.idOf(slot);
    if (orderId > upToOrderId) break;
    if (uncrossings.length > 0 && isUncrossing(state, marketAndSide >> 1)) {
      isAll = false;
      continue;
    }
    if (orderIds.length === ordersMax) return { orderIds, isAll: false };
    orderIds.push(orderId);
  }
  return { orderIds, isAll };
}

/**
 * Cancelling all open orders of an account, in one market or all: by its owner, by a cancel timer that
 * was not renewed in time, or by a freeze. Never: how an order ends (order-model-ending.ts).
 */
import type { Side } from "#engine/commands.ts";
import type { OrderEndReason } from "#engine/events.ts";
import { DAY_MS, isText, type CommandOf, type Reasons } from "./model-parts.ts";
import { endOrder } from "./order-model-ending.ts";
import { isOpen, type CancelTimer, type ModelExchange } from "./order-model-exchange.ts";

export function cancelAll(
  exchange: ModelExchange,
  account: number,
  marketId: number,
  side: Side | undefined,
  reason: OrderEndReason,
): boolean {
  const found = exchange.orders
    .filter((order) => order.account === account)
    .filter((order) => marketId === 0 || order.market.id === marketId)
    .filter((order) => side === undefined || order.side === side);
  // Ending an order may end others of its list.
  for (const order of found) {
    if (isOpen(exchange, order)) endOrder(exchange, order, "cancelled", reason);
  }
  return found.length > 0;
}

export function setCancelTimer(
  exchange: ModelExchange,
  account: number,
  marketId: number,
  delayMs: number,
): Reasons {
  const reasons: Reasons = new Set();
  if (!exchange.house.isAccount(account)) reasons.add("unknownAccount");
  if (marketId !== 0 && !exchange.markets.some(({ id }) => id === marketId)) {
    reasons.add("unknownMarket");
  }
  if (delayMs !== 0 && (delayMs < 1000 || delayMs > DAY_MS)) reasons.add("invalidDelay");
  if (reasons.size > 0) return reasons;
  exchange.timers = exchange.timers.filter(
    (timer) => timer.account !== account || timer.marketId !== marketId,
  );
  const firesAtMs = delayMs === 0 ? 0 : exchange.nowMs + delayMs;
  if (delayMs !== 0) exchange.timers.push({ account, marketId, atMs: firesAtMs });
  exchange.events.push({ type: "cancelTimerSet", account, marketId, firesAtMs });
  return reasons;
}

export function fireTimer(exchange: ModelExchange, timer: CancelTimer): void {
  exchange.timers.splice(exchange.timers.indexOf(timer), 1);
  const { account, marketId } = timer;
  exchange.events.push({ type: "cancelTimerFired", account, marketId });
  cancelAll(exchange, account, marketId, undefined, "cancelTimer");
}

export function setAccountFreeze(
  exchange: ModelExchange,
  command: CommandOf<"setAccountFreeze">,
): Reasons {
  const { account, isFrozen, cancelsOrders, byAdmin, reason } = command;
  const reasons: Reasons = new Set();
  if (!isText(byAdmin, 64) || !isText(reason, 200)) reasons.add("invalidCommand");
  if (!isFrozen && cancelsOrders) reasons.add("invalidCommand");
  if (!exchange.house.isAccount(account)) reasons.add("unknownAccount");
  if (reasons.size > 0) return reasons;
  exchange.house.setFrozen(account, isFrozen);
  exchange.events.push({ type: "accountFreezeChanged", account, isFrozen, byAdmin, reason });
  if (cancelsOrders) cancelAll(exchange, account, 0, undefined, "accountFrozen");
  return reasons;
}

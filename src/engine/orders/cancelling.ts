/**
 * Orders ended by their owner: one, or all of an account in one market or all, of one side or both,
 * at once or when a timer is not set again in time. One command ends as many as the limit of work
 * allows (work-limit.ts): the owner asks again for the rest, a timer fires again.
 * Never: how an order ends (ending.ts).
 */
import { CANCEL_DELAY_MS_MAX, CANCEL_DELAY_MS_MIN } from "../time/cancel-timers.ts";
import type { CancelAllOrders, CancelOrder, SetCancelTimer, Side } from "../commands.ts";
import { endOrder } from "./ending.ts";
import { BECAUSE, END_CANCELLED } from "./end-codes.ts";
import type { EventBuffer } from "../event-buffer.ts";
import { NO_ORDER } from "../book/order-table.ts";
import type { Outcome } from "../outcome.ts";
import { isUncrossing } from "../markets/pending-uncrossings.ts";
import { BID } from "../book/price-ladder.ts";
import type { EngineState } from "../state.ts";
import type { Timer } from "../time/timers.ts";

export class Cancelling {
  readonly #state: EngineState;
  /** Up to which order id the last `cancelAll` left some open, 0 if none. */
  leftUpToOrderId = 0;
  /** Ids of the orders to end; ending one may end others of its list. Kept, so that nothing grows anew. */
  readonly #found: number[] = [];
  #foundCount = 0;

  constructor(state: EngineState) {
    this.#state = state;
  }

  cancel(command: CancelOrder, events: EventBuffer): Outcome {
    const { accounts, orders, uncrossings } = this.#state;
    if (!accounts.exists(command.account)) return "unknownAccount";
    const slot = orders.find(command.orderId);
    // Whose order it is stays unknown to anybody else.
    if (slot === NO_ORDER) return "unknownOrder";
    if (orders.accountOf(slot) !== command.account) return "unknownOrder";
    if (uncrossings.length > 0 && isUncrossing(this.#state, orders.marketAndSideOf(slot) >> 1)) {
      return "marketBusy";
    }
    endOrder(this.#state, slot, END_CANCELLED, BECAUSE.byOwner, events);
    return "accepted";
  }

  /** Refused with `unknownOrder` where there is none to cancel. */
  cancelAll(command: CancelAllOrders, events: EventBuffer): Outcome {
    const { accounts, catalogue, nextOrderId, ordersPerCommandMax } = this.#state;
    const { account, marketId, side, upToOrderId = nextOrderId - 1 } = command;
    if (side !== undefined && side !== "buy" && side !== "sell") return "invalidCommand";
    if (!Number.isSafeInteger(upToOrderId)) return "invalidCommand";
    if (!accounts.exists(account)) return "unknownAccount";
    if (marketId !== 0 && !catalogue.markets.has(marketId)) return "unknownMarket";
    const isAll = this.#find(account, marketId, side, upToOrderId, ordersPerCommandMax);
    if (isAll && this.#foundCount === 0) return "unknownOrder";
    this.#endFound(BECAUSE.byOwner, events);
    this.leftUpToOrderId = isAll ? 0 : upToOrderId;
    if (!isAll) events.rare({ type: "ordersLeftOpen", account, marketId, side, upToOrderId });
    return "accepted";
  }

  setTimer({ account, delayMs, marketId }: SetCancelTimer, events: EventBuffer): Outcome {
    const { accounts, cancelTimers, catalogue, nowMs, timers } = this.#state;
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
   * The timer has come out of the heap. It goes back for what is more than `ordersMax`, due at once.
   * Returns how many orders were ended.
   */
  timerFired(timer: Timer, ordersMax: number, events: EventBuffer): number {
    const { cancelTimers } = this.#state;
    const { account, marketId } = cancelTimers.fired(timer);
    const isAll = this.#find(account, marketId, undefined, Infinity, ordersMax);
    if (isAll) events.rare({ type: "cancelTimerFired", account, marketId });
    else cancelTimers.set(account, marketId, timer.dueMs);
    this.#endFound(BECAUSE.cancelTimer, events);
    return this.#foundCount;
  }

  /**
   * Finds up to `ordersMax` of the account's orders, in order of placement, up to an order id;
   * marketId 0 stands for all markets. Whether that is all of them: what an auction is about to trade
   * stays until it has.
   */
  #find(
    account: number,
    marketId: number,
    side: Side | undefined,
    upToOrderId: number,
    ordersMax: number,
  ): boolean {
    const { accounts, orders, uncrossings } = this.#state;
    let isAll = true;
    this.#foundCount = 0;
    for (
      let slot = accounts.firstOpenOrder(account);
      slot !== NO_ORDER;
      slot = orders.nextOfAccount(slot)
    ) {
      const marketAndSide = orders.marketAndSideOf(slot);
      if (marketId !== 0 && marketAndSide >> 1 !== marketId) continue;
      if (side !== undefined && (side === "buy") !== ((marketAndSide & 1) === BID)) continue;
      const orderId = orders.idOf(slot);
      if (orderId > upToOrderId) break;
      if (uncrossings.length > 0 && isUncrossing(this.#state, marketAndSide >> 1)) {
        isAll = false;
        continue;
      }
      if (this.#foundCount === ordersMax) return false;
      this.#found[this.#foundCount++] = orderId;
    }
    return isAll;
  }

  #endFound(reason: number, events: EventBuffer): void {
    const { orders } = this.#state;
    for (let index = 0; index < this.#foundCount; index++) {
      const slot = orders.find(this.#found[index]);
      if (slot !== NO_ORDER) endOrder(this.#state, slot, END_CANCELLED, reason, events);
    }
  }
}

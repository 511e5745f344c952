/**
 * Orders ended by their owner: one, or all of an account in one market or all, of one side or both,
 * at once or when a timer is not set again in time.
 * Never: how an order ends (ending.ts).
 */
import { CANCEL_DELAY_MS_MAX, CANCEL_DELAY_MS_MIN } from "./cancel-timers.ts";
import type { CancelAllOrders, CancelOrder, SetCancelTimer, Side } from "./commands.ts";
import type { Ending } from "./ending.ts";
import { BECAUSE, END_CANCELLED } from "./end-codes.ts";
import type { EventBuffer } from "./event-buffer.ts";
import { NO_ORDER } from "./order-table.ts";
import type { Outcome } from "./outcome.ts";
import { BID } from "./price-ladder.ts";
import type { EngineState } from "./state.ts";
import type { Timer } from "./timers.ts";

export class Cancelling {
  readonly #state: EngineState;
  readonly #ending: Ending;
  /** Ids of the orders to end; ending one may end others of its list. Kept, so that nothing grows anew. */
  readonly #found: number[] = [];

  constructor(state: EngineState, ending: Ending) {
    this.#state = state;
    this.#ending = ending;
  }

  cancel(command: CancelOrder, events: EventBuffer): Outcome {
    const { accounts, orders } = this.#state;
    if (!accounts.exists(command.account)) return "unknownAccount";
    const slot = orders.find(command.orderId);
    // Whose order it is stays unknown to anybody else.
    if (slot === NO_ORDER) return "unknownOrder";
    if (orders.accountOf(slot) !== command.account) return "unknownOrder";
    this.#ending.end(slot, END_CANCELLED, BECAUSE.byOwner, events);
    return "accepted";
  }

  /** Refused with `unknownOrder` where there is none to cancel. */
  cancelAll(command: CancelAllOrders, events: EventBuffer): Outcome {
    const { accounts, catalogue } = this.#state;
    const { account, marketId, side } = command;
    if (side !== undefined && side !== "buy" && side !== "sell") return "invalidCommand";
    if (!accounts.exists(account)) return "unknownAccount";
    if (marketId !== 0 && !catalogue.markets.has(marketId)) return "unknownMarket";
    const isAny = this.endAll(account, marketId, side, BECAUSE.byOwner, events);
    return isAny ? "accepted" : "unknownOrder";
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

  /** The timer has come out of the heap. */
  timerFired(timer: Timer, events: EventBuffer): void {
    const { account, marketId } = this.#state.cancelTimers.fired(timer);
    events.rare({ type: "cancelTimerFired", account, marketId });
    this.endAll(account, marketId, undefined, BECAUSE.cancelTimer, events);
  }

  /** In order of placement; marketId 0 stands for all markets. Whether there was any. */
  endAll(
    account: number,
    marketId: number,
    side: Side | undefined,
    reason: number,
    events: EventBuffer,
  ): boolean {
    const { accounts, orders } = this.#state;
    const found = this.#found;
    let count = 0;
    for (
      let slot = accounts.firstOpenOrder(account);
      slot !== NO_ORDER;
      slot = orders.nextOfAccount(slot)
    ) {
      const marketAndSide = orders.marketAndSideOf(slot);
      if (marketId !== 0 && marketAndSide >> 1 !== marketId) continue;
      if (side !== undefined && (side === "buy") !== ((marketAndSide & 1) === BID)) continue;
      found[count++] = orders.idOf(slot);
    }
    for (let index = 0; index < count; index++) {
      const slot = orders.find(found[index]);
      if (slot !== NO_ORDER) this.#ending.end(slot, END_CANCELLED, reason, events);
    }
    return count > 0;
  }
}

/**
 * How an administrator schedules the states of a market, and how a step is executed when it is due. A
 * step waits while the market still ends the orders of an earlier change. Steps that were due while
 * the exchange was down happen in their order before its next command.
 */
import { isDecision } from "../command-texts.ts";
import type { CommandOf, ScheduledStatus } from "../commands.ts";
import type { OrderBook } from "../book/order-book.ts";
import { isEndingOrders } from "../orders/pending-mass-cancels.ts";
import { NO_LIMIT, marketOrdersMax } from "../orders/work-limit.ts";
import type { Outcome } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { DURATION_MS_MAX, enterStatus, isLength } from "./market-states.ts";
import { isMarketStatus } from "./market-statuses.ts";
import { isUncrossing } from "./pending-uncrossings.ts";

const STEPS_MAX = 32;
/** How long a step waits for a busy market before it is tried again. */
const RETRY_MS = 1000;

export function scheduleMarket(
  state: EngineState,
  { marketId, steps, decision }: CommandOf<"scheduleMarket">,
): Outcome {
  const { catalogue, events, nowMs, schedules, timers } = state;
  if (!isDecision(decision) || !areSteps(steps)) return "invalidCommand";
  let lastMs = nowMs;
  for (const { atMs, forMs, status } of steps) {
    if (!Number.isSafeInteger(atMs) || !isLength(status, forMs)) return "invalidDelay";
    if (atMs <= lastMs || atMs > nowMs + DURATION_MS_MAX) return "invalidDelay";
    lastMs = atMs;
  }
  if (!catalogue.markets.has(marketId)) return "unknownMarket";
  if (steps.length > 0 && timers.isFull) return "limitReached";
  const kept = steps.map(({ atMs, status, forMs }) => ({ atMs, status, forMs }));
  schedules.set(marketId, kept);
  const { byAdmin, reason } = decision;
  const scheduled = { marketId, steps: kept, decision: { byAdmin, reason } };
  events.rare({ type: "marketScheduled", ...scheduled });
  return "accepted";
}

/**
 * Executes the first step, which is due. Returns how many pairs of an auction have traded, at least
 * 1.
 */
export function fireSchedule(state: EngineState, marketId: number, ordersMax: number): number {
  const { books, nowMs, schedules, timers } = state;
  const [step, ...later] = schedules.of(marketId);
  const { atMs, forMs, status } = step;
  const isBusy = isEndingOrders(state, marketId) || isUncrossing(state, marketId);
  if (isBusy || (forMs > 0 && timers.isFull)) {
    schedules.set(marketId, [{ ...step, atMs: nowMs + RETRY_MS }, ...later]);
    return 1;
  }
  schedules.set(marketId, later);
  const untilMs = forMs === 0 ? 0 : atMs + forMs;
  const tradesMax = marketOrdersMax(state, ordersMax);
  const book = books[marketId] as OrderBook;
  const trades = enterStatus(state, book, { status, untilMs, cause: "schedule" }, tradesMax);
  return tradesMax === NO_LIMIT ? 1 : Math.max(1, trades);
}

/** Whether the value is an array of well-formed steps; any client may send the command. */
function areSteps(steps: unknown): steps is readonly ScheduledStatus[] {
  if (!Array.isArray(steps) || steps.length > STEPS_MAX) return false;
  return steps.every((step: unknown) => {
    if (typeof step !== "object" || step === null) return false;
    return isMarketStatus((step as ScheduledStatus).status);
  });
}

/**
 * Changes of a market's state and their effect on its book; market-statuses.ts defines what each state
 * allows.
 *
 * Before a market trades, or takes post-only orders, a crossed book is uncrossed at one price. In
 * all other states its book may cross, but never with orders of one account: those are refused.
 * Triggers wait through all states but closed, and are checked when trading resumes.
 */
import { assert } from "../assert.ts";
import { decisionIn, isDecision } from "../command-texts.ts";
import type { CommandOf, Decision, MarketStatus } from "../commands.ts";
import type { MarketStatusCause } from "../events.ts";
import { followerOf, isMarketStatus, isUncrossed } from "./market-statuses.ts";
import { resumeMarket } from "../orders/waiting-orders.ts";
import { cancelOrdersOfMarket } from "../orders/mass-cancels.ts";
import { isEndingOrders } from "../orders/pending-mass-cancels.ts";
import { NO_WINDOW, type OrderBook } from "../book/order-book.ts";
import type { Outcome } from "../reject-reasons.ts";
import { isUncrossing } from "./pending-uncrossings.ts";
import type { EngineState } from "../state.ts";
import { TIMER_MARKET_STATUS_END } from "../time/timers.ts";
import { NO_LIMIT, marketOrdersMax } from "../orders/work-limit.ts";
import { beginUncrossing, tradePairs } from "./uncrossing.ts";

/** The longest time for which an administrator may set a state: a year. */
export const DURATION_MS_MAX = 366 * 24 * 60 * 60 * 1000;
/** How long an auction lasts unless the market defines it. */
const AUCTION_MS = 60_000;

export function setMarketStatus(
  state: EngineState,
  command: CommandOf<"setMarketStatus">,
): Outcome {
  const { marketId, status, forMs, byAdmin, reason } = command;
  const { books, catalogue, nowMs, timers } = state;
  const decision = { byAdmin, reason };
  if (!isMarketStatus(status) || !isDecision(decision)) return "invalidCommand";
  if (!isLength(status, forMs)) return "invalidDelay";
  if (!catalogue.markets.has(marketId)) return "unknownMarket";
  const isBusy = isEndingOrders(state, marketId) || isUncrossing(state, marketId);
  if (isBusy) return "marketBusy";
  if (forMs > 0 && timers.isFull) return "limitReached";
  const untilMs = forMs === 0 ? 0 : nowMs + forMs;
  const tradesMax = marketOrdersMax(state);
  const book = books[marketId] as OrderBook;
  enterStatus(state, book, { status, untilMs, cause: "admin", decision }, tradesMax);
  return "accepted";
}

/** Whether a state may be set for that long; 0 means until the next change. */
export function isLength(status: MarketStatus, forMs: number): boolean {
  if (!Number.isSafeInteger(forMs) || forMs < 0 || forMs > DURATION_MS_MAX) return false;
  return forMs === 0 || followerOf(status) !== undefined;
}

/** Ends a state whose time is up. Returns how many pairs of an auction have traded, at least 1. */
export function endMarketStatus(
  state: EngineState,
  marketId: number,
  dueMs: number,
  ordersMax: number,
): number {
  const book = state.books[marketId] as OrderBook;
  book.timer = undefined;
  const next = followerOf(book.status) ?? book.status;
  const untilMs = next === "auction" ? dueMs + (book.breaker?.auctionMs ?? AUCTION_MS) : 0;
  const tradesMax = marketOrdersMax(state, ordersMax);
  const trades = enterStatus(state, book, { status: next, untilMs, cause: "timer" }, tradesMax);
  return tradesMax === NO_LIMIT ? 1 : Math.max(1, trades);
}

/** Halts a market for its breaker, because the next trade is too far away. */
export function haltMarket(state: EngineState, book: OrderBook, untilMs: number): void {
  enterStatus(state, book, { status: "halted", untilMs, cause: "breaker" }, 0);
}

/**
 * Trades up to `tradesMax` pairs of the auctions in progress. A market whose last pair has traded
 * enters its new state. Returns how many pairs have traded.
 */
export function continueUncrossings(state: EngineState, tradesMax: number): number {
  const { books, uncrossings } = state;
  let trades = 0;
  while (uncrossings.length > 0) {
    const [first] = uncrossings;
    const book = books[first.marketId] as OrderBook;
    const isSafe = tradesMax === NO_LIMIT || !book.checksReceipts;
    assert(isSafe, "what a pair brings is known to be what its accounts may own");
    trades += tradePairs(state, book, first, tradesMax - trades);
    if (first.leftLots > 0) return trades;
    uncrossings.shift();
    completeChange(state, book, first.status, 0);
  }
  return trades;
}

interface NewStatus {
  readonly status: MarketStatus;
  /** When the state ends; 0 if it stays until the next change. */
  readonly untilMs: number;
  readonly cause: MarketStatusCause;
  readonly decision?: Decision;
}

/**
 * Enters a state; there must be room for a timer. Returns how many pairs of an auction have traded.
 */
export function enterStatus(
  state: EngineState,
  book: OrderBook,
  { status, untilMs, cause, decision }: NewStatus,
  tradesMax: number,
): number {
  const { timers, uncrossings } = state;
  const { marketId } = book;
  if (book.timer !== undefined) timers.remove(book.timer);
  book.timer = untilMs === 0 ? undefined : timers.add(untilMs, TIMER_MARKET_STATUS_END, marketId);
  const changed = { marketId, status, cause, untilMs, ...decisionIn(decision) };
  state.events.rare({ type: "marketStatusChanged", ...changed });
  const mustUncross = isUncrossed(status) && !isUncrossed(book.status);
  const auction = mustUncross ? beginUncrossing(state, book, status) : undefined;
  if (auction === undefined) {
    completeChange(state, book, status, untilMs);
    return 0;
  }
  uncrossings.push(auction);
  book.setStatus(book.status, 0);
  // Balances were compared with all that they might receive, which is valid only at this moment.
  return continueUncrossings(state, book.checksReceipts ? NO_LIMIT : tradesMax);
}

function completeChange(
  state: EngineState,
  book: OrderBook,
  status: MarketStatus,
  untilMs: number,
): void {
  book.setStatus(status, untilMs);
  if (status === "closed") cancelOrdersOfMarket(state, book.marketId);
  if (status !== "trading") return;
  // The breaker starts again from the last price of the auction or before the halt.
  book.breakerWindow = NO_WINDOW;
  resumeMarket(state, book);
}

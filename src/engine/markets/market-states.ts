/**
 * How a market comes from one state to another and what that does to its book; what the states let
 * in says market-statuses.ts.
 *
 * Before a market trades, or takes post-only orders, a book that crosses is uncrossed at one price.
 * While it does neither its book may cross, but never with orders of one account: those are refused.
 * Triggers wait through all states but closed, and are looked at when trading begins.
 */
import { isIdentity, isReason } from "../command-texts.ts";
import type { MarketStatus, SetMarketStatus } from "../commands.ts";
import { endOrder } from "../orders/ending.ts";
import { BECAUSE, END_CANCELLED } from "../orders/end-codes.ts";
import type { EventBuffer } from "../event-buffer.ts";
import type { MarketStatusCause } from "../events.ts";
import { followerOf, isMarketStatus, isUncrossed } from "./market-statuses.ts";
import { resumeMarket } from "../orders/waiting-orders.ts";
import { NO_WINDOW, type OrderBook } from "../book/order-book.ts";
import { NO_ORDER } from "../book/order-table.ts";
import type { Outcome } from "../outcome.ts";
import { FIRST_USER_ACCOUNT } from "../accounts/postings.ts";
import type { EngineState } from "../state.ts";
import { TIMER_MARKET } from "../time/timers.ts";
import { uncross } from "./uncrossing.ts";

/** A state that somebody set lasts at most a year. */
const LASTS_MS_MAX = 366 * 24 * 60 * 60 * 1000;
/** How long an auction is called where the market does not say. */
const AUCTION_MS = 60_000;

export function setMarketStatus(
  state: EngineState,
  command: SetMarketStatus,
  nowMs: number,
  events: EventBuffer,
): Outcome {
  const { marketId, status, forMs, byAdmin, reason } = command;
  const { catalogue, books, timers } = state;
  if (!isMarketStatus(status) || !isIdentity(byAdmin) || !isReason(reason)) {
    return "invalidCommand";
  }
  if (!Number.isSafeInteger(forMs) || forMs < 0 || forMs > LASTS_MS_MAX) return "invalidDelay";
  if (forMs > 0 && followerOf(status) === undefined) return "invalidDelay";
  if (!catalogue.markets.has(marketId)) return "unknownMarket";
  if (forMs > 0 && timers.isFull) return "limitReached";
  const untilMs = forMs === 0 ? 0 : nowMs + forMs;
  enterStatus(state, books[marketId] as OrderBook, status, "admin", untilMs, events);
  return "accepted";
}

/** The time of a state is up. */
export function endMarketStatus(
  state: EngineState,
  marketId: number,
  dueMs: number,
  events: EventBuffer,
): void {
  const book = state.books[marketId] as OrderBook;
  book.timer = undefined;
  const next = followerOf(book.status) ?? book.status;
  const untilMs = next === "auction" ? dueMs + (book.breaker?.auctionMs ?? AUCTION_MS) : 0;
  enterStatus(state, book, next, "timer", untilMs, events);
}

/** A trade that was about to happen is too far away: the breaker halts the market. */
export function haltMarket(
  state: EngineState,
  book: OrderBook,
  untilMs: number,
  events: EventBuffer,
): void {
  enterStatus(state, book, "halted", "breaker", untilMs, events);
}

function enterStatus(
  state: EngineState,
  book: OrderBook,
  status: MarketStatus,
  cause: MarketStatusCause,
  untilMs: number,
  events: EventBuffer,
): void {
  const { timers } = state;
  if (book.timer !== undefined) timers.remove(book.timer);
  book.timer = untilMs === 0 ? undefined : timers.add(untilMs, TIMER_MARKET, book.marketId);
  events.rare({ type: "marketStatusChanged", marketId: book.marketId, status, cause, untilMs });
  if (isUncrossed(status) && !isUncrossed(book.status)) uncross(state, book, events);
  book.setStatus(status, untilMs);
  if (status === "closed") endAllOf(state, book, events);
  if (status !== "trading") return;
  // What an auction or a halt left behind counts from here on.
  book.breakerWindow = NO_WINDOW;
  resumeMarket(state, book);
}

/** In order of placement: all that are open, whatever they wait for. */
function endAllOf(state: EngineState, book: OrderBook, events: EventBuffer): void {
  const { accounts, orders } = state;
  const found: number[] = [];
  for (let account = FIRST_USER_ACCOUNT; account < accounts.nextId; account++) {
    let slot = accounts.firstOpenOrder(account);
    while (slot !== NO_ORDER) {
      if (orders.marketAndSideOf(slot) >> 1 === book.marketId) found.push(orders.idOf(slot));
      slot = orders.nextOfAccount(slot);
    }
  }
  found.sort((a, b) => a - b);
  for (const orderId of found) {
    const slot = orders.find(orderId);
    // Ending one may have ended others of its list.
    if (slot !== NO_ORDER) {
      endOrder(state, slot, END_CANCELLED, BECAUSE.marketClosed, events);
    }
  }
}

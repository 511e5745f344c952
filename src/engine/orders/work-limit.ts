/**
 * How many orders one command ends or activates beside what it asks for itself, so that no command
 * holds the others up: the expiries and cancel timers that are due, the orders that a trade or a
 * filled working order has set free, and what `cancelAllOrders` ends. What is left over follows with
 * the next commands, in the same order; the engine says at `nextDueMs` that it is due now.
 *
 * A second limit is how many levels of the book an order looks at that must know before it trades: to
 * fill or be killed, or what it needs at the market. What lies behind them is out of its reach.
 *
 * There is no limit until a command sets one: a journal that knows none leads to what it led to
 * when it was written (docs/decisions/020).
 */
import { NO_ORDER, type OrderTable } from "../book/order-table.ts";
import type { LimitWork } from "../commands.ts";
import type { EventBuffer } from "../event-buffer.ts";
import type { OrderBook } from "../book/order-book.ts";
import type { Outcome } from "../reject-reasons.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { Activations } from "./activations.ts";
import type { DetailsTable } from "./order-details.ts";
import type { StateWriter } from "../formats/state-writer.ts";

/** Orders per command, and levels per order, while no limit is set. */
export const NO_LIMIT = Infinity;

/** What the limit holds for: parts of the engine's state. */
export interface LimitedWork {
  ordersPerCommandMax: number;
  levelsPerOrderMax: number;
  marketsInParts: boolean;
  readonly activations: Activations;
  readonly books: readonly (OrderBook | undefined)[];
  readonly events: EventBuffer;
  readonly details: DetailsTable;
  readonly orders: OrderTable;
}

export function limitWork(
  state: LimitedWork,
  { levelsMax, marketsInParts = false, ordersMax }: LimitWork,
): Outcome {
  if (!isLimit(ordersMax) || !isLimit(levelsMax)) return "invalidCommand";
  if (typeof marketsInParts !== "boolean") return "invalidCommand";
  state.ordersPerCommandMax = ordersMax;
  state.levelsPerOrderMax = levelsMax;
  state.marketsInParts = marketsInParts;
  const isAlso = marketsInParts && { marketsInParts };
  state.events.rare({ type: "workLimited", ordersMax, levelsMax, ...isAlso });
  return "accepted";
}

/** How many orders of a whole market or account one command ends or trades, of so many that it may. */
export function marketOrdersMax(
  { marketsInParts, ordersPerCommandMax }: LimitedWork,
  ordersMax = ordersPerCommandMax,
): number {
  return marketsInParts ? ordersMax : NO_LIMIT;
}

function isLimit(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/** The limit and what it has left over; in a hash nothing without one, so that those of before stay. */
export function writeWork(to: StateWriter, state: LimitedWork): void {
  const { activations, levelsPerOrderMax, marketsInParts, ordersPerCommandMax } = state;
  to.part("work");
  const isLimited = ordersPerCommandMax !== NO_LIMIT;
  if (!to.isHash) to.flag(isLimited);
  // What the hash does not cover is not written either: no changed byte of it would be found.
  if (!isLimited) return;
  to.number(ordersPerCommandMax);
  to.number(levelsPerOrderMax);
  to.int(activations.length);
  for (const orderId of activations) to.number(orderId);
  if (marketsInParts || !to.isHash) to.flag(marketsInParts);
}

/** Into a state that has all its orders. */
export function readWork(snapshot: SnapshotReader, state: LimitedWork): void {
  snapshot.part("work");
  if (!snapshot.flag()) return;
  state.ordersPerCommandMax = snapshot.number();
  state.levelsPerOrderMax = snapshot.number();
  const count = snapshot.count(8);
  for (let index = 0; index < count; index++) readActivation(state, snapshot.number());
  state.marketsInParts = snapshot.flag();
}

function readActivation(
  { activations, books, details: table, orders }: LimitedWork,
  orderId: number,
): void {
  activations.push(orderId);
  const slot = orders.find(orderId);
  if (slot === NO_ORDER || !orders.hasDetails(slot)) return;
  const details = table.at(slot);
  if (details.waitsFor !== "trigger") return;
  const book = books[orders.marketAndSideOf(slot) >> 1] as OrderBook;
  // It no longer waits for its price: that was reached.
  book.triggers.remove(details);
  details.isReached = true;
}

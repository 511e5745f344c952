/**
 * How many orders one command ends or activates beyond those that it names, so that no command delays
 * the others: the expiries and cancel timers that are due, the orders that a trade or a filled
 * working order has released, and what `cancelAllOrders` ends. The rest follows with the next
 * commands, in the same order; `nextDueMs` says that it is due now.
 *
 * A second limit is how many levels of the book are visited by an order that must be evaluated before
 * it trades: a fill-or-kill order, or a market order for what it holds. It cannot reach the levels
 * behind them.
 *
 * There is no limit until a command sets one: a journal without one leads to the same outcome as
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

/** The limit of orders per command, and of levels per order, while none is set. */
export const NO_LIMIT = Infinity;

/** The parts of the engine's state to which the limit of work applies. */
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

/**
 * How many orders of all those of a market or account one command ends or trades, given its usual
 * limit.
 */
export function marketOrdersMax(
  { marketsInParts, ordersPerCommandMax }: LimitedWork,
  ordersMax = ordersPerCommandMax,
): number {
  return marketsInParts ? ordersMax : NO_LIMIT;
}

function isLimit(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

/**
 * Writes the limit and the work left over. A hash omits both if there is no limit, so that earlier
 * hashes stay valid.
 */
export function writeWorkLimit(to: StateWriter, state: LimitedWork): void {
  const { activations, levelsPerOrderMax, marketsInParts, ordersPerCommandMax } = state;
  to.part("work");
  const isLimited = ordersPerCommandMax !== NO_LIMIT;
  if (!to.isHash) to.flag(isLimited);
  // Fields that the hash does not cover are not written: a changed byte in them would go unnoticed.
  if (!isLimited) return;
  to.number(ordersPerCommandMax);
  to.number(levelsPerOrderMax);
  to.int(activations.length);
  for (const orderId of activations) to.number(orderId);
  if (marketsInParts || !to.isHash) to.flag(marketsInParts);
}

/** Reads the limit and the work left over. Requires a state that has all its orders. */
export function readWorkLimit(snapshot: SnapshotReader, state: LimitedWork): void {
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
  // The order no longer waits for its price, which was reached.
  book.triggers.remove(details);
  details.isReached = true;
}

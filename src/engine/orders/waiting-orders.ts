/**
 * Orders that are open but in no book: how one is found with all its fields, and which of them
 * continue when their market trades again. Never: the execution of activated orders (activating.ts).
 */
import { isPostOnly } from "../accounts/packed-fees.ts";
import type { Lots } from "../amount.ts";
import type { OrderBook } from "../book/order-book.ts";
import { NO_ORDER } from "../book/order-table.ts";
import { BID } from "../book/price-ladder.ts";
import type { OrderTerms } from "../commands.ts";
import type { EngineState } from "../state.ts";

export type Waiting = NonNullable<ReturnType<typeof findWaiting>>;

/** A waiting order with all fields of its row and its details; undefined if it is not open. */
export function findWaiting(state: EngineState, orderId: number) {
  const { details: table, orders } = state;
  const slot = orders.find(orderId);
  if (slot === NO_ORDER) return undefined;
  const marketAndSide = orders.marketAndSideOf(slot);
  return {
    slot,
    details: table.at(slot),
    account: orders.accountOf(slot),
    book: state.books[marketAndSide >> 1] as OrderBook,
    side: marketAndSide & 1,
    lots: orders.totalLotsOf(slot),
  };
}

/** The terms of a waiting order as placed, with its current quantity. */
export function termsOf(
  { orders }: EngineState,
  { details, side, slot }: Waiting,
  quantityLots: number,
): OrderTerms {
  return {
    ...details.terms,
    side: side === BID ? "buy" : "sell",
    postOnly: isPostOnly(orders.feesOf(slot)),
    quantityLots: quantityLots as Lots,
    // The row says whether there is a client order id, which is already remembered.
    clientOrderId: "",
  };
}

/**
 * Continues the waiting orders of a market that trades again: orders that the last price reaches,
 * or whose working order has since filled.
 */
export function resumeMarket(state: EngineState, book: OrderBook): void {
  const { activations, lists, ordersPerCommandMax } = state;
  // The auction before may have filled a working order and released its pending ones.
  const free = new Set(activations);
  if (book.lastTicks !== 0) {
    book.triggers.onPrice(book.lastTicks, activations, ordersPerCommandMax);
  }
  for (const list of lists.values()) {
    if (list.marketId !== book.marketId || list.workingOrderId !== 0) continue;
    const [orderId] = list.otherOrderIds;
    const isPending = findWaiting(state, orderId)?.details.waitsFor === "workingOrder";
    if (isPending && !free.has(orderId)) activations.push(orderId);
  }
}

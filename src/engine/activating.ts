/**
 * Takes up the orders that have waited: those whose trigger a trade has reached, and the pending
 * ones whose working order has filled. They go to the market one by one after the command that set
 * them free has finished, in the order in which they were set free; each may trade and set others
 * free. An order that has ended meanwhile is passed over.
 *
 * Invariants: an activated order holds all that it needs; the work is bounded by the waiting orders,
 * of which each is activated once.
 */
import type { Amount, Lots, Ticks } from "./amount.ts";
import type { Ending } from "./ending.ts";
import { END_EXPIRED, becauseRefused, type EventBuffer } from "./event-buffer.ts";
import type { Matching } from "./matching.ts";
import type { OrderBook } from "./order-book.ts";
import type { OrderDetails } from "./order-details.ts";
import {
  NO_ORDER,
  ORDER_ACCOUNT,
  ORDER_DETAILS,
  ORDER_FEES_AND_FLAGS,
  ORDER_FLOATS,
  ORDER_INTS,
  ORDER_MARKET_AND_SIDE,
  ORDER_TOTAL_LOTS,
} from "./order-table.ts";
import { capOf } from "./placing.ts";
import { BID } from "./price-ladder.ts";
import type { RejectReason } from "./reject-reasons.ts";
import type { EngineState } from "./state.ts";

export class Activating {
  readonly #state: EngineState;
  readonly #matching: Matching;
  readonly #ending: Ending;

  constructor(state: EngineState, matching: Matching, ending: Ending) {
    this.#state = state;
    this.#matching = matching;
    this.#ending = ending;
  }

  /** Takes up everything that was set free, until nothing is left of it. */
  takeUp(events: EventBuffer): void {
    const { activations, details: table, orders } = this.#state;
    // It may grow while it is worked off.
    for (let next = 0; next < activations.length; next++) {
      const slot = orders.find(activations[next]);
      if (slot === NO_ORDER) continue;
      const details = table.at(orders.ints[slot * ORDER_INTS + ORDER_DETAILS]);
      if (details.waitsFor === "trigger") this.#triggered(slot, details, events);
    }
    activations.length = 0;
  }

  #triggered(slot: number, details: OrderDetails, events: EventBuffer): void {
    const { orders } = this.#state;
    const row = slot * ORDER_INTS;
    const marketAndSide = orders.ints[row + ORDER_MARKET_AND_SIDE];
    const book = this.#state.books[marketAndSide >> 1] as OrderBook;
    if (!book.isTrading) {
      // The market has stopped meanwhile: it is looked at again when trading goes on.
      book.triggers.add(details);
      return;
    }
    if (details.listId !== 0) this.#ending.endPairedLimit(details, events);
    const account = orders.ints[row + ORDER_ACCOUNT];
    const lots = orders.floats[slot * ORDER_FLOATS + ORDER_TOTAL_LOTS];
    const side = marketAndSide & 1;
    this.#ending.stopWaiting(details, account);
    events.rare({
      type: "orderActivated",
      orderId: details.orderId,
      account,
      marketId: book.marketId,
      side: side === BID ? "buy" : "sell",
      cause: "trigger",
      lastTicks: book.lastTicks as Ticks,
      heldAmount: 0 as Amount,
      quantityLots: lots as Lots,
    });

    const order = this.#matching.incoming;
    const fees = orders.ints[row + ORDER_FEES_AND_FLAGS];
    order.takeOpen(slot, details.orderId, account, book, side, fees, details);
    order.priceTicks = details.priceTicks;
    order.timeInForce = details.timeInForce;
    order.quoteAmount = details.quoteAmount;
    order.isByQuote = details.quoteAmount !== 0;
    order.totalLots = lots;
    order.remainingLots = lots;
    order.heldAmount = details.heldAmount;
    order.holdsAtLimit = details.orderType === "limit";
    if (details.orderType === "limit") {
      order.limitTicks = details.priceTicks;
    } else if (side === BID && !order.isByQuote) {
      order.limitTicks = capOf(book, details.triggerTicks);
      order.holdsAtLimit = true;
    } else {
      order.limitTicks = side === BID ? Infinity : 0;
    }
    const refusal = this.#refuse();
    if (refusal === null) {
      this.#matching.match(events);
      this.#matching.restOrEnd(events);
    } else {
      order.remainingHeld = order.heldAmount;
      this.#matching.endIncoming(END_EXPIRED, becauseRefused(refusal), events);
    }
  }

  /** What the book says now to an order that only had to wait. */
  #refuse(): RejectReason | null {
    const order = this.#matching.incoming;
    const { account, book, limitTicks, side } = order;
    if (order.postOnly && book.crosses(side, limitTicks)) return "wouldCross";
    if (order.timeInForce !== "fok") return null;
    const passesOver = order.selfTradePrevention === "expireMaker";
    const canFill = book.canFill(side, limitTicks, order.remainingLots, account, passesOver);
    return canFill ? null : "wouldNotFill";
  }
}

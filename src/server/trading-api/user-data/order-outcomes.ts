/**
 * Collects for each order the later events of the same command that its reports need. They are indexed
 * in one pass over a batch, for all accounts: icebergs at one price take turns, so a search from each
 * trade to its order's next event would cost the number of trades times the number of icebergs.
 */
import type { EventOf, ExchangeEvent } from "#engine/events.ts";

export class OrderOutcomes {
  /** The first `orderWaiting` event of each order. */
  readonly #waiting = new Map<number, EventOf<"orderWaiting">>();
  readonly #lastTrades = new Map<number, EventOf<"traded">>();
  /** The last trades of orders that the same command filled. */
  readonly #filledBy = new Map<number, EventOf<"traded">>();

  /** Must be called with all events of a batch, in order, before the queries below. */
  add(event: ExchangeEvent): void {
    if (event.type === "traded") {
      this.#lastTrades.set(event.takerOrderId, event).set(event.makerOrderId, event);
    } else if (event.type === "orderWaiting") {
      if (!this.#waiting.has(event.orderId)) this.#waiting.set(event.orderId, event);
    } else if (event.type === "orderEnded" && event.status === "filled") {
      const trade = this.#lastTrades.get(event.orderId);
      if (trade?.sequence === event.sequence) this.#filledBy.set(event.orderId, trade);
    }
  }

  /** The event by which a new order waits, if the command that placed the order emitted one. */
  waitingOf({ orderId, sequence }: EventOf<"orderPlaced">): EventOf<"orderWaiting"> | undefined {
    const waiting = this.#waiting.get(orderId);
    return waiting?.sequence === sequence ? waiting : undefined;
  }

  /** Whether the trade was the order's last and filled it. */
  isFilledBy(orderId: number, trade: EventOf<"traded">): boolean {
    return this.#filledBy.get(orderId) === trade;
  }
}

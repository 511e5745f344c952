/**
 * The hidden quantity of icebergs. It is never published by order or by level; but all of it trades
 * in an auction, so the indicative price cannot be computed without it.
 */
import type { Side } from "#engine/commands.ts";
import type { EventOf } from "#engine/events.ts";

interface HiddenOrder {
  readonly orderId: number;
  readonly marketId: number;
  readonly side: Side;
  readonly priceTicks: number;
  readonly hiddenLots: number;
}

export class HiddenLots {
  /** Resting orders with a hidden quantity, by order id. */
  readonly #orders = new Map<number, HiddenOrder>();
  #updateId = 0;

  /** Incremented by every change of hidden quantity in any market. */
  get updateId(): number {
    return this.#updateId;
  }

  /** The hidden quantity at each price of a side. */
  byPrice(marketId: number, side: Side): ReadonlyMap<number, number> {
    const lots = new Map<number, number>();
    for (const order of this.#orders.values()) {
      if (order.marketId !== marketId || order.side !== side) continue;
      lots.set(order.priceTicks, (lots.get(order.priceTicks) ?? 0) + order.hiddenLots);
    }
    return lots;
  }

  fold(
    event: EventOf<"orderRested" | "icebergRefilled" | "orderAmended" | "quantityDecremented">,
  ): void {
    const { marketId, orderId, priceTicks, remainingLots, side, visibleLots } = event;
    const hiddenLots = remainingLots - visibleLots;
    // An order without visible quantity has left the book.
    if (visibleLots > 0 && hiddenLots > 0) {
      this.#orders.set(orderId, { orderId, marketId, side, priceTicks, hiddenLots });
      this.#updateId += 1;
    } else {
      this.#forget(orderId);
    }
  }

  foldEnded({ orderId }: EventOf<"orderEnded">): void {
    this.#forget(orderId);
  }

  state() {
    return [...this.#orders.values()].map((order) => ({ ...order }));
  }

  restore(state: ReturnType<HiddenLots["state"]>): void {
    for (const order of state) this.#orders.set(order.orderId, order);
  }

  #forget(orderId: number): void {
    if (this.#orders.size > 0 && this.#orders.delete(orderId)) this.#updateId += 1;
  }
}

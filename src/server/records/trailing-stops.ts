/**
 * The trailing stops that wait, by market. No event says that one has moved: its trigger price follows from
 * the trades, by the engine's own rule.
 */
import { trailedTicks } from "#engine/book/triggers.ts";
import type { EventOf } from "#engine/events.ts";
import type { OrderState } from "./orders.ts";

interface TrailingStop {
  readonly order: OrderState;
  readonly trailBps: number;
  /** The sequence in which it was reached: what trades later in that command no longer moves it. */
  reachedSequence: number;
}

export class TrailingStops {
  readonly #ofMarkets = new Map<number, Map<number, TrailingStop>>();

  /** Call whenever an order was changed, has ended or was restored. */
  note(order: OrderState): void {
    const { conditions, marketId, orderId, waitsFor } = order;
    const trigger = conditions?.trigger;
    if (trigger?.kind !== "trailingStop") return;
    let stops = this.#ofMarkets.get(marketId);
    if (waitsFor === "trigger") {
      if (stops === undefined) this.#ofMarkets.set(marketId, (stops = new Map()));
      stops.set(orderId, { order, trailBps: trigger.trailBps, reachedSequence: 0 });
    } else if (stops?.delete(orderId) === true && stops.size === 0) {
      this.#ofMarkets.delete(marketId);
    }
  }

  /** @returns the orders whose trigger price the trade has moved */
  follow({ marketId, priceTicks, sequence }: EventOf<"traded">): readonly OrderState[] {
    const stops = this.#ofMarkets.get(marketId);
    if (stops === undefined) return [];
    const moved: OrderState[] = [];
    for (const stop of stops.values()) {
      const { order, trailBps } = stop;
      if (stop.reachedSequence === sequence) continue;
      const isBuy = order.side === "buy";
      const isReached = isBuy ? priceTicks >= order.triggerTicks : priceTicks <= order.triggerTicks;
      if (order.triggerTicks !== 0 && isReached) {
        stop.reachedSequence = sequence;
        continue;
      }
      const ticks = trailedTicks(priceTicks, trailBps, isBuy);
      const isBetter = isBuy ? ticks < order.triggerTicks : ticks > order.triggerTicks;
      if (order.triggerTicks !== 0 && !isBetter) continue;
      order.triggerTicks = ticks;
      moved.push(order);
    }
    return moved;
  }
}

/**
 * The trailing stops that wait, by market. No event reports that one has moved: its trigger price
 * follows from the trades, by the engine's own rule.
 *
 * Invariant: between a market's `lowerTicks` and `upperTicks`, both excluded, a price reaches and
 * moves none of its stops, so that most trades compare two numbers.
 */
import { trailedTicks } from "#engine/book/triggers.ts";
import type { EventOf } from "#engine/events.ts";
import type { OrderState } from "./orders.ts";

interface TrailingStop {
  readonly order: OrderState;
  readonly trailBps: number;
  /** No worse price moves it; before the first trade, its trigger price. */
  bestTicks: number;
  /** The sequence in which it was reached: later trades of that command no longer move it. */
  reachedSequence: number;
}

interface MarketStops {
  readonly ofOrders: Map<number, TrailingStop>;
  upperTicks: number;
  lowerTicks: number;
}

export class TrailingStops {
  readonly #ofMarkets = new Map<number, MarketStops>();

  /** Call whenever an order was changed, has ended or was restored. */
  note(order: OrderState): void {
    const { conditions, marketId, orderId, triggerTicks, waitsFor } = order;
    const trigger = conditions?.trigger;
    if (trigger?.kind !== "trailingStop") return;
    let stops = this.#ofMarkets.get(marketId);
    if (waitsFor === "trigger") {
      stops ??= { ofOrders: new Map(), upperTicks: Infinity, lowerTicks: 0 };
      this.#ofMarkets.set(marketId, stops);
      const { trailBps } = trigger;
      const stop = { order, trailBps, bestTicks: triggerTicks, reachedSequence: 0 };
      stops.ofOrders.set(orderId, stop);
      narrow(stops, stop);
    } else if (stops?.ofOrders.delete(orderId) === true && stops.ofOrders.size === 0) {
      this.#ofMarkets.delete(marketId);
    }
  }

  /** @returns the orders whose trigger price the trade has moved */
  follow({ marketId, priceTicks, sequence }: EventOf<"traded">): readonly OrderState[] {
    const stops = this.#ofMarkets.get(marketId);
    if (stops === undefined) return [];
    if (priceTicks < stops.upperTicks && priceTicks > stops.lowerTicks) return [];
    stops.upperTicks = Infinity;
    stops.lowerTicks = 0;
    const moved: OrderState[] = [];
    for (const stop of stops.ofOrders.values()) {
      if (trail(stop, priceTicks, sequence)) moved.push(stop.order);
      narrow(stops, stop);
    }
    return moved;
  }
}

/** @returns whether the trade has moved the stop's trigger price */
function trail(stop: TrailingStop, priceTicks: number, sequence: number): boolean {
  if (stop.reachedSequence === sequence) return false;
  const { order, trailBps } = stop;
  const isBuy = order.side === "buy";
  const isNew = order.triggerTicks === 0;
  const isReached = isBuy ? priceTicks >= order.triggerTicks : priceTicks <= order.triggerTicks;
  if (!isNew && isReached) {
    stop.reachedSequence = sequence;
    return false;
  }
  const isBest = isBuy ? priceTicks < stop.bestTicks : priceTicks > stop.bestTicks;
  if (isNew || isBest) stop.bestTicks = priceTicks;
  const ticks = trailedTicks(priceTicks, trailBps, isBuy);
  const isBetter = isBuy ? ticks < order.triggerTicks : ticks > order.triggerTicks;
  if (!isNew && !isBetter) return false;
  order.triggerTicks = ticks;
  return true;
}

/** Takes a stop into its market's bounds. */
function narrow(stops: MarketStops, { bestTicks, order }: TrailingStop): void {
  const isBuy = order.side === "buy";
  const upperTicks = isBuy ? order.triggerTicks : bestTicks + 1;
  const lowerTicks = isBuy ? bestTicks - 1 : order.triggerTicks;
  stops.upperTicks = Math.min(stops.upperTicks, upperTicks);
  stops.lowerTicks = Math.max(stops.lowerTicks, lowerTicks);
}

/**
 * The orders of one market that wait for a price. Every trade's price is looked at: a stop to buy
 * and a take-profit to sell activate at or above their trigger price, a stop to sell and a
 * take-profit to buy at or below it, a trailing stop moves its trigger price along first.
 *
 * Invariants: between `lowerTicks` and `upperTicks`, both excluded, a price changes nothing, so that
 * a trade compares two numbers; what one price reaches comes out by ascending order id. Looking at a
 * price costs a step for each order reached and one for each trailing stop of the market, of which
 * there are at most TRAILING_MAX. Never: what an activated order does (activating.ts).
 */
import { AMOUNT_MAX, bpsRoundingUp } from "./amount.ts";
import { assert } from "./assert.ts";
import type { OrderDetails } from "./order-details.ts";

/** Waiting orders of one market. */
const WAITING_MAX = 1 << 16;
const TRAILING_MAX = 1 << 10;

export class Triggers {
  /** The lowest price that reaches or moves something above, Infinity where none does. */
  upperTicks = Infinity;
  /** The highest price that reaches or moves something below, 0 where none does. */
  lowerTicks = 0;

  /** Those that a rising price reaches, the next one last. */
  readonly #above: OrderDetails[] = [];
  /** Those that a falling price reaches, the next one last. */
  readonly #below: OrderDetails[] = [];
  readonly #trailing: OrderDetails[] = [];

  isReachedBy(priceTicks: number): boolean {
    return priceTicks >= this.upperTicks || priceTicks <= this.lowerTicks;
  }

  hasRoomFor(count: number, trailingCount: number): boolean {
    const waiting = this.#above.length + this.#below.length + this.#trailing.length;
    return waiting + count <= WAITING_MAX && this.#trailing.length + trailingCount <= TRAILING_MAX;
  }

  /** The order waits from now on; its trigger price is set and not reached. */
  add(details: OrderDetails): void {
    details.isReached = false;
    if (details.trigger === "trailingStop") {
      this.#trailing.push(details);
    } else {
      const queue = details.activatesAbove ? this.#above : this.#below;
      queue.splice(placeIn(queue, details), 0, details);
    }
    this.#look();
  }

  /** The order ends or leaves while it waits; one that was reached has left before. */
  remove(details: OrderDetails): void {
    if (details.isReached) return;
    if (details.trigger === "trailingStop") {
      this.#trailing.splice(this.#trailing.indexOf(details), 1);
    } else {
      const queue = details.activatesAbove ? this.#above : this.#below;
      const place = placeIn(queue, details);
      assert(queue[place] === details, "a waiting order stands in its place");
      queue.splice(place, 1);
    }
    this.#look();
  }

  /** Looks at the price of a trade and appends the ids of the orders that it reaches. */
  see(priceTicks: number, reachedIds: number[]): void {
    const reached: OrderDetails[] = [];
    takeReached(this.#above, reached, (triggerTicks) => triggerTicks <= priceTicks);
    takeReached(this.#below, reached, (triggerTicks) => triggerTicks >= priceTicks);
    for (let index = this.#trailing.length - 1; index >= 0; index--) {
      const details = this.#trailing[index];
      follow(details, priceTicks);
      if (!isReached(details, priceTicks)) continue;
      this.#trailing.splice(index, 1);
      reached.push(details);
    }
    reached.sort((a, b) => a.orderId - b.orderId);
    for (const details of reached) {
      details.isReached = true;
      reachedIds.push(details.orderId);
    }
    this.#look();
  }

  #look(): void {
    this.upperTicks = this.#above.at(-1)?.triggerTicks ?? Infinity;
    this.lowerTicks = this.#below.at(-1)?.triggerTicks ?? 0;
    for (const details of this.#trailing) {
      const { activatesAbove, bestTicks, triggerTicks } = details;
      const upper = activatesAbove ? triggerTicks : bestTicks + 1;
      const lower = activatesAbove ? bestTicks - 1 : triggerTicks;
      this.upperTicks = Math.min(this.upperTicks, upper);
      this.lowerTicks = Math.max(this.lowerTicks, lower);
    }
  }
}

/** Whether a price, as the last one, activates the order. */
export function isReached(details: OrderDetails, priceTicks: number): boolean {
  return details.activatesAbove
    ? priceTicks >= details.triggerTicks
    : priceTicks <= details.triggerTicks;
}

/** Moves a trailing stop's trigger price along with a better price; never away from the market. */
export function follow(details: OrderDetails, priceTicks: number): void {
  const { activatesAbove, bestTicks, trailBps } = details;
  const isBetter = activatesAbove ? priceTicks < bestTicks : priceTicks > bestTicks;
  if (bestTicks !== 0 && !isBetter) return;
  details.bestTicks = priceTicks;
  details.triggerTicks = trailedTicks(priceTicks, trailBps, activatesAbove);
}

/** A price at a distance in basis points above or below another; the distance is rounded up. */
export function trailedTicks(priceTicks: number, bps: number, isAbove: boolean): number {
  const distance = bpsRoundingUp(priceTicks, bps);
  return isAbove ? Math.min(AMOUNT_MAX, priceTicks + distance) : priceTicks - distance;
}

function takeReached(
  queue: OrderDetails[],
  reached: OrderDetails[],
  isReachedAt: (triggerTicks: number) => boolean,
): void {
  let next = queue.at(-1);
  while (next !== undefined && isReachedAt(next.triggerTicks)) {
    reached.push(next);
    queue.pop();
    next = queue.at(-1);
  }
}

/** Where the order stands or belongs in its queue; one that is reached sooner stands later. */
function placeIn(queue: readonly OrderDetails[], details: OrderDetails): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReachedSooner(details, queue[middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isReachedSooner(a: OrderDetails, b: OrderDetails): boolean {
  if (a.triggerTicks === b.triggerTicks) return a.orderId < b.orderId;
  return a.activatesAbove ? a.triggerTicks < b.triggerTicks : a.triggerTicks > b.triggerTicks;
}

/**
 * The orders of one market that wait for a price. Every trade's price is checked: a stop buy and a
 * take-profit sell activate at or above their trigger price, a stop sell and a take-profit buy at
 * or below it; a trailing stop first moves its trigger price along.
 *
 * Invariants: between `lowerTicks` and `upperTicks`, both excluded, a price changes nothing, so
 * that a trade compares two numbers; the orders that one price reaches are returned by ascending
 * order id, unless they exceed the number that one command may activate: then in the order in which
 * they were reached, at the cost of a step for each page, not for each order. A trailing stop costs
 * a step at each price that moves one, and a market has at most TRAILING_MAX; pending orders are
 * counted before they wait here. What an activated order does is in activating.ts.
 */
import type { Activations } from "../orders/activations.ts";
import { AMOUNT_MAX, bpsRoundingUp } from "../amount.ts";
import { assert } from "../assert.ts";
import type { OrderDetails } from "../orders/order-details.ts";
import { SortedPages } from "./sorted-pages.ts";

/** Maximum number of orders that may wait for a price in one market. */
const WAITING_MAX = 1 << 16;
const TRAILING_MAX = 1 << 10;

export class Triggers {
  /**
   * The lowest price above the last one that activates an order or moves a trailing stop; Infinity
   * if none.
   */
  upperTicks = Infinity;
  /**
   * The highest price below the last one that activates an order or moves a trailing stop; 0 if
   * none.
   */
  lowerTicks = 0;

  /** The orders that a rising price reaches, the next one last. */
  readonly #above = new SortedPages<OrderDetails>(isReachedLater);
  /** The orders that a falling price reaches, the next one last. */
  readonly #below = new SortedPages<OrderDetails>(isReachedLater);
  readonly #trailing: OrderDetails[] = [];
  /** Pending orders that will wait for a price once their working orders have filled. */
  #expected = 0;
  #expectedTrailing = 0;
  /** Whether orders were ever released by whole pages: an order missing here may be among them. */
  #hasReleasedPages = false;

  isReachedBy(priceTicks: number): boolean {
    return priceTicks >= this.upperTicks || priceTicks <= this.lowerTicks;
  }

  /** How many pending orders will wait for a price here. */
  get expected(): number {
    return this.#expected;
  }

  /** @param countsExpected whether those that are expected have their places already */
  hasRoomFor(count: number, trailingCount: number, countsExpected = false): boolean {
    const waiting = this.#above.length + this.#below.length + this.#trailing.length;
    const expected = countsExpected ? this.#expected : 0;
    const trailing = this.#trailing.length + (countsExpected ? this.#expectedTrailing : 0);
    return waiting + expected + count <= WAITING_MAX && trailing + trailingCount <= TRAILING_MAX;
  }

  /** A pending order begins to wait for its working order; one without a trigger price does not count. */
  expect(details: OrderDetails): void {
    this.#countExpected(details, 1);
  }

  /** A pending order ends, or its working order has filled. */
  expectNoLonger(details: OrderDetails): void {
    this.#countExpected(details, -1);
  }

  /** Makes an order wait for its trigger price, which is set and not reached. */
  add(details: OrderDetails): void {
    details.isReached = false;
    if (details.isTrailing) {
      this.#trailing.push(details);
    } else {
      this.#queueOf(details).add(details);
    }
    this.#updateBounds();
  }

  /** Whether the order still waits for its price; false from when a trade reached it. */
  has(details: OrderDetails): boolean {
    if (details.isReached) return false;
    return details.isTrailing
      ? this.#trailing.includes(details)
      : this.#queueOf(details).has(details);
  }

  /**
   * Removes an order that ends or no longer waits. An order that was reached has been removed
   * already.
   */
  remove(details: OrderDetails): void {
    if (details.isReached) return;
    if (details.isTrailing) {
      const place = this.#trailing.indexOf(details);
      assert(place >= 0, "a trailing stop that waits stands among the others");
      this.#trailing.splice(place, 1);
    } else if (!this.#queueOf(details).remove(details)) {
      assert(this.#hasReleasedPages, "an order that no price has reached stands among the others");
      return;
    }
    this.#updateBounds();
  }

  /**
   * Checks the price of a trade and releases the orders that it reaches: by order id if they and
   * those released before are at most `ordersMax`.
   */
  onPrice(priceTicks: number, activations: Activations, ordersMax: number): void {
    const above = this.#above.takeLast(({ triggerTicks }) => triggerTicks <= priceTicks);
    const below = this.#below.takeLast(({ triggerTicks }) => triggerTicks >= priceTicks);
    const reached: OrderDetails[] = [];
    for (let index = this.#trailing.length - 1; index >= 0; index--) {
      const details = this.#trailing[index];
      follow(details, priceTicks);
      if (!isReached(details, priceTicks)) continue;
      this.#trailing.splice(index, 1);
      reached.push(details);
    }
    const count = activations.length + above.length + below.length + reached.length;
    if (count > ordersMax) {
      activations.pushPages(above);
      activations.pushPages(below);
      this.#hasReleasedPages = true;
    } else {
      reached.push(...above.fromLast(), ...below.fromLast());
    }
    const ids = new Float64Array(reached.length);
    for (const [index, details] of reached.entries()) {
      details.isReached = true;
      ids[index] = details.orderId;
    }
    for (const orderId of ids.sort()) activations.push(orderId);
    this.#updateBounds();
  }

  #countExpected({ isTrailing, terms }: OrderDetails, change: 1 | -1): void {
    if (terms.conditions.trigger === undefined) return;
    this.#expected += change;
    if (isTrailing) this.#expectedTrailing += change;
    assert(this.#expected >= 0 && this.#expectedTrailing >= 0, "what ends was expected");
  }

  #queueOf({ activatesAbove }: OrderDetails): SortedPages<OrderDetails> {
    return activatesAbove ? this.#above : this.#below;
  }

  #updateBounds(): void {
    this.upperTicks = this.#above.last()?.triggerTicks ?? Infinity;
    this.lowerTicks = this.#below.last()?.triggerTicks ?? 0;
    for (const details of this.#trailing) {
      const { activatesAbove, bestTicks, triggerTicks } = details;
      const upper = activatesAbove ? triggerTicks : bestTicks + 1;
      const lower = activatesAbove ? bestTicks - 1 : triggerTicks;
      this.upperTicks = Math.min(this.upperTicks, upper);
      this.lowerTicks = Math.max(this.lowerTicks, lower);
    }
  }
}

/** Whether the order is activated if this is the last price. */
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

/** The price at a distance in basis points, rounded up, above or below another price. */
export function trailedTicks(priceTicks: number, bps: number, isAbove: boolean): number {
  const distance = bpsRoundingUp(priceTicks, bps);
  return isAbove ? Math.min(AMOUNT_MAX, priceTicks + distance) : priceTicks - distance;
}

/** Whether `a` is reached later than `b`: the order reached next is last in its queue. */
function isReachedLater(a: OrderDetails, b: OrderDetails): boolean {
  if (a.triggerTicks === b.triggerTicks) return a.orderId > b.orderId;
  return a.activatesAbove ? a.triggerTicks > b.triggerTicks : a.triggerTicks < b.triggerTicks;
}

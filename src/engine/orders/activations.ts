/**
 * The queue of released orders, first in, first out: orders whose trigger a trade has reached, and the
 * first pending order of each list whose working order has filled. Between two commands it keeps the
 * orders that exceed the limit of one command (work-limit.ts).
 *
 * Invariants: `length` also counts orders that have ended in the meantime, until their turn; orders that
 * one price reaches in large numbers arrive as whole pages of their market, at no cost per order.
 * Never: what an activated order does (activating.ts).
 */
import { assert } from "../assert.ts";
import type { OrderDetails } from "./order-details.ts";
import type { SortedPages } from "../book/sorted-pages.ts";

/** Single order ids. */
interface Ids {
  readonly ids: number[];
  /** The index of the next id. */
  next: number;
}

export class Activations {
  length = 0;
  /** The parts of the queue in order of activation; none is used up. */
  readonly #parts: (Ids | SortedPages<OrderDetails>)[] = [];

  push(orderId: number): void {
    this.length++;
    const last = this.#parts.at(-1);
    if (last !== undefined && "ids" in last) last.ids.push(orderId);
    else this.#parts.push({ ids: [orderId], next: 0 });
  }

  /** Takes ownership of pages, in which the last order is activated first. */
  pushPages(pages: SortedPages<OrderDetails>): void {
    if (pages.length === 0) return;
    this.length += pages.length;
    this.#parts.push(pages);
  }

  /** Removes and returns the next id. There must be one. */
  take(): number {
    const part = this.#parts[0];
    assert(part !== undefined, "an order was set free");
    this.length--;
    if ("ids" in part) {
      const orderId = part.ids[part.next++];
      if (part.next === part.ids.length) this.#parts.shift();
      return orderId;
    }
    const { orderId } = part.last() as OrderDetails;
    part.pop();
    if (part.length === 0) this.#parts.shift();
    return orderId;
  }

  /** All ids in order of activation. */
  *[Symbol.iterator](): Generator<number> {
    for (const part of this.#parts) {
      if ("ids" in part) yield* part.ids.slice(part.next);
      else for (const { orderId } of part.fromLast()) yield orderId;
    }
  }
}

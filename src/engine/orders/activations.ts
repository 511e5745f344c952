/**
 * The orders that were set free, first in, first out: those whose trigger a trade has reached, and the
 * first pending ones of working orders that have filled. Between two commands it has what is more
 * than one command may take up (work-limit.ts).
 *
 * Invariants: `length` counts those that have ended meanwhile too, until their turn; what a price
 * reaches in great number comes in as it stands in the pages of its market, at no cost per order.
 * Never: what an activated order does (activating.ts).
 */
import { assert } from "../assert.ts";
import type { OrderDetails } from "./order-details.ts";
import type { SortedPages } from "../book/sorted-pages.ts";

/** Ids one by one. */
interface Ids {
  readonly ids: number[];
  /** Which of them is next. */
  next: number;
}

export class Activations {
  length = 0;
  /** In the order of their turns; none is used up. */
  readonly #parts: (Ids | SortedPages<OrderDetails>)[] = [];

  push(orderId: number): void {
    this.length++;
    const last = this.#parts.at(-1);
    if (last !== undefined && "ids" in last) last.ids.push(orderId);
    else this.#parts.push({ ids: [orderId], next: 0 });
  }

  /** Of the pages, which are given away, the last order is the next one. */
  pushPages(pages: SortedPages<OrderDetails>): void {
    if (pages.length === 0) return;
    this.length += pages.length;
    this.#parts.push(pages);
  }

  /** Takes the next one out and returns its id. There is one. */
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

  /** The ids of all, in the order of their turns. */
  *[Symbol.iterator](): Generator<number> {
    for (const part of this.#parts) {
      if ("ids" in part) yield* part.ids.slice(part.next);
      else for (const { orderId } of part.fromLast()) yield orderId;
    }
  }
}

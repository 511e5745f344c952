/**
 * Items in order, consumed from the end, in pages of a bounded length: adding or removing one moves
 * the items of one page and, occasionally, the list of pages. With a hundred thousand items that is
 * some hundred numbers where one array would move them all.
 *
 * Invariants: no page is empty; `isBefore` is a strict total order.
 */
import { assert } from "../assert.ts";

const PAGE_ITEMS_MAX = 256;

export class SortedPages<T> {
  length = 0;
  readonly #pages: T[][] = [];
  readonly #isBefore: (left: T, right: T) => boolean;

  constructor(isBefore: (left: T, right: T) => boolean) {
    this.#isBefore = isBefore;
  }

  last(): T | undefined {
    return this.#pages.at(-1)?.at(-1);
  }

  add(item: T): void {
    this.length++;
    const at = Math.min(this.#pageOf(item), this.#pages.length - 1);
    if (at < 0) {
      this.#pages.push([item]);
      return;
    }
    const page = this.#pages[at];
    page.splice(this.#placeIn(page, item), 0, item);
    if (page.length <= PAGE_ITEMS_MAX) return;
    this.#pages.splice(at + 1, 0, page.splice(PAGE_ITEMS_MAX >> 1));
  }

  has(item: T): boolean {
    const page = this.#pages[this.#pageOf(item)];
    return page !== undefined && page[this.#placeIn(page, item)] === item;
  }

  /** Removes an item; returns whether it was there. */
  remove(item: T): boolean {
    const at = this.#pageOf(item);
    const page = this.#pages[at];
    const place = page === undefined ? -1 : this.#placeIn(page, item);
    if (place < 0 || page[place] !== item) return false;
    page.splice(place, 1);
    if (page.length === 0) this.#pages.splice(at, 1);
    this.length--;
    return true;
  }

  pop(): void {
    const page = this.#pages.at(-1);
    assert(page !== undefined, "there is a last item");
    page.pop();
    if (page.length === 0) this.#pages.pop();
    this.length--;
  }

  /**
   * Removes the items from the first for which `isTaken` is true to the end, and returns them in
   * order. `isTaken` must be monotone: true for every item after one for which it is true. The
   * cost grows with pages, not with items.
   */
  takeLast(isTaken: (item: T) => boolean): SortedPages<T> {
    const taken = new SortedPages<T>(this.#isBefore);
    const isPageTaken = (page: readonly T[]) => isTaken(page.at(-1) as T);
    const first = firstOf(this.#pages, isPageTaken);
    if (first === this.#pages.length) return taken;
    const [split, ...whole] = this.#pages.splice(first);
    const behind = split.splice(firstOf(split, isTaken));
    if (split.length > 0) this.#pages.push(split);
    taken.#pages.push(behind, ...whole);
    for (const page of taken.#pages) taken.length += page.length;
    this.length -= taken.length;
    return taken;
  }

  *fromLast(): Generator<T> {
    for (const page of this.#pages.toReversed()) yield* page.toReversed();
  }

  /**
   * The index of the first page whose last item is not before this one; the number of pages if
   * none.
   */
  #pageOf(item: T): number {
    return firstOf(this.#pages, (page) => !this.#isBefore(page.at(-1) as T, item));
  }

  #placeIn(page: readonly T[], item: T): number {
    return firstOf(page, (other) => !this.#isBefore(other, item));
  }
}

/** The index of the first item for which the monotone `holds` is true; the length if none. */
function firstOf<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Alerts sorted by the value at which a growing number reaches them, so that taking the reached alerts
 * costs nothing for all others.
 */
import type { PriceAlert } from "../records/price-alerts.ts";

export class SortedAlerts {
  readonly #keyOf: (alert: PriceAlert) => number;
  /** The alert to be reached next is the last. */
  readonly #alerts: PriceAlert[] = [];

  /** @param keyOf must not change for an alert while it is in this collection */
  constructor(keyOf: (alert: PriceAlert) => number) {
    this.#keyOf = keyOf;
  }

  get isEmpty(): boolean {
    return this.#alerts.length === 0;
  }

  add(alert: PriceAlert): void {
    this.#alerts.splice(this.#indexOf(alert), 0, alert);
  }

  remove(alert: PriceAlert): void {
    const index = this.#indexOf(alert);
    if (this.#alerts[index] === alert) this.#alerts.splice(index, 1);
  }

  /** Removes and returns the alerts whose key is at most `limit`, lowest first. */
  takeUntil(limit: number): PriceAlert[] {
    const taken: PriceAlert[] = [];
    for (;;) {
      const next = this.#alerts.at(-1);
      if (next === undefined || this.#keyOf(next) > limit) return taken;
      this.#alerts.pop();
      taken.push(next);
    }
  }

  /** The alert's index, or the index at which to insert it. */
  #indexOf(alert: PriceAlert): number {
    let low = 0;
    let high = this.#alerts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(this.#alerts[middle], alert)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isBefore(left: PriceAlert, right: PriceAlert): boolean {
    const [a, b] = [this.#keyOf(left), this.#keyOf(right)];
    return a === b ? left.id > right.id : a > b;
  }
}

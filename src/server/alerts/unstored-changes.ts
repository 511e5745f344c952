/** Changes of alerts and firings in memory that are not in the database yet. */
import type { Firing, PriceAlert } from "../records/price-alerts.ts";

/** The changes of one write. */
export interface ChangesToStore {
  /** Changed and new alerts: copies, because trades may change the alerts while they are written. */
  readonly alerts: readonly PriceAlert[];
  /** Ids of those among them that are not known to be stored. */
  readonly created: ReadonlySet<string>;
  /** Ids of deleted alerts. */
  readonly gone: readonly string[];
  readonly firings: readonly Firing[];
}

export class UnstoredChanges {
  #changed = new Set<PriceAlert>();
  #created = new Set<string>();
  #removed = new Set<string>();
  #firings: Firing[] = [];

  get hasAny(): boolean {
    return this.#changed.size + this.#removed.size + this.#firings.length > 0;
  }

  get hasFirings(): boolean {
    return this.#firings.length > 0;
  }

  change(alert: PriceAlert): void {
    this.#changed.add(alert);
  }

  create(alert: PriceAlert): void {
    this.#changed.add(alert);
    this.#created.add(alert.id);
  }

  remove(alert: PriceAlert): void {
    this.#changed.delete(alert);
    this.#created.delete(alert.id);
    this.#removed.add(alert.id);
  }

  /** Undoes `change` and `remove`. */
  undo(alert: PriceAlert): void {
    this.#changed.delete(alert);
    this.#removed.delete(alert.id);
  }

  fire(firing: Firing): void {
    this.#firings.push(firing);
  }

  /** Drops the changes to an alert that may not be stored. */
  discard(alert: PriceAlert): void {
    this.#changed.delete(alert);
    this.#firings = this.#firings.filter(({ alertId }) => alertId !== alert.id);
  }

  /** All changes, which count as stored from now on. */
  take(): ChangesToStore {
    const taken: ChangesToStore = {
      alerts: [...this.#changed].map((alert) => ({ ...alert })),
      created: this.#created,
      gone: [...this.#removed],
      firings: this.#firings,
    };
    this.#changed = new Set();
    this.#created = new Set();
    this.#removed = new Set();
    this.#firings = [];
    return taken;
  }

  /**
   * Undoes changes that could not be stored.
   * @param find the alert in memory; undefined if it has been removed since
   */
  putBack(taken: ChangesToStore, find: (id: string) => PriceAlert | undefined): void {
    for (const { id } of taken.alerts) {
      const alert = find(id);
      if (alert === undefined) continue;
      this.#changed.add(alert);
      if (taken.created.has(id)) this.#created.add(id);
    }
    for (const id of taken.gone) this.#removed.add(id);
    this.#firings.unshift(...taken.firings);
  }
}

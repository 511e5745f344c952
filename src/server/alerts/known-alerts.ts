/** The alerts in memory, by id, by user and, if active, by the market that they wait for. */
import { isDeepStrictEqual } from "node:util";
import type { PriceAlert } from "../records/price-alerts.ts";
import { MarketAlerts } from "./market-alerts.ts";
import type { Prices } from "./prices.ts";

export class KnownAlerts {
  readonly #prices: Prices;
  readonly #alerts = new Map<string, PriceAlert>();
  readonly #ofUser = new Map<string, Set<PriceAlert>>();
  /** By market id; only markets that have or had alerts. */
  readonly #markets = new Map<number, MarketAlerts>();

  constructor(prices: Prices) {
    this.#prices = prices;
  }

  get(id: string): PriceAlert | undefined {
    return this.#alerts.get(id);
  }

  values(): Iterable<PriceAlert> {
    return this.#alerts.values();
  }

  get hasActive(): boolean {
    for (const { status } of this.#alerts.values()) if (status === "active") return true;
    return false;
  }

  /** Whether any market has or had alerts. */
  get hasMarkets(): boolean {
    return this.#markets.size > 0;
  }

  /** Newest first. */
  of(userId: string): PriceAlert[] {
    const alerts = [...(this.#ofUser.get(userId) ?? [])];
    return alerts.toSorted((left, right) => right.createdAtMs - left.createdAtMs);
  }

  add(alert: PriceAlert): void {
    this.#alerts.set(alert.id, alert);
    const { userId } = alert;
    const alerts = this.#ofUser.get(userId) ?? new Set();
    this.#ofUser.set(userId, alerts.add(alert));
    if (alert.status === "active") this.marketOf(alert).add(alert);
  }

  remove(alert: PriceAlert): void {
    this.market(alert.marketId)?.remove(alert);
    this.#alerts.delete(alert.id);
    const alerts = this.#ofUser.get(alert.userId);
    alerts?.delete(alert);
    if (alerts?.size === 0) this.#ofUser.delete(alert.userId);
  }

  /**
   * Applies alerts as another node has stored them.
   * @param isEvaluating whether this node evaluates them: if so, others change only their status
   * @returns the users whose alerts have changed
   */
  takeUp(stored: readonly PriceAlert[], isEvaluating: boolean): Set<string> {
    const users = new Set<string>();
    for (const alert of stored) {
      const known = this.get(alert.id);
      if (known?.status === alert.status && (isEvaluating || isDeepStrictEqual(known, alert))) {
        continue;
      }
      if (known !== undefined) this.remove(known);
      this.add(alert);
      users.add(alert.userId);
    }
    return users;
  }

  /** Undefined if no alert has waited for the market. */
  market(marketId: number): MarketAlerts | undefined {
    return this.#markets.get(marketId);
  }

  /** The alerts of the alert's market, to which it may be added. */
  marketOf({ marketId }: PriceAlert): MarketAlerts {
    const known = this.#markets.get(marketId);
    if (known !== undefined) return known;
    const market = new MarketAlerts({
      read: (before, limit) => this.#prices.minutes(marketId, before, limit),
      closeBefore: (timeMs) => this.#prices.closeBefore(marketId, timeMs),
    });
    this.#markets.set(marketId, market);
    return market;
  }
}

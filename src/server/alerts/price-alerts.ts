/**
 * Users' price alerts, evaluated on the exchange's trades whether or not the user is connected.
 *
 * Each alert fires exactly once per crossing, even across a crash: the states of alerts, their firings
 * and the sequence of the last evaluated command are stored in one transaction. A start continues
 * after that command with the trades that the journal replays. If several nodes share the database,
 * one of them evaluates; the others show the alerts that it stores, and it loads those that they
 * store.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventOf, ExchangeEvent } from "#engine/events.ts";
import type { Database } from "../database/open-database.ts";
import { RepeatedLog } from "../limits/repeated-log.ts";
import type { Log } from "../log.ts";
import { PerUser } from "../personal/per-user.ts";
import { createAlertStore, FIRINGS_KEPT, type AlertStore } from "./alert-store.ts";
import { KnownAlerts } from "./known-alerts.ts";
import { armAlert } from "./market-alerts.ts";
import { type NewAlert, newAlert, TooManyAlertsError } from "./new-alert.ts";
import type { Firing, PriceAlert } from "../records/price-alerts.ts";
import type { Prices } from "./prices.ts";
import { UnstoredChanges } from "./unstored-changes.ts";

/** Interval at which the position is stored if nothing else is; a start evaluates later trades again. */
const PROGRESS_MS = 5_000;
const RETRY_MS = 1_000;

interface PriceAlertsOptions {
  readonly database: Database;
  readonly log: Log;
  readonly prices: Prices;
  /** Called when the user's alerts or firings have changed. */
  readonly onChange: (userId: string) => void;
  /** Called when alerts have fired and their firings have been stored. */
  readonly onFired: (firings: readonly Firing[]) => void;
  /**
   * Whether no other nodes share the database; if some do, this one evaluates only after `setEvaluating`.
   */
  readonly isAlone: boolean;
  /** Per user. */
  readonly alertsMax: number;
}

/** How often a node looks for changes that the others have stored. */
const REFRESH_MS = 2_000;
/** The number of alerts that are processed in one turn of the event loop. */
const ALERTS_PER_TURN = 5_000;

export class PriceAlerts {
  readonly #options: PriceAlertsOptions;
  readonly #store: AlertStore;
  readonly #repeatedLog: RepeatedLog;
  readonly #firings: PerUser<readonly Firing[]>;
  readonly #known: KnownAlerts;
  /** Sequence of the last command that an earlier process evaluated. */
  readonly #evaluatedBefore: number;
  /** Sequence of the last evaluated command. */
  #sequence: number;
  #storedSequence: number;
  readonly #unstored = new UnstoredChanges();
  /** Ids of new alerts that the database has refused, because other nodes have stored enough. */
  readonly #refused = new Set<string>();
  #storing: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  readonly #progress: NodeJS.Timeout;
  readonly #refreshing: NodeJS.Timeout | undefined;
  #isEvaluating: boolean;
  #isRefreshing = false;
  /** Whether the result of a refresh under way may be out of date. */
  #isToRefresh = false;
  /** Counts changes in memory, so that rows that were read before one are not mistaken for newer state. */
  #version = 0;

  /** @throws Error if the alerts cannot be loaded */
  static async open(options: PriceAlertsOptions): Promise<PriceAlerts> {
    const store = createAlertStore(options.database);
    const sequence = await store.sequence();
    const alerts: PriceAlert[] = [];
    for await (const page of store.pages()) alerts.push(...page);
    return new PriceAlerts(options, store, alerts, sequence);
  }

  private constructor(
    options: PriceAlertsOptions,
    store: AlertStore,
    alerts: readonly PriceAlert[],
    sequence: number,
  ) {
    this.#options = options;
    this.#store = store;
    this.#known = new KnownAlerts(options.prices);
    this.#evaluatedBefore = sequence;
    this.#sequence = sequence;
    this.#storedSequence = sequence;
    this.#repeatedLog = new RepeatedLog(options.log, Date.now);
    this.#firings = new PerUser({
      log: options.log,
      load: (userId) => store.firingsOf(userId),
      onChange: options.onChange,
    });
    for (const alert of alerts) this.#known.add(alert);
    this.#isEvaluating = options.isAlone;
    this.#refreshing = this.#isEvaluating
      ? undefined
      : setInterval(() => void this.#refresh(), REFRESH_MS).unref();
    this.#progress = setInterval(() => {
      if (this.#isEvaluating && this.#known.hasActive && this.#sequence > this.#storedSequence)
        this.#storeSoon();
    }, PROGRESS_MS).unref();
  }

  /**
   * The highest sequence of a snapshot that may be loaded: a later snapshot would hide trades that
   * alerts are waiting for.
   */
  get usableSequence(): number {
    return this.#known.hasActive || this.#unstored.hasAny
      ? this.#storedSequence
      : Number.POSITIVE_INFINITY;
  }

  /** Evaluates the next events; the read models must have folded them already. */
  fold(events: readonly ExchangeEvent[]): void {
    const last = events.at(-1);
    if (last === undefined) return;
    if (this.#known.hasMarkets) {
      for (const event of events) if (event.type === "traded") this.#foldTraded(event);
    }
    this.#sequence = Math.max(this.#sequence, last.sequence);
    if (this.#unstored.hasFirings) this.#storeSoon();
  }

  /** Sets whether this node of several evaluates the alerts, from the next trade on. */
  setEvaluating(isEvaluating: boolean): void {
    this.#isEvaluating = isEvaluating;
    this.#isToRefresh = true;
    void this.#refresh();
  }

  /** Newest first. */
  of(userId: string): PriceAlert[] {
    return this.#known.of(userId);
  }

  /** The user's firings, newest first; undefined while they are being loaded. */
  firingsOf(userId: string): readonly Firing[] | undefined {
    return this.#firings.read(userId);
  }

  loadFirings(userId: string): Promise<readonly Firing[]> {
    return this.#firings.load(userId);
  }

  /**
   * Creates an active alert; resolves when it has been stored. The price of an alert on a price
   * must differ from the market's.
   * @throws TooManyAlertsError, in which case nothing changes
   */
  async create(wanted: NewAlert): Promise<PriceAlert> {
    const { alertsMax, prices } = this.#options;
    if (this.of(wanted.userId).length >= alertsMax) throw new TooManyAlertsError();
    const alert = newAlert(wanted, prices.nowMs());
    if (!armAlert(alert, prices.lastTicks(wanted.marketId))) {
      throw new RangeError("an alert cannot wait for the price that there is");
    }
    this.#known.add(alert);
    this.#unstored.create(alert);
    await this.#storedOr(() => this.#drop(alert));
    if (this.#refused.delete(alert.id)) throw new TooManyAlertsError();
    this.#options.onChange(alert.userId);
    return alert;
  }

  /**
   * Pauses an alert or makes it active again, even if it has fired. Undefined if the user has no
   * such alert.
   */
  async setPaused(userId: string, id: string, isPaused: boolean): Promise<PriceAlert | undefined> {
    const alert = this.#own(userId, id);
    if (alert === undefined) return undefined;
    const status = isPaused ? "paused" : "active";
    if (alert.status === status) return alert;
    const before = { ...alert };
    this.#known.market(alert.marketId)?.remove(alert);
    alert.status = status;
    if (!isPaused) {
      const { prices } = this.#options;
      if (!armAlert(alert, prices.lastTicks(alert.marketId))) alert.quietUntilMs = prices.nowMs();
      this.#known.marketOf(alert).add(alert);
    }
    this.#unstored.change(alert);
    await this.#storedOr(() => {
      // It may have fired in the meantime.
      if (alert.status !== status) return;
      this.#known.remove(alert);
      this.#restore(Object.assign(alert, before));
    });
    this.#options.onChange(userId);
    return alert;
  }

  /** Returns false if the user has no such alert. */
  async remove(userId: string, id: string): Promise<boolean> {
    const alert = this.#own(userId, id);
    if (alert === undefined) return false;
    this.#drop(alert);
    await this.#storedOr(() => this.#restore(alert));
    this.#options.onChange(userId);
    return true;
  }

  /** Deletes all alerts and firings of a deleted user. */
  async forget(userId: string): Promise<void> {
    for (const alert of this.of(userId)) this.#drop(alert);
    await this.#stored();
    await this.#store.forget(userId);
    this.#firings.forget(userId);
  }

  /** Stores pending changes, unless the database fails. */
  async close(): Promise<void> {
    clearInterval(this.#progress);
    clearInterval(this.#refreshing);
    if ((this.#isEvaluating && this.#known.hasActive) || this.#unstored.hasAny) {
      await this.#stored(true).catch((error: unknown) => {
        this.#options.log.warn({ error: String(error) }, "price alerts are not stored");
      });
    }
    clearTimeout(this.#retry);
  }

  #foldTraded({ marketId, priceTicks, sequence, timestampMs }: EventOf<"traded">): void {
    const market = this.#known.market(marketId);
    if (market === undefined) return;
    if (sequence <= this.#evaluatedBefore || !this.#isEvaluating) {
      market.skip(priceTicks);
      return;
    }
    const reached = market.onTrade(priceTicks, timestampMs, (alert) =>
      this.#unstored.change(alert),
    );
    for (const { alert, direction, fromTicks } of reached) {
      this.#unstored.change(alert);
      const { id: alertId, userId, priceTicks: targetTicks, windowMinutes } = alert;
      this.#unstored.fire({
        id: `${alertId}.${sequence}`,
        userId,
        alertId,
        atMs: timestampMs,
        marketId,
        priceTicks,
        fromTicks,
        targetTicks,
        windowMinutes,
        direction,
      });
    }
  }

  /** Loads the alerts that other nodes have stored, page by page: there may be very many alerts. */
  async #refresh(): Promise<void> {
    if (this.#isRefreshing || this.#unstored.hasAny || this.#storing !== undefined) return;
    this.#isRefreshing = true;
    this.#isToRefresh = false;
    const version = this.#version;
    const isStale = () => this.#version !== version || this.#unstored.hasAny;
    try {
      const sequence = await this.#store.sequence();
      const ids = new Set<string>();
      for await (const page of this.#store.pages()) {
        // The rows that were read may be older than the state in memory.
        if (isStale()) return;
        this.#refreshed(this.#known.takeUp(page, this.#isEvaluating));
        for (const { id } of page) ids.add(id);
      }
      await this.#forgetAllBut(ids, isStale);
      if (!this.#isEvaluating && !isStale()) this.#storedSequence = sequence;
    } catch (error) {
      this.#repeatedLog.warn({ error: String(error) }, "price alerts wait for the database");
    } finally {
      this.#isRefreshing = false;
      if (this.#isToRefresh) void this.#refresh();
    }
  }

  async #forgetAllBut(ids: ReadonlySet<string>, isStale: () => boolean): Promise<void> {
    let seen = 0;
    for (const alert of this.#known.values()) {
      if (++seen % ALERTS_PER_TURN === 0) await nextTurn();
      if (isStale()) return;
      if (ids.has(alert.id)) continue;
      this.#known.remove(alert);
      this.#refreshed([alert.userId]);
    }
  }

  #refreshed(userIds: Iterable<string>): void {
    for (const userId of userIds) {
      void this.#firings.refresh(userId);
      this.#options.onChange(userId);
    }
  }

  #own(userId: string, id: string): PriceAlert | undefined {
    const alert = this.#known.get(id);
    return alert?.userId === userId ? alert : undefined;
  }

  #drop(alert: PriceAlert): void {
    this.#known.remove(alert);
    this.#unstored.remove(alert);
  }

  /** Undoes a change of the alert that was not stored. */
  #restore(alert: PriceAlert): void {
    this.#unstored.undo(alert);
    this.#known.add(alert);
    // A write that failed may have taken effect. Where another node evaluates, a refresh loads the stored
    // state; writing the alert again could undo changes made there.
    if (this.#isEvaluating) this.#unstored.change(alert);
  }

  /** Stores all changes until now, or undoes the caller's change in memory. */
  async #storedOr(undo: () => void): Promise<void> {
    try {
      await this.#stored();
    } catch (error) {
      undo();
      if (this.#unstored.hasAny) this.#storeSoon();
      throw error;
    }
  }

  /**
   * Resolves when all changes until now have been stored. @param isForced stores even if only the
   * position has changed
   */
  async #stored(isForced = false): Promise<void> {
    // A write in progress may have begun before the newest change.
    while (this.#storing !== undefined) await Promise.allSettled([this.#storing]);
    if (!this.#unstored.hasAny && !isForced) return;
    this.#storing = this.#storeNow();
    await this.#storing;
  }

  #storeSoon(): void {
    if (this.#retry !== undefined) return;
    this.#stored(true).catch((error: unknown) => {
      this.#repeatedLog.warn({ error: String(error) }, "price alerts wait for the database");
      this.#retry = setTimeout(() => {
        this.#retry = undefined;
        this.#storeSoon();
      }, RETRY_MS).unref();
    });
  }

  async #storeNow(): Promise<void> {
    const taken = this.#unstored.take();
    this.#version += 1;
    const sequence = this.#isEvaluating ? this.#sequence : undefined;
    let refused: ReadonlySet<string>;
    try {
      refused = await this.#store.store({ ...taken, sequence }, this.#options.alertsMax);
    } catch (error) {
      this.#unstored.putBack(taken, (id) => this.#known.get(id));
      throw error;
    } finally {
      this.#storing = undefined;
    }
    this.#version += 1;
    if (sequence !== undefined) this.#storedSequence = sequence;
    for (const id of refused) this.#refuse(id);
    this.#announce(taken.firings.filter(({ alertId }) => !refused.has(alertId)));
  }

  #refuse(id: string): void {
    const alert = this.#known.get(id);
    if (alert === undefined) return;
    this.#known.remove(alert);
    this.#unstored.discard(alert);
    this.#refused.add(id);
  }

  #announce(firings: readonly Firing[]): void {
    if (firings.length === 0) return;
    for (const [userId, ofUser] of Map.groupBy(firings, (firing) => firing.userId)) {
      const newest = ofUser.toReversed();
      this.#firings.revise(userId, (known) => [...newest, ...known].slice(0, FIRINGS_KEPT));
      this.#options.onChange(userId);
    }
    this.#options.onFired(firings);
  }
}

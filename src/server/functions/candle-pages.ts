/**
 * Caches pages of candles, which many clients request at once: equal requests share one read and
 * one encoded text. A page is cached for only a few seconds, because the history that it came from
 * may still be catching up.
 */
import type { Candle, CandleInterval } from "#contract/types.ts";
import type { History } from "../history/history.ts";
import { SharedValue } from "../reactive/encoding.ts";
import type { CandleRecord } from "../records/candles.ts";
import type { MarketView } from "../views/catalogue.ts";
import type { Views } from "../views/views.ts";
import { presentCandle } from "./present-market.ts";

const KEPT_MS = 5_000;
const PAGES_KEPT_MAX = 64;

export interface CandlePageQuery {
  readonly market: MarketView;
  readonly interval: CandleInterval;
  /** Milliseconds since 1970 UTC, exclusive; infinity for the newest candles. */
  readonly until: number;
  readonly limit: number;
}

interface KeptPage {
  readonly candles: Promise<CandleRecord[]>;
  /** Created when first requested. */
  page?: Promise<SharedValue<Candle[]>>;
  readonly untilMs: number;
}

export class CandlePages {
  readonly #views: Views;
  readonly #history: { readonly read: Pick<History["read"], "candles"> };
  readonly #nowMs: () => number;
  /** In order of creation, so that the first entry expires first. */
  readonly #kept = new Map<string, KeptPage>();

  /** @param nowMs a monotonic clock */
  constructor(
    views: Views,
    history: { readonly read: Pick<History["read"], "candles"> },
    nowMs: () => number = () => performance.now(),
  ) {
    this.#views = views;
    this.#history = history;
    this.#nowMs = nowMs;
  }

  /** Candles that opened before `until`, oldest first. */
  read(query: CandlePageQuery): Promise<SharedValue<Candle[]>> {
    const kept = this.#keep(query);
    return (kept.page ??= kept.candles.then(
      (candles) => new SharedValue(candles.map((each) => presentCandle(each, query.market))),
    ));
  }

  /** Reads the same candles in ticks, lots and units. */
  readExact(query: CandlePageQuery): Promise<readonly CandleRecord[]> {
    return this.#keep(query).candles;
  }

  #keep(query: CandlePageQuery): KeptPage {
    const key = this.#keyOf(query);
    const nowMs = this.#nowMs();
    const known = this.#kept.get(key);
    if (known !== undefined && nowMs < known.untilMs) return known;
    const kept: KeptPage = { candles: this.#read(query), untilMs: nowMs + KEPT_MS };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    // A read in progress is shared, but a failed read is not cached.
    kept.candles.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    });
    for (const [oldest, { untilMs }] of this.#kept) {
      if (untilMs > nowMs && this.#kept.size <= PAGES_KEPT_MAX) break;
      this.#kept.delete(oldest);
    }
    return kept;
  }

  /**
   * The cache key contains the newest candle's current values if the page includes that candle,
   * because it still changes.
   */
  #keyOf({ market, interval, until, limit }: CandlePageQuery): string {
    const { marketId } = market;
    const [newest] = this.#views.candles.read(marketId, interval, Number.POSITIVE_INFINITY, 1);
    if (newest === undefined) return JSON.stringify([marketId, interval, until, limit]);
    if (newest.openTime >= until) return JSON.stringify([marketId, interval, until, limit]);
    return JSON.stringify([marketId, interval, limit, Object.values<number>({ ...newest })]);
  }

  async #read({ market, interval, until, limit }: CandlePageQuery): Promise<CandleRecord[]> {
    const { candles } = this.#views;
    const { marketId } = market;
    const recent = candles.read(marketId, interval, until, limit);
    const isAll = recent.length === limit || candles.isComplete(marketId, interval);
    const older = isAll
      ? []
      : await this.#history.read.candles({
          marketId,
          interval,
          before: recent[0]?.openTime ?? until,
          limit: limit - recent.length,
        });
    return [...older, ...recent];
  }
}

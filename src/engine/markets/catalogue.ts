/**
 * What can be owned and traded, and on which terms: coins, markets and plans, each with the small
 * integer that names it, counted from 1. Markets and plans may be defined anew; each definition has
 * a version, and what was agreed under an earlier one stays. A copy in a fixed order of fields is
 * kept. Never: what makes a definition acceptable in itself (definitions.ts).
 */
import { AMOUNT_MAX, parseUnits } from "../amount.ts";
import { assert } from "../assert.ts";
import type { CoinDefinition, MarketDefinition, PlanDefinition } from "../commands.ts";
import { COIN, MARKET, PLAN, isCoin, isExactIn, isMarket, isPlan } from "./definitions.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";

const ASSETS_MAX = 1024;
const MARKETS_MAX = 4096;
const PLANS_MAX = 256;

/** New accounts get the plan that was defined first; its currency is the settlement coin. */
export const DEFAULT_PLAN_ID = 1;

/** What a plan grants, its decimals turned into units of its currency. */
export interface PlanTerms {
  readonly definition: PlanDefinition;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  readonly openOrdersMax: number;
  readonly algoOrdersMax: number;
  /** 0 where the plan names no currency: then it has no price, volumes or largest notional. */
  readonly currencyId: number;
  readonly price: number;
  readonly volumeMin: number;
  /** In markets quoted in the currency; `AMOUNT_MAX` where there is no limit. */
  readonly notionalMax: number;
  /** Ascending. */
  readonly ladder: readonly LadderStep[];
}
interface LadderStep {
  readonly volumeMin: number;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
}

/** The list of one kind of thing: ids from 1, unique names. */
class Register<T> {
  readonly #entries: T[] = [];
  readonly #versions: number[] = [];
  readonly #ids = new Map<string, number>();

  get size(): number {
    return this.#entries.length;
  }

  has(id: number): boolean {
    return id >= 1 && id <= this.#entries.length && (id | 0) === id;
  }

  get(id: number): T {
    return this.#entries[id - 1];
  }

  /** How many definitions the entry has had. */
  version(id: number): number {
    return this.#versions[id - 1];
  }

  /** The id of a name, 0 where there is none. */
  find(name: string): number {
    return this.#ids.get(name) ?? 0;
  }

  add(name: string, entry: T): number {
    this.#versions.push(1);
    this.#ids.set(name, this.#entries.push(entry));
    return this.#entries.length;
  }

  /** Takes the place of an entry; returns its version. */
  replace(id: number, entry: T): number {
    assert(this.has(id), "what is replaced is there");
    this.#entries[id - 1] = entry;
    return ++this.#versions[id - 1];
  }

  writeTo(to: StateWriter): void {
    to.int(this.#entries.length);
    this.#entries.forEach((entry, index) => {
      to.int(this.#versions[index]);
      to.text(JSON.stringify(entry));
    });
  }

  readFrom(snapshot: SnapshotReader, nameOf: (entry: T) => string): void {
    const count = snapshot.count(8);
    for (let index = 0; index < count; index++) {
      const version = snapshot.int();
      const entry = JSON.parse(snapshot.text()) as T;
      this.add(nameOf(entry), entry);
      this.#versions[index] = version;
    }
  }
}

export class Catalogue {
  readonly coins = new Register<CoinDefinition>();
  readonly markets = new Register<MarketDefinition>();
  readonly plans = new Register<PlanDefinition>();
  /** Asset that volumes are counted in: the first plan's currency; 0 while it has none. */
  settlementId = 0;
  readonly #planTerms: PlanTerms[] = [];

  /** Why the coin cannot be listed, null where it can. */
  refuseCoin(coin: CoinDefinition): RejectReason | null {
    if (!isCoin(coin)) return "invalidCommand";
    if (this.coins.find(coin.symbol) !== 0) return "duplicateSymbol";
    return this.coins.size >= ASSETS_MAX ? "limitReached" : null;
  }

  listCoin(coin: CoinDefinition): { assetId: number; coin: CoinDefinition } {
    const kept = COIN.kept(coin);
    return { assetId: this.coins.add(kept.symbol, kept), coin: kept };
  }

  /** Why the market cannot be listed, null where it can. */
  refuseMarket(market: MarketDefinition): RejectReason | null {
    if (!isMarket(market)) return "invalidCommand";
    if (this.coins.find(market.base) === 0) return "unknownAsset";
    if (this.coins.find(market.quote) === 0) return "unknownAsset";
    if (this.markets.find(market.symbol) !== 0) return "duplicateSymbol";
    return this.markets.size >= MARKETS_MAX ? "limitReached" : null;
  }

  listMarket(market: MarketDefinition): {
    marketId: number;
    baseAssetId: number;
    quoteAssetId: number;
    market: MarketDefinition;
  } {
    const kept = MARKET.kept(market);
    return {
      marketId: this.markets.add(kept.symbol, kept),
      baseAssetId: this.coins.find(kept.base),
      quoteAssetId: this.coins.find(kept.quote),
      market: kept,
    };
  }

  /** Why the market cannot be defined so from now on, null where it can. */
  refuseMarketUpdate(marketId: number, market: MarketDefinition): RejectReason | null {
    if (!this.markets.has(marketId)) return "unknownMarket";
    if (!isMarket(market)) return "invalidCommand";
    const { symbol, lotUnits, tickLotUnits, status } = this.markets.get(marketId);
    // Prices and quantities of open orders are counted in these.
    const isSameUnits = market.lotUnits === lotUnits && market.tickLotUnits === tickLotUnits;
    const isSame = market.symbol === symbol && isSameUnits && market.status === status;
    return isSame ? null : "invalidCommand";
  }

  updateMarket(
    marketId: number,
    market: MarketDefinition,
  ): { marketId: number; version: number; market: MarketDefinition } {
    const kept = MARKET.kept(market);
    return { marketId, version: this.markets.replace(marketId, kept), market: kept };
  }

  /** Why the plan cannot be defined, null where it can. */
  refusePlan(plan: PlanDefinition): RejectReason | null {
    const refusal = this.#refusePlanTerms(plan);
    if (refusal !== null) return refusal;
    if (this.plans.find(plan.slug) !== 0) return "duplicateSymbol";
    return this.plans.size >= PLANS_MAX ? "limitReached" : null;
  }

  definePlan(plan: PlanDefinition): { planId: number; plan: PlanDefinition } {
    const kept = PLAN.kept(plan);
    const planId = this.plans.add(kept.slug, kept);
    this.#setTerms(planId, kept);
    return { planId, plan: kept };
  }

  /** Why the plan cannot be defined so from now on, null where it can. */
  refusePlanUpdate(planId: number, plan: PlanDefinition): RejectReason | null {
    if (!this.plans.has(planId)) return "unknownPlan";
    const refusal = this.#refusePlanTerms(plan);
    if (refusal !== null) return refusal;
    const { slug, currency } = this.plans.get(planId);
    if (plan.slug !== slug) return "invalidCommand";
    // Volumes and paid periods are counted in it.
    return currency !== undefined && plan.currency !== currency ? "invalidCommand" : null;
  }

  updatePlan(
    planId: number,
    plan: PlanDefinition,
  ): { planId: number; version: number; plan: PlanDefinition } {
    const kept = PLAN.kept(plan);
    const version = this.plans.replace(planId, kept);
    this.#setTerms(planId, kept);
    return { planId, version, plan: kept };
  }

  planTerms(planId: number): PlanTerms {
    return this.#planTerms[planId];
  }

  writeTo(to: StateWriter): void {
    to.part("catalogue");
    this.coins.writeTo(to);
    this.markets.writeTo(to);
    this.plans.writeTo(to);
  }

  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("catalogue");
    this.coins.readFrom(snapshot, ({ symbol }) => symbol);
    this.markets.readFrom(snapshot, ({ symbol }) => symbol);
    this.plans.readFrom(snapshot, ({ slug }) => slug);
    for (let planId = 1; planId <= this.plans.size; planId++) {
      this.#setTerms(planId, this.plans.get(planId));
    }
  }

  #refusePlanTerms(plan: PlanDefinition): RejectReason | null {
    if (!isPlan(plan)) return "invalidCommand";
    if (plan.currency === undefined) return null;
    const currencyId = this.coins.find(plan.currency);
    if (currencyId === 0) return "unknownAsset";
    return isExactIn(plan, this.coins.get(currencyId).scale) ? null : "invalidAmount";
  }

  #setTerms(planId: number, plan: PlanDefinition): void {
    const { currency, makerFeeBps, takerFeeBps, openOrdersMax } = plan;
    const currencyId = currency === undefined ? 0 : this.coins.find(currency);
    const unitsOf = (decimal: string): number => {
      if (currencyId === 0) return 0;
      const units = parseUnits(decimal, this.coins.get(currencyId).scale);
      assert(units !== undefined, "a plan's amounts are exact in its currency");
      return units;
    };
    if (planId === DEFAULT_PLAN_ID) this.settlementId = currencyId;
    this.#planTerms[planId] = {
      definition: plan,
      makerFeeBps,
      takerFeeBps,
      openOrdersMax,
      algoOrdersMax: plan.algoOrdersMax ?? openOrdersMax,
      currencyId,
      price: unitsOf(plan.price),
      volumeMin: unitsOf(plan.volumeMin),
      notionalMax: plan.notionalMax === undefined ? AMOUNT_MAX : unitsOf(plan.notionalMax),
      ladder: (plan.volumeLadder ?? []).map((step) => ({
        ...step,
        volumeMin: unitsOf(step.volumeMin),
      })),
    };
  }
}

/**
 * The catalogue: coins, markets and plans with their terms, each identified by a small integer from
 * 1. Markets and plans may be redefined; each definition has a version, and terms agreed under an
 * earlier version stay. Which definitions are valid is decided in definitions.ts and listing.ts.
 */
import { AMOUNT_MAX, parseUnits } from "../amount.ts";
import { assert } from "../assert.ts";
import type { CoinDefinition, MarketDefinition, PlanDefinition } from "../commands.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";

/** New accounts get the first plan; its currency is the settlement coin. */
export const DEFAULT_PLAN_ID = 1;

export type PlanTerms = ReturnType<typeof termsOf>;

/** Entries of one kind: ids from 1, unique names. */
class Register<T> {
  readonly #entries: T[] = [];
  readonly #versions: number[] = [];
  readonly #ids = new Map<string, number>();
  readonly #sizeMax: number;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get isFull(): boolean {
    return this.#entries.length >= this.#sizeMax;
  }

  get size(): number {
    return this.#entries.length;
  }

  has(id: number): boolean {
    return id >= 1 && id <= this.#entries.length && (id | 0) === id;
  }

  get(id: number): T {
    return this.#entries[id - 1];
  }

  /** The id of a name; 0 if none. */
  find(name: string): number {
    return this.#ids.get(name) ?? 0;
  }

  add(name: string, entry: T): number {
    this.#versions.push(1);
    this.#ids.set(name, this.#entries.push(entry));
    return this.#entries.length;
  }

  /** Replaces an entry; returns its version. */
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
  readonly coins = new Register<CoinDefinition>(1024);
  readonly markets = new Register<MarketDefinition>(4096);
  readonly plans = new Register<PlanDefinition>(256);
  /** Asset in which volumes are counted: the first plan's currency; 0 while it has none. */
  settlementId = 0;
  readonly #planTerms: PlanTerms[] = [];

  /** Returns the plan's id. */
  definePlan(plan: PlanDefinition): number {
    const planId = this.plans.add(plan.slug, plan);
    this.#setTerms(planId, plan);
    return planId;
  }

  /** Returns the definition's version. */
  updatePlan(planId: number, plan: PlanDefinition): number {
    this.#setTerms(planId, plan);
    return this.plans.replace(planId, plan);
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

  #setTerms(planId: number, plan: PlanDefinition): void {
    const currencyId = plan.currency === undefined ? 0 : this.coins.find(plan.currency);
    const scale = currencyId === 0 ? 0 : this.coins.get(currencyId).scale;
    if (planId === DEFAULT_PLAN_ID) this.settlementId = currencyId;
    this.#planTerms[planId] = termsOf(plan, currencyId, scale);
  }
}

/** A plan's terms, with its decimals converted to units of its currency. */
function termsOf(plan: PlanDefinition, currencyId: number, scale: number) {
  const { algoOrdersMax, makerFeeBps, notionalMax, openOrdersMax, takerFeeBps } = plan;
  const { withdrawalDailyMax, withdrawalMonthlyMax } = plan;
  const unitsOf = (decimal: string): number => {
    if (currencyId === 0) return 0;
    const units = parseUnits(decimal, scale);
    assert(units !== undefined, "a plan's amounts are exact in its currency");
    return units;
  };
  return {
    definition: plan,
    makerFeeBps,
    takerFeeBps,
    openOrdersMax,
    algoOrdersMax: algoOrdersMax ?? openOrdersMax,
    /** 0 if the plan names no currency: then it has no price, volumes or largest notional. */
    currencyId,
    price: unitsOf(plan.price),
    volumeMin: unitsOf(plan.volumeMin),
    /** In markets quoted in the currency; `AMOUNT_MAX` if unlimited. */
    notionalMax: notionalMax === undefined ? AMOUNT_MAX : unitsOf(notionalMax),
    /** In the settlement coin; `AMOUNT_MAX` if unlimited. */
    withdrawalDailyMax: withdrawalDailyMax === undefined ? AMOUNT_MAX : unitsOf(withdrawalDailyMax),
    withdrawalMonthlyMax:
      withdrawalMonthlyMax === undefined ? AMOUNT_MAX : unitsOf(withdrawalMonthlyMax),
    /** The fee tiers, ascending by volume. */
    ladder: (plan.volumeLadder ?? []).map((tier) => ({
      ...tier,
      volumeMin: unitsOf(tier.volumeMin),
    })),
  } as const;
}

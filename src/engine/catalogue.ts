/**
 * What can be owned and traded, and on which terms: coins, markets and plans, each with the small
 * integer that names it, counted from 1. Definitions arrive from outside and are checked field by
 * field, types included; a copy in a fixed order of fields is kept.
 */
import { AMOUNT_MAX, isAmount } from "./amount.ts";
import type { CoinDefinition, MarketDefinition, PlanDefinition } from "./commands.ts";
import type { RejectReason } from "./reject-reasons.ts";
import type { SnapshotReader, SnapshotWriter } from "./snapshot.ts";
import type { StateHash } from "./state-hash.ts";

const ASSETS_MAX = 1024;
const MARKETS_MAX = 4096;
const PLANS_MAX = 256;

const SCALE_MAX = 15;
const FEE_BPS_MAX = 10_000;
const OPEN_ORDERS_PER_ACCOUNT_MAX = 1_000_000;
const NAME_LENGTH_MAX = 64;
const TEXT_LENGTH_MAX = 4096;
const FEATURES_MAX = 32;
const COIN_SYMBOL = /^[A-Z0-9]{1,16}$/;
const PLAN_SLUG = /^[a-z0-9-]{1,32}$/;
const DECIMAL = /^\d{1,16}(\.\d{1,15})?$/;
const COIN_KINDS: ReadonlySet<string> = new Set(["crypto", "fiat", "token", "points", "simulated"]);
const COIN_STATUSES: ReadonlySet<string> = new Set([
  "listed",
  "depositOnly",
  "withdrawOnly",
  "delisting",
  "hidden",
]);
const MARKET_STATUSES: ReadonlySet<string> = new Set(["trading", "cancelOnly", "halted", "closed"]);
const PLAN_INTERVALS: ReadonlySet<string> = new Set(["none", "month"]);
const PLAN_ELIGIBILITIES: ReadonlySet<string> = new Set(["everyone", "volume", "paid", "assigned"]);

/** The list of one kind of thing: ids from 1, unique names. */
class Register<T> {
  readonly #entries: T[] = [];
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

  /** The id of a name, 0 where there is none. */
  find(name: string): number {
    return this.#ids.get(name) ?? 0;
  }

  add(name: string, entry: T): number {
    this.#ids.set(name, this.#entries.push(entry));
    return this.#entries.length;
  }

  addTo(hash: StateHash): void {
    hash.number(this.#entries.length);
    for (const entry of this.#entries) hash.text(JSON.stringify(entry));
  }

  writeTo(snapshot: SnapshotWriter): void {
    snapshot.int(this.#entries.length);
    for (const entry of this.#entries) snapshot.text(JSON.stringify(entry));
  }

  readFrom(snapshot: SnapshotReader, nameOf: (entry: T) => string): void {
    const count = snapshot.count(4);
    for (let index = 0; index < count; index++) {
      const entry = JSON.parse(snapshot.text()) as T;
      this.add(nameOf(entry), entry);
    }
  }
}

export class Catalogue {
  readonly coins = new Register<CoinDefinition>();
  readonly markets = new Register<MarketDefinition>();
  readonly plans = new Register<PlanDefinition>();

  /** Why the coin cannot be listed, null where it can. */
  refuseCoin(coin: CoinDefinition): RejectReason | null {
    if (!isObject(coin) || !isCoin(coin)) return "invalidCommand";
    if (this.coins.find(coin.symbol) !== 0) return "duplicateSymbol";
    return this.coins.size >= ASSETS_MAX ? "limitReached" : null;
  }

  listCoin(coin: CoinDefinition): { assetId: number; coin: CoinDefinition } {
    const kept: CoinDefinition = {
      symbol: coin.symbol,
      name: coin.name,
      kind: coin.kind,
      status: coin.status,
      scale: coin.scale,
      displayDecimals: coin.displayDecimals,
      description: coin.description,
      website: coin.website,
      riskNote: coin.riskNote,
    };
    return { assetId: this.coins.add(kept.symbol, kept), coin: kept };
  }

  /** Why the market cannot be listed, null where it can. */
  refuseMarket(market: MarketDefinition): RejectReason | null {
    if (!isObject(market) || !isMarket(market)) return "invalidCommand";
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
    const kept: MarketDefinition = {
      symbol: market.symbol,
      base: market.base,
      quote: market.quote,
      lotUnits: market.lotUnits,
      tickLotUnits: market.tickLotUnits,
      notionalMin: market.notionalMin,
      quantityLotsMax: market.quantityLotsMax,
      status: market.status,
      simulated: market.simulated,
    };
    return {
      marketId: this.markets.add(kept.symbol, kept),
      baseAssetId: this.coins.find(kept.base),
      quoteAssetId: this.coins.find(kept.quote),
      market: kept,
    };
  }

  /** Why the plan cannot be defined, null where it can. */
  refusePlan(plan: PlanDefinition): RejectReason | null {
    if (!isObject(plan) || !isPlan(plan)) return "invalidCommand";
    if (this.plans.find(plan.slug) !== 0) return "duplicateSymbol";
    return this.plans.size >= PLANS_MAX ? "limitReached" : null;
  }

  definePlan(plan: PlanDefinition): { planId: number; plan: PlanDefinition } {
    const kept: PlanDefinition = {
      slug: plan.slug,
      name: plan.name,
      description: plan.description,
      position: plan.position,
      makerFeeBps: plan.makerFeeBps,
      takerFeeBps: plan.takerFeeBps,
      price: plan.price,
      interval: plan.interval,
      eligibility: plan.eligibility,
      volumeMin: plan.volumeMin,
      openOrdersMax: plan.openOrdersMax,
      features: [...plan.features],
    };
    return { planId: this.plans.add(kept.slug, kept), plan: kept };
  }

  addTo(hash: StateHash): void {
    this.coins.addTo(hash);
    this.markets.addTo(hash);
    this.plans.addTo(hash);
  }

  writeTo(snapshot: SnapshotWriter): void {
    snapshot.part("catalogue");
    this.coins.writeTo(snapshot);
    this.markets.writeTo(snapshot);
    this.plans.writeTo(snapshot);
  }

  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("catalogue");
    this.coins.readFrom(snapshot, ({ symbol }) => symbol);
    this.markets.readFrom(snapshot, ({ symbol }) => symbol);
    this.plans.readFrom(snapshot, ({ slug }) => slug);
  }
}

function isCoin(coin: CoinDefinition): boolean {
  return (
    isText(coin.symbol, NAME_LENGTH_MAX) &&
    COIN_SYMBOL.test(coin.symbol) &&
    isText(coin.name, NAME_LENGTH_MAX) &&
    COIN_KINDS.has(coin.kind) &&
    COIN_STATUSES.has(coin.status) &&
    isWithin(coin.scale, 0, SCALE_MAX) &&
    isWithin(coin.displayDecimals, 0, coin.scale) &&
    isText(coin.description, TEXT_LENGTH_MAX) &&
    isText(coin.website, TEXT_LENGTH_MAX) &&
    isText(coin.riskNote, TEXT_LENGTH_MAX)
  );
}

function isMarket(market: MarketDefinition): boolean {
  return (
    isText(market.base, NAME_LENGTH_MAX) &&
    isText(market.quote, NAME_LENGTH_MAX) &&
    market.base !== market.quote &&
    market.symbol === `${market.base}-${market.quote}` &&
    isWithin(market.lotUnits, 1, AMOUNT_MAX) &&
    isWithin(market.tickLotUnits, 1, AMOUNT_MAX) &&
    isPowerOfTenApart(market.lotUnits, market.tickLotUnits) &&
    isAmount(market.notionalMin) &&
    // The largest order's base amount is exact.
    isWithin(market.quantityLotsMax, 1, Math.floor(AMOUNT_MAX / market.lotUnits)) &&
    MARKET_STATUSES.has(market.status) &&
    typeof market.simulated === "boolean"
  );
}

function isPlan(plan: PlanDefinition): boolean {
  return (
    isText(plan.slug, NAME_LENGTH_MAX) &&
    PLAN_SLUG.test(plan.slug) &&
    isText(plan.name, NAME_LENGTH_MAX) &&
    isText(plan.description, TEXT_LENGTH_MAX) &&
    isWithin(plan.position, 0, AMOUNT_MAX) &&
    isWithin(plan.makerFeeBps, 0, FEE_BPS_MAX) &&
    isWithin(plan.takerFeeBps, 0, FEE_BPS_MAX) &&
    isText(plan.price, NAME_LENGTH_MAX) &&
    DECIMAL.test(plan.price) &&
    PLAN_INTERVALS.has(plan.interval) &&
    PLAN_ELIGIBILITIES.has(plan.eligibility) &&
    isText(plan.volumeMin, NAME_LENGTH_MAX) &&
    DECIMAL.test(plan.volumeMin) &&
    isWithin(plan.openOrdersMax, 0, OPEN_ORDERS_PER_ACCOUNT_MAX) &&
    Array.isArray(plan.features) &&
    plan.features.length <= FEATURES_MAX &&
    plan.features.every((feature) => isText(feature, TEXT_LENGTH_MAX))
  );
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown, lengthMax: number): boolean {
  return typeof value === "string" && value.length <= lengthMax;
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}

function isPowerOfTenApart(a: number, b: number): boolean {
  const smaller = Math.min(a, b);
  let larger = Math.max(a, b);
  while (larger > smaller && larger % 10 === 0) larger /= 10;
  return larger === smaller;
}

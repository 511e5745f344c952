/** The exchange's coins, markets and plans, by number and by name. */
import { decimalsOf, formatDecimal, parseDecimal, trimDecimal } from "#contract/decimal.ts";
import type { CoinDefinition, MarketDefinition, PlanDefinition } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { MarketAssets } from "#engine/accounts/postings.ts";
import { SETTLEMENT_COIN } from "../catalogue/coins.ts";

export interface CoinView {
  readonly assetId: number;
  readonly definition: CoinDefinition;
}

export interface MarketView {
  readonly marketId: number;
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
  readonly definition: MarketDefinition;
  readonly base: CoinDefinition;
  readonly quote: CoinDefinition;
  /** The price of one tick in quote coins, such as "0.01". */
  readonly tickSize: string;
  /** The quantity of one lot in base coins, such as "0.0001". */
  readonly lotSize: string;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  /** One tick in the last of the price's decimals: 1 for "0.01", 10 for "10". */
  readonly tickStep: number;
  /** One lot in the last of the quantity's decimals: 25 for "0.25". */
  readonly lotStep: number;
}

export interface PlanView {
  readonly planId: number;
  readonly definition: PlanDefinition;
}

export class Catalogue {
  version = 0;
  #coins: CoinView[] = [];
  #markets: MarketView[] = [];
  #plans: PlanView[] = [];
  readonly #coinsBySymbol = new Map<string, CoinView>();
  readonly #marketsBySymbol = new Map<string, MarketView>();

  /** All coins in the order they were listed. */
  coins(): readonly CoinView[] {
    return this.#coins;
  }
  markets(): readonly MarketView[] {
    return this.#markets;
  }
  /** All plans by their position. */
  plans(): readonly PlanView[] {
    return this.#plans.toSorted((a, b) => a.definition.position - b.definition.position);
  }

  /**
   * The currency of the first plan; in an early journal plans had no currency, and this coin was
   * used.
   */
  settlementCoin(): string {
    return this.#plans[0]?.definition.currency ?? SETTLEMENT_COIN;
  }

  /** The coin with this number. @throws Error if there is none */
  coin(assetId: number): CoinView {
    return requireKnown(this.#coins[assetId - 1], "asset", assetId);
  }
  /** The market with this number. @throws Error if there is none */
  market(marketId: number): MarketView {
    return requireKnown(this.#markets[marketId - 1], "market", marketId);
  }
  /** The plan with this number. @throws Error if there is none */
  plan(planId: number): PlanView {
    return requireKnown(this.#plans[planId - 1], "plan", planId);
  }
  coinBySymbol(symbol: string): CoinView | undefined {
    return this.#coinsBySymbol.get(symbol);
  }
  marketBySymbol(symbol: string): MarketView | undefined {
    return this.#marketsBySymbol.get(symbol);
  }

  state() {
    return {
      version: this.version,
      coins: this.#coins,
      markets: this.#markets,
      plans: this.#plans,
    };
  }

  restore(state: ReturnType<Catalogue["state"]>): void {
    this.version = state.version;
    this.#coins = state.coins;
    this.#markets = state.markets;
    this.#plans = state.plans;
    for (const coin of this.#coins) this.#coinsBySymbol.set(coin.definition.symbol, coin);
    for (const market of this.#markets) {
      this.#marketsBySymbol.set(market.definition.symbol, market);
    }
  }

  readonly assetsOf = (marketId: number): MarketAssets => this.market(marketId);

  /** Folds an event; returns whether it changed the catalogue. */
  fold(event: ExchangeEvent): boolean {
    switch (event.type) {
      case "coinListed": {
        const coin = { assetId: event.assetId, definition: event.coin };
        this.#coins[event.assetId - 1] = coin;
        this.#coinsBySymbol.set(event.coin.symbol, coin);
        break;
      }
      case "coinUpdated": {
        // The coin's scale does not change, so steps and amounts stay.
        const coin = { assetId: event.assetId, definition: event.coin };
        this.#coins[event.assetId - 1] = coin;
        this.#coinsBySymbol.set(event.coin.symbol, coin);
        for (const market of this.#markets) this.#replaceCoin(market, event.assetId, event.coin);
        break;
      }
      case "marketListed": {
        const { marketId, baseAssetId, quoteAssetId, market: definition } = event;
        const base = this.coin(baseAssetId).definition;
        const quote = this.coin(quoteAssetId).definition;
        const tickSize = priceStep(definition, base.scale, quote.scale);
        const lotSize = trimDecimal(formatDecimal(definition.lotUnits, base.scale));
        const priceDecimals = decimalsOf(tickSize);
        const quantityDecimals = decimalsOf(lotSize);
        const market: MarketView = {
          marketId,
          baseAssetId,
          quoteAssetId,
          definition,
          base,
          quote,
          tickSize,
          lotSize,
          priceDecimals,
          quantityDecimals,
          tickStep: Number(parseDecimal(tickSize, priceDecimals)),
          lotStep: Number(parseDecimal(lotSize, quantityDecimals)),
        };
        this.#markets[marketId - 1] = market;
        this.#marketsBySymbol.set(definition.symbol, market);
        break;
      }
      case "marketUpdated": {
        // The market's coins and steps do not change.
        const market = { ...this.market(event.marketId), definition: event.market };
        this.#markets[event.marketId - 1] = market;
        this.#marketsBySymbol.set(event.market.symbol, market);
        break;
      }
      case "planDefined":
      case "planUpdated":
        this.#plans[event.planId - 1] = { planId: event.planId, definition: event.plan };
        break;
      default:
        return false;
    }
    this.version += 1;
    return true;
  }

  #replaceCoin(market: MarketView, assetId: number, coin: CoinDefinition): void {
    const { baseAssetId, quoteAssetId, marketId } = market;
    if (baseAssetId !== assetId && quoteAssetId !== assetId) return;
    const base = baseAssetId === assetId ? coin : market.base;
    const quote = quoteAssetId === assetId ? coin : market.quote;
    const updated = { ...market, base, quote };
    this.#markets[marketId - 1] = updated;
    this.#marketsBySymbol.set(updated.definition.symbol, updated);
  }
}

/**
 * The price step, `tickLotUnits / lotUnits × 10^(baseScale − quoteScale)`: the engine ensures a
 * power of ten.
 */
function priceStep(market: MarketDefinition, baseScale: number, quoteScale: number): string {
  const numerator = BigInt(market.tickLotUnits) * 10n ** BigInt(baseScale);
  const denominator = BigInt(market.lotUnits) * 10n ** BigInt(quoteScale);
  if (numerator % denominator === 0n) return (numerator / denominator).toString();
  // A power of ten below one: its reciprocal shows the number of decimals.
  const decimals = (denominator / numerator).toString().length - 1;
  if (numerator * 10n ** BigInt(decimals) !== denominator) {
    throw new Error(`the price step of ${market.symbol} is not a power of ten`);
  }
  return formatDecimal(1, decimals);
}

function requireKnown<T>(value: T | undefined, kind: string, id: number): T {
  if (value === undefined) throw new Error(`no ${kind} has the number ${id}`);
  return value;
}

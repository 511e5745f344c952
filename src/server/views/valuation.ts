/** Values amounts in the settlement coin at the last prices. */
import { divide } from "#contract/decimal.ts";
import type { Catalogue, MarketView } from "./catalogue.ts";
import type { Tickers } from "./tickers.ts";

/** The value of `units` of a market's base at a price, in quote units, rounded down. */
export function quoteValue(market: MarketView, units: number | bigint, priceTicks: number): bigint {
  const { tickLotUnits, lotUnits } = market.definition;
  const exact = BigInt(units) * BigInt(priceTicks) * BigInt(tickLotUnits);
  return divide(exact, BigInt(lotUnits), "down");
}

export class Valuation {
  readonly #catalogue: Catalogue;
  readonly #tickers: Tickers;
  /** The market that values each asset, by asset number; rebuilt when the catalogue has changed. */
  #markets: (MarketView | undefined)[] = [];
  #catalogueVersion = -1;
  #settlementAssetId = 0;

  constructor(catalogue: Catalogue, tickers: Tickers) {
    this.#catalogue = catalogue;
    this.#tickers = tickers;
  }

  /** The number of the settlement coin, 0 while it is not listed. */
  get settlementAssetId(): number {
    this.#followCatalogue();
    return this.#settlementAssetId;
  }

  /** The market whose price values an asset; undefined for the settlement coin and unknown assets. */
  marketOf(assetId: number): MarketView | undefined {
    this.#followCatalogue();
    return this.#markets[assetId];
  }

  /**
   * The value in settlement units at the last price, rounded down; undefined if the asset has no
   * price.
   */
  valueOf(assetId: number, units: number | bigint): bigint | undefined {
    if (assetId === this.settlementAssetId) return BigInt(units);
    const market = this.marketOf(assetId);
    if (market === undefined) return undefined;
    const ticks = this.#tickers.lastTicks(market.marketId);
    return ticks === 0 ? undefined : quoteValue(market, units, ticks);
  }

  #followCatalogue(): void {
    if (this.#catalogueVersion === this.#catalogue.version) return;
    this.#catalogueVersion = this.#catalogue.version;
    this.#settlementAssetId =
      this.#catalogue.coinBySymbol(this.#catalogue.settlementCoin())?.assetId ?? 0;
    this.#markets = [];
    for (const market of this.#catalogue.markets()) {
      if (market.quoteAssetId === this.#settlementAssetId) {
        this.#markets[market.baseAssetId] = market;
      }
    }
  }
}

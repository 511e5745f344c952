/**
 * The coins' fair values as seen by the simulated participants: log-normal prices with a common
 * factor, advanced by elapsed time. Trading follows these prices; they never enter the ledger.
 */
import type { SimulatedMarket } from "../catalogue/markets.ts";
import type { Random } from "./random.ts";

const DAY_MS = 86_400_000;
/** The factor by which a price may deviate from its first value before it is pushed back. */
const EXCURSION_MAX = 6;

export class ReferencePrices {
  readonly #random: Random;
  readonly #markets: readonly SimulatedMarket[];
  readonly #logPrices: Float64Array;

  constructor(random: Random, markets: readonly SimulatedMarket[]) {
    this.#random = random;
    this.#markets = markets;
    this.#logPrices = Float64Array.from(markets, (market) => Math.log(market.referencePrice));
  }

  /**
   * Continues a market from a price at which its market makers traded, for example after a restart.
   */
  set(index: number, price: number): void {
    this.#logPrices[index] = Math.log(price);
  }

  /** The price in the settlement coin. */
  get(index: number): number {
    return Math.exp(this.#logPrices[index]);
  }

  advance(elapsedMs: number): void {
    const scale = Math.sqrt(elapsedMs / DAY_MS);
    const common = this.#random.normal();
    this.#markets.forEach((market, index) => {
      const own = Math.sqrt(1 - market.correlation ** 2) * this.#random.normal();
      const step = (market.correlation * common + own) * market.dailyVolatility * scale;
      const excursion = this.#logPrices[index] - Math.log(market.referencePrice);
      const tooFar = Math.abs(excursion) > Math.log(EXCURSION_MAX) && step * excursion > 0;
      this.#logPrices[index] += tooFar ? -step : step;
    });
  }
}

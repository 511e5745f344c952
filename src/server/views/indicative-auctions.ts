/**
 * The price and volume at which each market's auction would end now, by the engine's rule, from
 * everything that would trade, hidden quantities included. Computed once for each change of the
 * book, and only from the levels that cross: every visitor may request it.
 */
import { uncrossingOf, type Uncrossing } from "#engine/markets/auction.ts";
import type { Side } from "#engine/order-terms.ts";
import type { Books } from "./books.ts";
import type { HiddenLots } from "./hidden-lots.ts";

interface CachedAuction {
  readonly updateId: number;
  readonly hiddenUpdateId: number;
  readonly referenceTicks: number;
  readonly found: Uncrossing | undefined;
}

export class IndicativeAuctions {
  readonly #books: Books;
  readonly #hiddenLots: HiddenLots;
  readonly #known = new Map<number, CachedAuction>();

  constructor(books: Books, hiddenLots: HiddenLots) {
    this.#books = books;
    this.#hiddenLots = hiddenLots;
  }

  /**
   * The price and volume at which the market's auction would end now.
   * @param referenceTicks the last price; 0 if none
   * @returns undefined if nothing would trade
   */
  of(marketId: number, referenceTicks: number): Uncrossing | undefined {
    const updateId = this.#books.updateId(marketId);
    const { updateId: hiddenUpdateId } = this.#hiddenLots;
    const known = this.#known.get(marketId);
    if (
      known?.updateId === updateId &&
      known.hiddenUpdateId === hiddenUpdateId &&
      known.referenceTicks === referenceTicks
    ) {
      return known.found;
    }
    const [bids, asks] = [this.#levels(marketId, "buy"), this.#levels(marketId, "sell")];
    const found = uncrossingOf(bids, asks, referenceTicks);
    this.#known.set(marketId, { updateId, hiddenUpdateId, referenceTicks, found });
    return found;
  }

  #levels(marketId: number, side: Side) {
    const crossing = this.#books.crossingLevels(marketId, side);
    if (crossing.length === 0) return [];
    const hidden = this.#hiddenLots.byPrice(marketId, side);
    return crossing.map(({ priceTicks, quantityLots }) => ({
      priceTicks,
      lots: quantityLots + (hidden.get(priceTicks) ?? 0),
    }));
  }
}

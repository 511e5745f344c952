/**
 * The levels of every market's book, folded from orders that rested, traded and ended. Each side is
 * a sorted array with the best price last, because most changes happen near the best price.
 */
import type { Side } from "#engine/commands.ts";
import type { EventOf } from "#engine/events.ts";

export interface Level {
  readonly priceTicks: number;
  readonly quantityLots: number;
}

/** The levels of a market's book that have changed since they were last taken. */
export class LevelChanges {
  readonly buy = new Set<number>();
  readonly sell = new Set<number>();
}

class BookSide {
  #prices: number[] = [];
  #lots: number[] = [];
  /** 1 if a higher price is better (bids), -1 if a lower one is (asks). */
  readonly #direction: 1 | -1;

  constructor(direction: 1 | -1) {
    this.#direction = direction;
  }

  /** Sets that collect the prices of changed levels. */
  readonly #watching = new Set<Set<number>>();

  watch(prices: Set<number>): void {
    this.#watching.add(prices);
  }
  unwatch(prices: Set<number>): void {
    this.#watching.delete(prices);
  }

  lotsAt(priceTicks: number): number {
    const index = this.#indexOf(priceTicks);
    return this.#prices[index] === priceTicks ? this.#lots[index] : 0;
  }

  get best(): number {
    return this.#prices.length === 0 ? 0 : this.#prices[this.#prices.length - 1];
  }

  add(priceTicks: number, lots: number): void {
    for (const prices of this.#watching) prices.add(priceTicks);
    const index = this.#indexOf(priceTicks);
    if (this.#prices[index] === priceTicks) {
      this.#lots[index] += lots;
    } else {
      this.#prices.splice(index, 0, priceTicks);
      this.#lots.splice(index, 0, lots);
    }
  }

  remove(priceTicks: number, lots: number): void {
    for (const prices of this.#watching) prices.add(priceTicks);
    const index = this.#indexOf(priceTicks);
    if (this.#prices[index] !== priceTicks || this.#lots[index] < lots) {
      throw new Error(`the book has no ${lots} lots at ${priceTicks} ticks to take away`);
    }
    this.#lots[index] -= lots;
    if (this.#lots[index] > 0) return;
    this.#prices.splice(index, 1);
    this.#lots.splice(index, 1);
  }

  /**
   * Up to `count` levels, best first, grouped in steps of `groupTicks`. Prices are rounded away
   * from the other side, so that a grouped book never shows a better price than exists.
   */
  top(count: number, groupTicks: number): Level[] {
    const levels: { priceTicks: number; quantityLots: number }[] = [];
    for (let index = this.#prices.length - 1; index >= 0; index -= 1) {
      const steps = this.#prices[index] / groupTicks;
      const group = (this.#direction > 0 ? Math.floor(steps) : Math.ceil(steps)) * groupTicks;
      const last = levels.at(-1);
      if (last !== undefined && last.priceTicks === group) {
        last.quantityLots += this.#lots[index];
      } else if (levels.length === count) {
        break;
      } else {
        levels.push({ priceTicks: group, quantityLots: this.#lots[index] });
      }
    }
    return levels;
  }

  /** The levels at this price or a better one, best first. */
  through(priceTicks: number): Level[] {
    const levels: Level[] = [];
    const from = this.#indexOf(priceTicks);
    for (let index = this.#prices.length - 1; index >= from; index -= 1) {
      levels.push({ priceTicks: this.#prices[index], quantityLots: this.#lots[index] });
    }
    return levels;
  }

  state() {
    return { prices: this.#prices, lots: this.#lots };
  }

  restore({ prices, lots }: ReturnType<BookSide["state"]>): void {
    this.#prices = prices;
    this.#lots = lots;
  }

  /**
   * The index of the price, or where to insert it: the index of the first price that is not worse.
   */
  #indexOf(priceTicks: number): number {
    let low = 0;
    let high = this.#prices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#prices[middle] - priceTicks) * this.#direction < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

class MarketBook {
  readonly buy = new BookSide(1);
  readonly sell = new BookSide(-1);
  updateId = 0;
}

export class Books {
  readonly #books: MarketBook[] = [];

  /** Incremented by every change of a level; 0 for an untouched book. */
  updateId(marketId: number): number {
    return this.#books[marketId]?.updateId ?? 0;
  }
  /** The best bid in ticks, 0 if there are no bids. */
  bestBid(marketId: number): number {
    return this.#books[marketId]?.buy.best ?? 0;
  }
  /** The best ask in ticks, 0 if there are no asks. */
  bestAsk(marketId: number): number {
    return this.#books[marketId]?.sell.best ?? 0;
  }
  /** Up to `count` levels of a side, best first, grouped in steps of `groupTicks`. */
  levels(marketId: number, side: Side, count: number, groupTicks = 1): Level[] {
    return this.#books[marketId]?.[side].top(count, groupTicks) ?? [];
  }

  /** The quantity of a level, 0 if there is none. */
  lotsAt(marketId: number, side: Side, priceTicks: number): number {
    return this.#books[marketId]?.[side].lotsAt(priceTicks) ?? 0;
  }

  /** Records every level that changes from now on, until `unwatch`. */
  watch(marketId: number): LevelChanges {
    const changes = new LevelChanges();
    const book = this.#book(marketId);
    book.buy.watch(changes.buy);
    book.sell.watch(changes.sell);
    return changes;
  }
  unwatch(marketId: number, changes: LevelChanges): void {
    const book = this.#book(marketId);
    book.buy.unwatch(changes.buy);
    book.sell.unwatch(changes.sell);
  }

  /** The levels of a side that cross the other side, as they may in an auction; best first. */
  crossingLevels(marketId: number, side: Side): Level[] {
    const other = side === "buy" ? this.bestAsk(marketId) : this.bestBid(marketId);
    return other === 0 ? [] : (this.#books[marketId]?.[side].through(other) ?? []);
  }

  foldRested(event: EventOf<"orderRested" | "icebergRefilled">): void {
    const book = this.#book(event.marketId);
    book[event.side].add(event.priceTicks, event.visibleLots);
    book.updateId += 1;
  }
  foldAmended(event: EventOf<"orderAmended">): void {
    const book = this.#book(event.marketId);
    const side = book[event.side];
    const { previousPriceTicks, previousVisibleLots, priceTicks, visibleLots } = event;
    side.remove(previousPriceTicks, previousVisibleLots);
    if (visibleLots > 0) side.add(priceTicks, visibleLots);
    book.updateId += 1;
  }
  foldDecremented(event: EventOf<"quantityDecremented">): boolean {
    const lots = event.previousVisibleLots - event.visibleLots;
    if (lots === 0) return false;
    const book = this.#book(event.marketId);
    book[event.side].remove(event.priceTicks, lots);
    book.updateId += 1;
    return true;
  }
  foldTraded(event: EventOf<"traded">): void {
    const book = this.#book(event.marketId);
    const { auction, quantityLots, takerSide } = event;
    const [makers, takers] = takerSide === "buy" ? [book.sell, book.buy] : [book.buy, book.sell];
    makers.remove(auction?.makerTicks ?? event.priceTicks, quantityLots);
    // In an auction both orders rested.
    if (auction !== undefined) takers.remove(auction.takerTicks, quantityLots);
    book.updateId += 1;
  }
  foldEnded(event: EventOf<"orderEnded">): boolean {
    if (event.visibleLots === 0) return false;
    const book = this.#book(event.marketId);
    book[event.side].remove(event.priceTicks, event.visibleLots);
    book.updateId += 1;
    return true;
  }

  state() {
    return this.#books.map(({ buy, sell, updateId }) => ({
      buy: buy.state(),
      sell: sell.state(),
      updateId,
    }));
  }

  restore(state: ReturnType<Books["state"]>): void {
    state.forEach(({ buy, sell, updateId }, marketId) => {
      const book = this.#book(marketId);
      book.buy.restore(buy);
      book.sell.restore(sell);
      book.updateId = updateId;
    });
  }

  #book(marketId: number): MarketBook {
    return (this.#books[marketId] ??= new MarketBook());
  }
}

/**
 * The reference book: prices in a sorted array, an array of orders per price, no code shared with the
 * engine. It is slow and easy to verify by reading.
 */

/** Order-sensitive hash of fills: the same fills in another order give another value. */
export class FillHash {
  value = 0;
  trades = 0;

  add(makerOrderId: number, takerOrderId: number, price: number, lots: number): void {
    let value = Math.imul(this.value ^ makerOrderId, 0x85ebca6b);
    value = Math.imul((value ^ (value >>> 15) ^ takerOrderId) | 0, 0xc2b2ae35);
    value = Math.imul((value ^ (value >>> 13) ^ price) | 0, 0x27d4eb2f);
    this.value = Math.imul((value ^ (value >>> 16) ^ lots) | 0, 0x165667b1);
    this.trades++;
  }
}

interface NaiveOrder {
  readonly id: number;
  readonly isSell: boolean;
  readonly price: number;
  lots: number;
}

class NaiveSide {
  /** Sorted best first: ascending for asks, descending for bids. */
  readonly prices: number[] = [];
  readonly queues = new Map<number, NaiveOrder[]>();
  readonly #isSell: boolean;

  constructor(isSell: boolean) {
    this.#isSell = isSell;
  }

  add(order: NaiveOrder): void {
    const queue = this.queues.get(order.price);
    if (queue !== undefined) {
      queue.push(order);
      return;
    }
    this.queues.set(order.price, [order]);
    this.prices.splice(this.#indexOf(order.price), 0, order.price);
  }

  remove(order: NaiveOrder): void {
    const queue = this.queues.get(order.price) as NaiveOrder[];
    queue.splice(queue.indexOf(order), 1);
    if (queue.length > 0) return;
    this.queues.delete(order.price);
    this.prices.splice(this.#indexOf(order.price), 1);
  }

  #indexOf(price: number): number {
    let low = 0;
    let high = this.prices.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.prices[middle];
      if (this.#isSell ? other < price : other > price) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class NaiveBook {
  /** Called for every order that leaves the book. */
  onEnd: (orderId: number) => void = () => undefined;
  readonly #bids = new NaiveSide(false);
  readonly #asks = new NaiveSide(true);
  readonly #orders = new Map<number, NaiveOrder>();
  readonly #hash: FillHash;

  constructor(hash: FillHash) {
    this.#hash = hash;
  }

  get levelCount(): number {
    return this.#bids.prices.length + this.#asks.prices.length;
  }

  /** Places an order; returns whether part of it then rests. */
  place(id: number, isSell: boolean, price: number, lots: number, isImmediate: boolean): boolean {
    const opposite = isSell ? this.#bids : this.#asks;
    let left = lots;
    while (left > 0) {
      const best = opposite.prices[0];
      if (best === undefined || (isSell ? best < price : best > price)) break;
      const maker = (opposite.queues.get(best) as NaiveOrder[])[0];
      const traded = Math.min(left, maker.lots);
      this.#hash.add(maker.id, id, best, traded);
      maker.lots -= traded;
      left -= traded;
      if (maker.lots === 0) this.#end(maker);
    }
    if (left === 0 || isImmediate) return false;
    const order = { id, isSell, price, lots: left };
    (isSell ? this.#asks : this.#bids).add(order);
    this.#orders.set(id, order);
    return true;
  }

  /** @param id of a resting order */
  isSell(id: number): boolean {
    return this.#resting(id).isSell;
  }
  priceOf(id: number): number {
    return this.#resting(id).price;
  }

  /**
   * Cancels an order and places its remaining quantity at another price; returns whether part of it then
   * rests.
   */
  move(id: number, price: number): boolean {
    const { isSell, lots } = this.#resting(id);
    this.#take(this.#resting(id));
    return this.place(id, isSell, price, lots, false);
  }

  cancel(id: number): void {
    const order = this.#orders.get(id);
    if (order !== undefined) this.#end(order);
  }

  #resting(id: number): NaiveOrder {
    return this.#orders.get(id) as NaiveOrder;
  }

  #end(order: NaiveOrder): void {
    this.#take(order);
    this.onEnd(order.id);
  }

  #take(order: NaiveOrder): void {
    (order.isSell ? this.#asks : this.#bids).remove(order);
    this.#orders.delete(order.id);
  }
}

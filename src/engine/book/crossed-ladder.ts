/**
 * The prices of a market that does not trade continuously: bids and asks may stand at the same price
 * and beyond each other, so each side has a ladder of its own. It answers as a PriceLadder does.
 */
import type { LevelTable } from "./level-table.ts";
import { BID, PriceLadder } from "./price-ladder.ts";

export class CrossedLadder {
  readonly #bids: PriceLadder;
  readonly #asks: PriceLadder;

  constructor(levels: LevelTable) {
    this.#bids = new PriceLadder(levels);
    this.#asks = new PriceLadder(levels);
  }

  get bestBid(): number {
    return this.#bids.bestBid;
  }
  get bestAsk(): number {
    return this.#asks.bestAsk;
  }

  best(side: number): number {
    return this.#of(side).best(side);
  }

  find(side: number, priceTicks: number): number {
    return this.#of(side).find(side, priceTicks);
  }

  insert(side: number, priceTicks: number, level: number): void {
    this.#of(side).insert(side, priceTicks, level);
  }

  remove(side: number, priceTicks: number, level: number): void {
    this.#of(side).remove(side, priceTicks, level);
  }

  nextWorse(side: number, priceTicks: number): number {
    return this.#of(side).nextWorse(side, priceTicks);
  }

  #of(side: number): PriceLadder {
    return side === BID ? this.#bids : this.#asks;
  }
}

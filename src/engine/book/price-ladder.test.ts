import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LevelTable, NO_LEVEL } from "./level-table.ts";
import { ASK, BID, PriceLadder } from "./price-ladder.ts";

/** `expect(…).toBe(…)` for what is compared a million times, which vitest takes a second for. */
function expectToBe(actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) expect(actual).toBe(expected);
}

/** A ladder compared with the simplest model of it: a map of prices per side. */
class Pair {
  readonly levels = new LevelTable();
  readonly ladder = new PriceLadder(7, this.levels);
  readonly model = [new Map<number, number>(), new Map<number, number>()] as const;

  constructor(mayCross: boolean) {
    this.ladder.mayCross = mayCross;
  }

  sorted(side: number): number[] {
    return [...this.model[side as 0 | 1].keys()].sort((a, b) => (side === BID ? b - a : a - b));
  }

  /** Removes the level at a price, or inserts one, unless the book would cross and may not. */
  toggle(side: number, price: number): void {
    const known = this.model[side as 0 | 1].get(price);
    expectToBe(this.ladder.find(side, price), known ?? NO_LEVEL);
    if (known !== undefined) {
      this.model[side as 0 | 1].delete(price);
      this.ladder.remove(known);
    } else if (this.ladder.mayCross || !this.#crosses(side, price)) {
      const level = this.ladder.findOrAdd(side, price);
      expectToBe(this.levels.marketAndSideOf(level), 14 + side);
      expectToBe(this.ladder.findOrAdd(side, price), level);
      this.model[side as 0 | 1].set(price, level);
    }
  }

  expectSame(): void {
    for (const side of [BID, ASK]) expectToBe(this.#walk(side).join(), this.sorted(side).join());
  }

  #crosses(side: number, price: number): boolean {
    const best = this.sorted(side === BID ? ASK : BID)[0];
    return best !== undefined && (side === BID ? price >= best : price <= best);
  }

  /** The prices of a side as the ladder walks them. */
  #walk(side: number): number[] {
    const prices: number[] = [];
    let level = this.ladder.best(side);
    expectToBe(level, side === BID ? this.ladder.bestBid : this.ladder.bestAsk);
    while (level !== NO_LEVEL) {
      const price = this.levels.priceOf(level);
      prices.push(price);
      expectToBe(this.ladder.find(side, price), level);
      level = this.ladder.nextWorse(level);
    }
    return prices;
  }
}

const LARGEST = 2 ** 53 - 1;

/** Neighbours, prices that share only their highest digits, and the edges of digits. */
const price = fc.oneof(
  fc.integer({ min: 1, max: 60 }),
  fc.integer({ min: 1, max: 3000 }),
  fc.integer({ min: 1, max: 100_000 }),
  fc.integer({ min: 1, max: LARGEST }),
  fc
    .tuple(fc.integer({ min: 6, max: 52 }), fc.integer({ min: -2, max: 2 }))
    .map(([bits, ticks]) => 2 ** bits + ticks),
  fc.constantFrom(1, 63, 64, 2 ** 30 - 1, 2 ** 30, 2 ** 31, 2 ** 32, LARGEST - 1, LARGEST),
);
const toggles = fc.array(fc.tuple(fc.constantFrom(BID, ASK), price), {
  maxLength: 120,
  size: "max",
});

describe("a price ladder", () => {
  test.each([
    ["of both sides, which never cross", false],
    ["of each side, wherever the other stands", true],
  ])("walks any prices %s, from the best to the worst", (_, mayCross) => {
    fc.assert(
      fc.property(toggles, (all) => {
        const pair = new Pair(mayCross);
        for (const [side, at] of all) {
          pair.toggle(side, at);
          pair.expectSame();
        }
      }),
      { numRuns: 300 },
    );
  });

  test("follows a market that runs through a million ticks", () => {
    const pair = new Pair(false);
    for (let middle = 1000; middle < 1_000_000; middle += 997) {
      for (const at of pair.sorted(ASK).filter((ask) => ask <= middle)) pair.toggle(ASK, at);
      pair.toggle(BID, middle - 1);
      pair.toggle(ASK, middle + 1);
    }
    pair.expectSame();
    expect(pair.sorted(BID)).toHaveLength(1003);
  });

  test("keeps thousands of levels, together and far apart, and gives them up one by one", () => {
    const pair = new Pair(false);
    const aways = [
      ...Array.from({ length: 3000 }, (_, index) => 1 + index),
      ...Array.from({ length: 3000 }, (_, index) => 4000 + index * 1_000_003),
    ];
    const toggleAll = (order: readonly number[]) => {
      for (const away of order) {
        pair.toggle(BID, 2 ** 40 - away);
        pair.toggle(ASK, 2 ** 40 + away);
      }
    };
    toggleAll(aways);
    pair.expectSame();
    toggleAll(aways);
    pair.expectSame();
    expect(pair.sorted(BID)).toEqual([]);
    toggleAll(aways.toReversed());
    pair.expectSame();
  });

  test("refuses to be crossed unless it may", () => {
    const ladder = new PriceLadder(1, new LevelTable());
    ladder.findOrAdd(BID, 100);
    expect(() => ladder.findOrAdd(ASK, 99)).toThrow("never crosses");
    ladder.mayCross = true;
    const ask = ladder.findOrAdd(ASK, 98);
    expect(ladder.bestAsk).toBe(ask);
  });

  test("refuses to remove a level twice", () => {
    const ladder = new PriceLadder(1, new LevelTable());
    ladder.findOrAdd(BID, 99);
    const level = ladder.findOrAdd(BID, 100);
    ladder.remove(level);
    expect(() => ladder.remove(level)).toThrow("is there");
  });

  test("shares its nodes with the ladders of other markets", () => {
    const levels = new LevelTable();
    const ladders = Array.from({ length: 50 }, (_, index) => new PriceLadder(index + 1, levels));
    for (let tick = 1; tick < 300; tick++) {
      for (const ladder of ladders)
        ladder.findOrAdd(tick % 2 === 0 ? BID : ASK, 2000 * (tick % 2) + tick);
      if (tick % 3 === 0) {
        for (const ladder of ladders)
          ladder.remove(tick % 2 === 0 ? ladder.bestBid : ladder.bestAsk);
      }
    }
    const walks = ladders.map((ladder) => {
      const prices: number[] = [];
      for (const side of [BID, ASK]) {
        let level = ladder.best(side);
        while (level !== NO_LEVEL) {
          expectToBe(levels.marketAndSideOf(level) & 1, side);
          prices.push(levels.priceOf(level));
          level = ladder.nextWorse(level);
        }
      }
      return prices;
    });
    expect(walks[0]).toHaveLength(200);
    for (const walk of walks) expect(walk).toEqual(walks[0]);
  });
});

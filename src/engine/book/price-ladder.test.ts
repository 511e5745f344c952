import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LevelTable, NO_LEVEL } from "./level-table.ts";
import { ASK, BID, PriceLadder } from "./price-ladder.ts";

/** A ladder beside the plainest model of it: a map of prices per side. */
class Pair {
  readonly levels = new LevelTable();
  readonly ladder = new PriceLadder(this.levels);
  readonly model = [new Map<number, number>(), new Map<number, number>()] as const;

  sorted(side: number): number[] {
    return [...this.model[side].keys()].sort((a, b) => (side === BID ? b - a : a - b));
  }

  crosses(side: number, price: number): boolean {
    const best = this.sorted(side === BID ? ASK : BID)[0];
    return best !== undefined && (side === BID ? price >= best : price <= best);
  }

  toggle(side: number, price: number): void {
    const known = this.model[side as 0 | 1].get(price);
    if (known !== undefined) {
      this.model[side as 0 | 1].delete(price);
      this.ladder.remove(side, price, known);
      this.levels.free(known);
    } else if (!this.crosses(side, price)) {
      const level = this.levels.allocate(side, price);
      this.model[side as 0 | 1].set(price, level);
      this.ladder.insert(side, price, level);
    }
  }

  /** The prices of a side as the ladder walks them. */
  walk(side: number): number[] {
    const prices: number[] = [];
    let level = this.ladder.best(side);
    while (level !== NO_LEVEL) {
      const price = this.levels.priceOf(level);
      prices.push(price);
      expect(this.ladder.find(side, price)).toBe(level);
      level = this.ladder.nextWorse(side, price);
    }
    return prices;
  }
}

const price = fc.oneof(
  fc.integer({ min: 1, max: 60 }),
  fc.integer({ min: 1, max: 3000 }),
  fc.integer({ min: 1, max: 100_000 }),
  fc.constantFrom(1, 1023, 1024, 2 ** 31, 2 ** 32, 2 ** 53 - 1),
);

describe("a price ladder", () => {
  test("walks any prices of both sides from the best to the worst", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(BID, ASK), price), { maxLength: 120, size: "max" }),
        (toggles) => {
          const pair = new Pair();
          for (const [side, at] of toggles) {
            pair.toggle(side, at);
            expect(pair.walk(BID)).toEqual(pair.sorted(BID));
            expect(pair.walk(ASK)).toEqual(pair.sorted(ASK));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("follows a market that runs through a million ticks", () => {
    const pair = new Pair();
    for (let middle = 1000; middle < 1_000_000; middle += 997) {
      for (const at of pair.sorted(ASK).filter((ask) => ask <= middle)) pair.toggle(ASK, at);
      pair.toggle(BID, middle - 1);
      pair.toggle(ASK, middle + 1);
    }
    expect(pair.walk(BID)).toEqual(pair.sorted(BID));
    expect(pair.walk(ASK)).toEqual(pair.sorted(ASK));
    expect(pair.walk(BID)).toHaveLength(1003);
  });

  test("widens for many levels and keeps those beyond its bound", () => {
    const pair = new Pair();
    for (let away = 1; away <= 12_000; away += 3) {
      pair.toggle(BID, 500_000 - away * 9);
      pair.toggle(ASK, 500_000 + away * 9);
    }
    expect(pair.walk(BID)).toEqual(pair.sorted(BID));
    expect(pair.walk(ASK)).toEqual(pair.sorted(ASK));
  });
});

test("a ladder of both sides refuses to be crossed", () => {
  const levels = new LevelTable();
  const ladder = new PriceLadder(levels);
  ladder.insert(BID, 100, levels.allocate(BID, 100));
  expect(() => ladder.insert(ASK, 99, levels.allocate(ASK, 99))).toThrow("never crosses");
});

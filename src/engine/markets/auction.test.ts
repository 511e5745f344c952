import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AuctionLevel, type Uncrossing, uncrossingOf } from "./auction.ts";

/** "105:10 104:5" */
const side = (text: string): AuctionLevel[] =>
  text
    .split(" ")
    .filter((level) => level !== "")
    .map((level) => {
      const [priceTicks, lots] = level.split(":").map(Number);
      return { priceTicks, lots };
    });

const uncross = (bids: string, asks: string, referenceTicks = 0) =>
  uncrossingOf(side(bids), side(asks), referenceTicks);
const at = (priceTicks: number, volumeLots: number, surplusLots: number): Uncrossing => ({
  priceTicks,
  volumeLots,
  surplusLots,
});

describe("a crossed book", () => {
  test("trades the most that can be traded at one price", () => {
    // At 101 the demand is five and the supply ten, at 100 the demand is fifteen and the supply four.
    expect(uncross("102:5 100:10", "99:4 101:6")).toEqual(at(101, 5, -5));
  });

  test("leaves the least over where several prices trade the same", () => {
    // Ten trade from 100 to 103; up to 101 the demand is twelve, from 102 on exactly ten.
    expect(uncross("103:10 101:2", "100:10")).toEqual(at(102, 10, 0));
  });

  test("trades nearest to the last price where that leaves a choice", () => {
    expect(uncross("105:10", "95:10", 100)).toEqual(at(100, 10, 0));
    expect(uncross("105:10", "95:10", 90)).toEqual(at(95, 10, 0));
    expect(uncross("105:10", "95:10", 200)).toEqual(at(105, 10, 0));
  });

  test("trades at the lowest such price where there was no trade before", () => {
    expect(uncross("105:10", "95:10")).toEqual(at(95, 10, 0));
  });

  test("that only touches trades at that price", () => {
    expect(uncross("100:3", "100:7", 50)).toEqual(at(100, 3, -4));
  });
});

test("a book that does not cross is left alone", () => {
  expect(uncross("99:5", "100:5", 100)).toBeUndefined();
  expect(uncross("99:5", "", 100)).toBeUndefined();
  expect(uncross("", "100:5", 100)).toBeUndefined();
  expect(uncross("", "")).toBeUndefined();
});

/** Tries every price, as the rule defines it. */
function byTrying(
  bids: readonly AuctionLevel[],
  asks: readonly AuctionLevel[],
  referenceTicks: number,
): Uncrossing | undefined {
  const sum = (levels: readonly AuctionLevel[]) => levels.reduce((all, { lots }) => all + lots, 0);
  const prices = Array.from({ length: 60 }, (_, priceTicks): Uncrossing => {
    const wanted = sum(bids.filter((level) => level.priceTicks >= priceTicks));
    const offered = sum(asks.filter((level) => level.priceTicks <= priceTicks));
    return at(priceTicks, Math.min(wanted, offered), wanted - offered);
  }).filter(({ volumeLots }) => volumeLots > 0);
  const distance = ({ priceTicks }: Uncrossing) =>
    referenceTicks === 0 ? priceTicks : Math.abs(priceTicks - referenceTicks);
  return prices.toSorted(
    (a, b) =>
      b.volumeLots - a.volumeLots ||
      Math.abs(a.surplusLots) - Math.abs(b.surplusLots) ||
      distance(a) - distance(b) ||
      a.priceTicks - b.priceTicks,
  )[0];
}

test("the price is the one that trying every price finds, and what is left does not cross", () => {
  const levels = fc.uniqueArray(
    fc.record({
      priceTicks: fc.integer({ min: 1, max: 50 }),
      lots: fc.integer({ min: 1, max: 9 }),
    }),
    { selector: ({ priceTicks }) => priceTicks, maxLength: 12 },
  );
  const reference = fc.integer({ min: 0, max: 55 });
  fc.assert(
    fc.property(levels, levels, reference, (unsortedBids, unsortedAsks, referenceTicks) => {
      const bids = unsortedBids.toSorted((a, b) => b.priceTicks - a.priceTicks);
      const asks = unsortedAsks.toSorted((a, b) => a.priceTicks - b.priceTicks);
      const found = uncrossingOf(bids, asks, referenceTicks);
      expect(found).toEqual(byTrying(bids, asks, referenceTicks));
      if (found === undefined) return;
      const bestAfter = (side: readonly AuctionLevel[]) => {
        let left = found.volumeLots;
        return side.find(({ lots }) => (left -= lots) < 0)?.priceTicks;
      };
      expect(bestAfter(bids) ?? 0).toBeLessThan(bestAfter(asks) ?? Infinity);
    }),
    { numRuns: 5000 },
  );
});

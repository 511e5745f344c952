import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CrossedLadder } from "./crossed-ladder.ts";
import { LevelTable, NO_LEVEL } from "./level-table.ts";
import { ASK, BID } from "./price-ladder.ts";

const price = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 1, max: 5000 }),
  fc.constantFrom(1, 1023, 1024, 2 ** 31, 2 ** 53 - 1),
);
const toggles = fc.array(fc.tuple(fc.constantFrom(BID, ASK), price), {
  maxLength: 120,
  size: "max",
});

test("walks each side from its best to its worst, wherever the other side stands", () => {
  fc.assert(
    fc.property(toggles, (all) => {
      const levels = new LevelTable();
      const ladder = new CrossedLadder(levels);
      const model = [new Map<number, number>(), new Map<number, number>()];
      for (const [side, priceTicks] of all) {
        const known = model[side].get(priceTicks);
        expect(ladder.find(side, priceTicks)).toBe(known ?? NO_LEVEL);
        if (known === undefined) {
          const level = levels.allocate(side, priceTicks);
          model[side].set(priceTicks, level);
          ladder.insert(side, priceTicks, level);
        } else {
          model[side].delete(priceTicks);
          ladder.remove(side, priceTicks, known);
          levels.free(known);
        }
        for (const checked of [BID, ASK]) {
          const walked: number[] = [];
          let level = ladder.best(checked);
          expect(level).toBe(checked === BID ? ladder.bestBid : ladder.bestAsk);
          while (level !== NO_LEVEL) {
            const at = levels.priceOf(level);
            walked.push(at);
            level = ladder.nextWorse(checked, at);
          }
          const sign = checked === BID ? -1 : 1;
          expect(walked).toEqual([...model[checked].keys()].sort((a, b) => sign * (a - b)));
        }
      }
    }),
    { numRuns: 300 },
  );
});

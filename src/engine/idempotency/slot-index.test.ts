import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SlotIndex } from "./slot-index.ts";

/** All slots that a search for this hash probes. */
function found(index: SlotIndex, hash: number): number[] {
  const slots: number[] = [];
  for (let cell = index.start(hash); index.isTaken(cell); cell = index.after(cell)) {
    if (index.hashAt(cell) === hash) slots.push(index.slotAt(cell));
  }
  return slots.sort((a, b) => a - b);
}

// Around the end of a small table, so that displaced entries wrap around to its beginning.
const hash = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: 0, max: 7 }),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
);

test("the index finds what was added and not removed, however the hashes crowd", () => {
  const changes = fc.array(fc.tuple(hash, fc.boolean()), { maxLength: 120 });
  fc.assert(
    fc.property(fc.array(hash, { maxLength: 20 }), changes, (initial, steps) => {
      const index = new SlotIndex(4);
      index.addAll(Int32Array.from(initial));
      const slots = new Map(initial.map((value, slot) => [slot, value]));
      let next = initial.length;
      for (const [value, adds] of steps) {
        const victim = [...slots].find(([, of]) => of === value);
        if (adds || victim === undefined) {
          index.add(value, next);
          slots.set(next++, value);
        } else {
          index.remove(value, victim[0]);
          slots.delete(victim[0]);
        }
        const hashes = [...slots.values(), value];
        for (const each of hashes) {
          const expected = [...slots].filter(([, of]) => of === each).map(([slot]) => slot);
          expect(found(index, each)).toEqual(expected);
        }
      }
    }),
  );
});

test("a hundred thousand slots put in at once are all found", () => {
  const hashes = Int32Array.from({ length: 100_000 }, (_, slot) => Math.imul(slot, 0x9e3779b1));
  const index = new SlotIndex();
  index.addAll(hashes);
  const lost = [...hashes.keys()].filter((slot) => !found(index, hashes[slot]).includes(slot));
  expect(lost).toEqual([]);
});

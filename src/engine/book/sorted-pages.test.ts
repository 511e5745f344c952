import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SortedPages } from "./sorted-pages.ts";

describe("sorted pages", () => {
  test("hold what a sorted array would hold, through any additions and removals", () => {
    const step = fc.record({
      action: fc.constantFrom("add", "add", "add", "add", "add", "remove", "pop", "takeLast"),
      value: fc.integer({ min: 0, max: 2000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 2000, size: "max" }), (steps) => {
        const pages = new SortedPages<number>((left, right) => left < right);
        const model = new Set<number>();
        for (const { action, value } of steps) {
          if (action === "add" && !model.has(value)) {
            pages.add(value);
            model.add(value);
          } else if (action === "remove" && model.has(value)) {
            expect(pages.remove(value)).toBe(true);
            model.delete(value);
          } else if (action === "pop" && model.size > 0) {
            model.delete(pages.last() as number);
            pages.pop();
          } else if (action === "takeLast") {
            // Occasionally take all, but usually only a few, so that many remain.
            const from = value % 40 === 0 ? value : 2000 - Math.floor(value / 20);
            const taken = pages.takeLast((item) => item >= from);
            const expected = [...model].filter((item) => item >= from).toSorted(ascending);
            expect([...taken.fromLast()]).toEqual(expected.toReversed());
            expect(taken.length).toBe(expected.length);
            for (const item of expected) model.delete(item);
          }
        }
        expect(pages.length).toBe(model.size);
        const left = [...model].toSorted(ascending);
        for (const value of left.toReversed()) {
          expect(pages.last()).toBe(value);
          pages.pop();
        }
        expect(pages.last()).toBeUndefined();
      }),
      { numRuns: 20 },
    );
  });

  test("hold thousands in order", () => {
    const pages = new SortedPages<number>((left, right) => left < right);
    for (let value = 0; value < 1 << 12; value++) pages.add((value * 40_503) % 65_537);
    const items = [...pages.fromLast()];
    expect(items).toEqual(items.toSorted(ascending).toReversed());
  });

  test("look at few of many items to find the place of one", () => {
    let looks = 0;
    const pages = new SortedPages<number>((left, right) => {
      looks++;
      return left < right;
    });
    for (let value = 0; value < 1 << 16; value++) pages.add((value * 40_503) % 65_537);
    looks = 0;
    pages.remove(pages.last() as number);
    pages.add(32_768.5);
    pages.remove(32_768.5);
    expect(looks).toBeLessThan(3 * 20);
  });

  test("give all of them away after looking at few", () => {
    let looks = 0;
    const pages = new SortedPages<number>((left, right) => left < right);
    for (let value = 0; value < 1 << 16; value++) pages.add((value * 40_503) % 65_537);
    const taken = pages.takeLast((item) => {
      looks++;
      return item > 7;
    });
    expect(taken.length).toBeGreaterThan(65_000);
    expect(pages.length + taken.length).toBe(1 << 16);
    expect(looks).toBeLessThan(3 * 20);
  });

  test("remove nothing where something is not there", () => {
    const pages = new SortedPages<number>((left, right) => left < right);
    expect(pages.remove(1)).toBe(false);
    pages.add(2);
    expect([1, 3].map((item) => pages.remove(item))).toEqual([false, false]);
    expect(pages.length).toBe(1);
  });
});

function ascending(left: number, right: number): number {
  return left - right;
}

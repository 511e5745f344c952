import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LevelTable } from "./level-table.ts";
import { NO_ORDER, OrderTable } from "./order-table.ts";

describe("the order table", () => {
  test("finds every open order and no other, whatever ids share a chain", () => {
    const step = fc.record({
      isEnd: fc.boolean(),
      chain: fc.nat({ max: 3 }),
      round: fc.nat({ max: 5 }),
    });
    const rounds = [0, 1, 2, 3, 4, 5];
    const all = [1, 2, 3, 4].flatMap((id) => rounds.map((round) => id + round * 2 ** 20));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
        const table = new OrderTable(new LevelTable());
        const open = new Map<number, number>();
        for (const { isEnd, chain, round } of steps) {
          const orderId = 1 + chain + round * 2 ** 20;
          const slot = open.get(orderId);
          if (isEnd && slot !== undefined) {
            table.free(slot);
            open.delete(orderId);
          } else if (!isEnd && slot === undefined) {
            open.set(orderId, table.allocate(orderId));
          }
          const found = all.map((id) => table.find(id));
          expect(found.join()).toBe(all.map((id) => open.get(id) ?? NO_ORDER).join());
          expect(table.count).toBe(open.size);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("keeps finding its orders while it grows, and hands out slots again", () => {
    const table = new OrderTable(new LevelTable());
    const slots = Array.from({ length: 5000 }, (_, index) => table.allocate(index + 1));
    expect(slots.map((_, index) => table.find(index + 1))).toEqual(slots);
    for (const slot of slots) table.free(slot);
    const again = Array.from({ length: 5000 }, (_, index) => table.allocate(2 ** 40 + index));
    expect(new Set(again)).toEqual(new Set(slots));
    expect(table.find(2 ** 40 + 7)).toBe(again[7]);
    expect(table.find(7)).toBe(NO_ORDER);
  });

  test("is full while the other orders of a list still find a row", () => {
    const table = new OrderTable(new LevelTable(), 1 << 11);
    let orderId = 0;
    while (!table.isFull) table.allocate(++orderId);
    for (let further = 0; further < 2; further++) table.allocate(++orderId);
    expect(orderId).toBe((1 << 11) - 1);
    expect(() => table.allocate(++orderId)).toThrow("within its bound");
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Timers, type Timer } from "./timers.ts";

describe("timers", () => {
  test("come out by time, then kind, then id, whatever was added and removed between", () => {
    const step = fc.record({
      dueMs: fc.nat({ max: 6 }),
      kind: fc.nat({ max: 1 }),
      id: fc.nat({ max: 9 }),
      action: fc.constantFrom("add", "add", "add", "remove", "take"),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
        const timers = new Timers();
        let waiting: Timer[] = [];
        for (const { dueMs, kind, id, action } of steps) {
          if (action === "add") {
            waiting.push(timers.add(dueMs, kind, id));
          } else if (action === "remove") {
            const timer = waiting.splice(id, 1)[0];
            if (timer !== undefined) timers.remove(timer);
          } else {
            const due = waiting
              .filter((timer) => timer.dueMs <= dueMs)
              .toSorted((a, b) => a.dueMs - b.dueMs || a.kind - b.kind || a.id - b.id)[0];
            const taken = timers.takeDue(dueMs);
            expect(taken && [taken.dueMs, taken.kind, taken.id]).toEqual(
              due && [due.dueMs, due.kind, due.id],
            );
            waiting = waiting.filter((timer) => timer !== taken);
          }
          expect(timers.nextMs).toBe(Math.min(Infinity, ...waiting.map((timer) => timer.dueMs)));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("that are not due stay", () => {
    const timers = new Timers();
    timers.add(10, 0, 1);
    expect(timers.takeDue(9)).toBeUndefined();
    expect(timers.takeDue(10)).toMatchObject({ id: 1, index: -1 });
    expect(timers.takeDue(10)).toBeUndefined();
  });

  test("are full while each market can still be halted and a list still be placed", () => {
    const timers = new Timers(5000);
    while (!timers.isFull) timers.add(1, 0, 1);
    for (let kept = 0; kept < 4096 + 2; kept++) timers.add(1, 3, kept);
    expect(() => timers.add(1, 0, 1)).toThrow("room for a timer");
  });
});

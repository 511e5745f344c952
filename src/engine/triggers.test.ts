import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OrderDetails, type TriggerKind } from "./order-details.ts";
import { Triggers, follow, isReached } from "./triggers.ts";

interface Asked {
  readonly trigger: Exclude<TriggerKind, "none">;
  readonly activatesAbove: boolean;
  readonly ticks: number;
}

function waiting(orderId: number, { trigger, activatesAbove, ticks }: Asked, lastTicks: number) {
  const details = new OrderDetails(orderId, "");
  details.waitsFor = "trigger";
  details.trigger = trigger;
  details.activatesAbove = activatesAbove;
  if (trigger === "trailingStop") {
    details.trailBps = 1 + (ticks % 500);
    follow(details, lastTicks);
  } else {
    details.triggerTicks = ticks;
  }
  return details;
}

describe("the triggers of a market", () => {
  const step = fc.record({
    action: fc.constantFrom("add", "add", "add", "remove", "see", "see"),
    trigger: fc.constantFrom("stop", "takeProfit", "trailingStop"),
    activatesAbove: fc.boolean(),
    ticks: fc.integer({ min: 900, max: 1100 }),
    nth: fc.nat({ max: 20 }),
  });

  test("give out what every single order would say for itself, by order id", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
        const triggers = new Triggers();
        let lastTicks = 1000;
        let orders: { real: OrderDetails; model: OrderDetails }[] = [];
        for (const [index, asked] of steps.entries()) {
          if (asked.action === "add") {
            const real = waiting(index + 1, asked, lastTicks);
            if (isReached(real, lastTicks)) continue;
            triggers.add(real);
            orders.push({ real, model: waiting(index + 1, asked, lastTicks) });
          } else if (asked.action === "remove") {
            const [removed] = orders.splice(asked.nth, 1);
            if (removed !== undefined) triggers.remove(removed.real);
          } else {
            lastTicks = asked.ticks;
            const reached: number[] = [];
            if (triggers.isReachedBy(lastTicks)) triggers.see(lastTicks, reached);
            for (const { model } of orders) {
              if (model.trigger === "trailingStop") follow(model, lastTicks);
            }
            const due = orders.filter(({ model }) => isReached(model, lastTicks));
            expect(reached).toEqual(due.map(({ model }) => model.orderId));
            orders = orders.filter((order) => !due.includes(order));
          }
          for (const { real, model } of orders) {
            expect(real.triggerTicks).toBe(model.triggerTicks);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test("refuses more than it has room for", () => {
    const triggers = new Triggers();
    for (let orderId = 1; orderId <= 1024; orderId++) {
      expect(triggers.hasRoomFor(1, 1)).toBe(true);
      const asked = { trigger: "trailingStop", activatesAbove: false, ticks: 7 } as const;
      triggers.add(waiting(orderId, asked, 1000));
    }
    expect(triggers.hasRoomFor(1, 1)).toBe(false);
    expect(triggers.hasRoomFor(1, 0)).toBe(true);
    expect(triggers.hasRoomFor((1 << 16) - 1024, 0)).toBe(true);
    expect(triggers.hasRoomFor((1 << 16) - 1023, 0)).toBe(false);
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Activations } from "../orders/activations.ts";
import type { Ticks } from "../amount.ts";
import type { OrderTrigger } from "../commands.ts";
import { OrderDetails, restingTerms } from "../orders/order-details.ts";
import { Triggers, follow, isReached } from "./triggers.ts";

interface Asked {
  readonly trigger: OrderTrigger["kind"];
  readonly activatesAbove: boolean;
  readonly ticks: number;
}

function waiting(orderId: number, { trigger, activatesAbove, ticks }: Asked, lastTicks: number) {
  const asked: OrderTrigger =
    trigger === "trailingStop"
      ? { kind: trigger, trailBps: 1 + (ticks % 500) }
      : { kind: trigger, triggerTicks: ticks as Ticks };
  const details = new OrderDetails(orderId, restingTerms({ trigger: asked }));
  details.waitsFor = "trigger";
  details.activatesAbove = activatesAbove;
  if (trigger === "trailingStop") {
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
            const activations = new Activations();
            if (triggers.isReachedBy(lastTicks)) triggers.onPrice(lastTicks, activations, Infinity);
            for (const { model } of orders) {
              if (model.isTrailing) follow(model, lastTicks);
            }
            const due = orders.filter(({ model }) => isReached(model, lastTicks));
            expect([...activations]).toEqual(due.map(({ model }) => model.orderId));
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

  test("set free those that are reached first where they are more than one command may activate", () => {
    const asked = fc.record({
      trigger: fc.constantFrom("stop", "takeProfit", "trailingStop"),
      activatesAbove: fc.boolean(),
      ticks: fc.integer({ min: 900, max: 1100 }),
    });
    const limits = { ordersMax: fc.integer({ min: 1, max: 300 }), before: fc.nat({ max: 3 }) };
    const price = fc.integer({ min: 900, max: 1100 });
    fc.assert(
      fc.property(
        fc.array(asked, { maxLength: 600, size: "max" }),
        price,
        fc.record(limits),
        (all, lastTicks, { ordersMax, before }) => {
          const triggers = new Triggers();
          const activations = new Activations();
          for (let orderId = 1; orderId <= before; orderId++) activations.push(orderId);
          const orders = all
            .map((each, index) => waiting(10 + index, each, 1000))
            .filter((details) => !isReached(details, 1000));
          for (const details of orders) triggers.add(details);
          const due = orders.filter(({ orderId, isTrailing }) => {
            const model = waiting(orderId, all[orderId - 10], 1000);
            if (isTrailing) follow(model, lastTicks);
            return isReached(model, lastTicks);
          });
          triggers.onPrice(lastTicks, activations, ordersMax);

          const isMany = before + due.length > ordersMax;
          const turn = (order: OrderDetails) => {
            if (!isMany) return 0;
            if (order.isTrailing) return 2;
            return order.activatesAbove ? 0 : 1;
          };
          const distance = (order: OrderDetails) =>
            isMany && !order.isTrailing ? Math.abs(order.triggerTicks - 1000) : 0;
          const expected = due
            .toSorted(
              (a, b) => turn(a) - turn(b) || distance(a) - distance(b) || a.orderId - b.orderId,
            )
            .map(({ orderId }) => orderId);
          const found = [...activations];
          expect(found.slice(before)).toEqual(expected);
          expect(activations.length).toBe(found.length);
          // All of them have been taken out, and may end before their turn.
          for (const details of due) triggers.remove(details);
          expect(triggers.isReachedBy(lastTicks)).toBe(false);
          const rest = orders.filter((order) => !due.includes(order));
          for (const details of rest) triggers.remove(details);
          expect(triggers.upperTicks).toBe(Infinity);
          expect(found.map(() => activations.take())).toEqual(found);
          expect(activations.length).toBe(0);
        },
      ),
      { numRuns: 200 },
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

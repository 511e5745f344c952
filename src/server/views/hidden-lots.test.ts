/** The views' book, including hidden lots, equals the quantities that the engine would trade. */
import { deepStrictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import type { Step } from "#test/engine/commands.ts";
import { houseOpening, houseStep } from "#test/engine/house-commands.ts";
import { START_MS, aimed, orderStep, prelude } from "#test/engine/order-commands.ts";
import { Views } from "./views.ts";

const SIDES = ["buy", "sell"] as const;
let hasHidden = false;

function check(steps: readonly Step[]): void {
  const engine = createEngine();
  const views = new Views();
  const events = new EventBuffer();
  let nowMs = START_MS;
  for (const drawn of steps) {
    const { afterMs, command } = aimed(drawn, engine);
    nowMs += afterMs;
    engine.apply(engine.sequence + 1, nowMs, "", command, events);
    views.fold(events.decode());
    events.clear();
    compare(engine, views);
  }
}

function compare(engine: Engine, views: Views): void {
  for (let marketId = 1; marketId <= engine.read.marketCount; marketId++) {
    for (const side of SIDES) {
      const there = new Map<number, number>();
      for (const { priceTicks, remainingLots } of engine.read.bookOrders(marketId, side)) {
        there.set(priceTicks, (there.get(priceTicks) ?? 0) + remainingLots);
      }
      const hidden = views.hiddenLots.byPrice(marketId, side);
      hasHidden ||= hidden.size > 0;
      const known = views.books
        .levels(marketId, side, Infinity)
        .map(({ priceTicks, quantityLots }): [number, number] => [
          priceTicks,
          quantityLots + (hidden.get(priceTicks) ?? 0),
        ]);
      deepStrictEqual(known, [...there]);
    }
  }
}

test("every sequence of orders leaves as much at each price as there is to trade", () => {
  const opening = houseOpening().map((command) => ({ command, afterMs: 0, idempotencyKey: "" }));
  const step = fc.oneof(
    { weight: 4, arbitrary: orderStep("tight") },
    { weight: 1, arbitrary: houseStep },
  );
  const steps = fc.array(step, { minLength: 1, maxLength: 80, size: "max" });
  fc.assert(
    fc.property(steps, (sequence) => check([...opening, ...prelude, ...sequence])),
    { numRuns: 150, seed: 1 },
  );
  expect(hasHidden).toBe(true);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { acquireUnits, disposeOfUnits, FifoPosition, type Position } from "./cost-basis.ts";

type Step =
  | { readonly type: "buy"; readonly units: number; readonly cost: bigint }
  | { readonly type: "sell"; readonly share: number; readonly proceeds: bigint };

const money = fc.bigInt({ min: 0n, max: 10n ** 12n });
const steps = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant("buy" as const),
      units: fc.integer({ min: 0, max: 50 }),
      cost: money,
    }),
    fc.record({
      type: fc.constant("sell" as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      proceeds: money,
    }),
  ),
  { maxLength: 40 },
);

/** A fraction of settlement units: what one unit has cost. */
interface UnitCost {
  readonly purchase: number;
  readonly cost: bigint;
  readonly of: bigint;
}

interface Outcome {
  readonly quantity: number;
  readonly cost: bigint;
  readonly realisedProfit: bigint;
}

interface Played {
  readonly average: Outcome;
  readonly fifo: Outcome;
  /** The sum of all payments, and the sum of all proceeds. */
  readonly paid: bigint;
  readonly received: bigint;
  /** The remaining units, by a plain list of single units, oldest first. */
  readonly left: readonly UnitCost[];
  readonly sales: number;
}

function play(given: readonly Step[]): Played {
  const average: Position = { quantity: 0, cost: 0n, realisedProfit: 0n };
  const fifo = new FifoPosition();
  let left: UnitCost[] = [];
  let [paid, received] = [0n, 0n];
  let sales = 0;
  for (const [purchase, step] of given.entries()) {
    if (step.type === "buy") {
      acquireUnits(average, step.units, step.cost);
      fifo.acquire(step.units, step.cost);
      const unit = { purchase, cost: step.cost, of: BigInt(step.units) };
      left.push(...Array.from({ length: step.units }, () => unit));
      paid += step.cost;
      continue;
    }
    const units = Math.floor(average.quantity * step.share);
    if (units === 0) continue;
    disposeOfUnits(average, units, step.proceeds);
    fifo.dispose(units, step.proceeds);
    left = left.slice(units);
    received += step.proceeds;
    sales += 1;
  }
  return { average, fifo, paid, received, left, sales };
}

test("nothing that was paid or received is lost, by either method", () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { average, fifo, paid, received } = play(given);
      for (const { cost, realisedProfit } of [average, fifo]) {
        expect(realisedProfit - cost).toBe(received - paid);
      }
      expect(fifo.quantity).toBe(average.quantity);
    }),
  );
});

test("first in, first out leaves what a plain list of units leaves", () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { fifo, left, sales } = play(given);
      expect(fifo.quantity).toBe(left.length);
      // Whole purchases cost exactly the amount paid; for the one that is partly sold, each sale rounded
      // once.
      const purchases = Map.groupBy(left, ({ purchase }) => purchase);
      let exact = 0n;
      for (const units of purchases.values()) {
        const [{ cost, of }] = units;
        exact += (cost * BigInt(units.length)) / of;
      }
      expect(fifo.cost).toBeGreaterThanOrEqual(exact);
      expect(fifo.cost).toBeLessThanOrEqual(exact + BigInt(sales) + 1n);
    }),
  );
});

test("what is sold last earns the rest: nothing remains of an empty position", () => {
  fc.assert(
    fc.property(steps, money, (given, proceeds) => {
      const all: Step[] = [...given, { type: "sell", share: 1, proceeds }];
      const { average, fifo, paid, received } = play(all);
      for (const position of [average, fifo]) {
        expect(position).toMatchObject({ quantity: 0, cost: 0n });
        expect(position.realisedProfit).toBe(received - paid);
      }
    }),
  );
});

test("a sale takes the oldest purchase's cost, or its share of the average", () => {
  const { average, fifo } = play([
    { type: "buy", units: 10, cost: 1_000n },
    { type: "buy", units: 10, cost: 3_000n },
    { type: "sell", share: 0.5, proceeds: 2_500n },
  ]);
  expect(average).toMatchObject({ quantity: 10, cost: 2_000n, realisedProfit: 500n });
  expect(fifo).toMatchObject({ quantity: 10, cost: 3_000n, realisedProfit: 1_500n });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  AMOUNT_MAX,
  type Amount,
  type Bps,
  divideRoundingDown,
  divideRoundingUp,
  feeOn,
  isAmount,
  parseUnits,
  shareOf,
} from "./amount.ts";

const amount = fc.oneof(
  fc.maxSafeNat(),
  fc.nat({ max: 100_000 }),
  fc.nat({ max: 100 }).map((less) => AMOUNT_MAX - less),
);

describe("amounts", () => {
  test("are integers from 0 that float64 holds exactly", () => {
    for (const value of [0, 1, AMOUNT_MAX]) expect(isAmount(value)).toBe(true);
    for (const value of [-1, 0.5, AMOUNT_MAX + 1, NaN, Infinity])
      expect(isAmount(value)).toBe(false);
  });

  test("divide with the rounding that the name says, exactly over the whole range", () => {
    fc.assert(
      fc.property(
        amount,
        fc.oneof(
          fc.integer({ min: 1, max: 20_000 }),
          fc.maxSafeNat().map((n) => n + 1),
        ),
        (a, b) => {
          fc.pre(b <= AMOUNT_MAX);
          expect(BigInt(divideRoundingDown(a, b))).toBe(BigInt(a) / BigInt(b));
          expect(BigInt(divideRoundingUp(a, b))).toBe((BigInt(a) + BigInt(b) - 1n) / BigInt(b));
        },
      ),
      { numRuns: 5000 },
    );
  });
});

describe("a fee", () => {
  test("is the exact share rounded up, for every amount and rate", () => {
    fc.assert(
      fc.property(amount, fc.nat({ max: 10_000 }), (value, bps) => {
        const exact = (BigInt(value) * BigInt(bps) + 9_999n) / 10_000n;
        expect(BigInt(feeOn(value as Amount, bps as Bps))).toBe(exact);
      }),
      { numRuns: 5000 },
    );
  });

  test("is never more than the amount", () => {
    expect(feeOn(1 as Amount, 1 as Bps)).toBe(1);
    expect(feeOn(AMOUNT_MAX as Amount, 10_000 as Bps)).toBe(AMOUNT_MAX);
    expect(feeOn(0 as Amount, 10_000 as Bps)).toBe(0);
  });
});

describe("a decimal in units", () => {
  test.each([
    ["49.90", 2, 4990],
    ["49.90", 6, 49_900_000],
    ["49.90", 1, 499],
    ["0", 0, 0],
    ["007.10", 2, 710],
    ["9007199254740991", 0, AMOUNT_MAX],
    ["9007199254.740991", 6, AMOUNT_MAX],
  ])("%s with %i decimals is %i", (decimal, scale, units) => {
    expect(parseUnits(decimal, scale)).toBe(units);
  });

  test.each([
    ["49.905", 2],
    ["0.1", 0],
    ["9007199254740992", 0],
    ["9007199254740993", 0],
    ["9007199254740991", 1],
  ])("%s with %i decimals is none", (decimal, scale) => {
    expect(parseUnits(decimal, scale)).toBeUndefined();
  });
});

test("a share is exact and rounded down", () => {
  expect(shareOf(4900 as Amount, 1, 3)).toBe(1633);
  expect(shareOf(AMOUNT_MAX as Amount, AMOUNT_MAX - 1, AMOUNT_MAX)).toBe(AMOUNT_MAX - 1);
  expect(shareOf(4900 as Amount, 0, 3)).toBe(0);
  expect(shareOf(4900 as Amount, 3, 3)).toBe(4900);
});

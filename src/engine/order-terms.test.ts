import { expect, test } from "vitest";
import type { Lots } from "./amount.ts";
import { areConditions, decisiveConditions, keptConditions } from "./order-terms.ts";

test("an order's strategy is kept, and decides nothing", () => {
  const strategy = { strategyId: -7, strategyType: 1_000_000 };
  const iceberg = { displayLots: 3 as Lots };
  expect(keptConditions({ ...strategy, ...iceberg })).toEqual({ ...iceberg, ...strategy });
  expect(decisiveConditions({ ...strategy, ...iceberg })).toEqual(iceberg);
  expect(decisiveConditions(strategy)).toEqual({});
  expect(keptConditions({ strategyId: undefined })).toEqual({});
});

test("a strategy is a whole number", () => {
  for (const strategyId of [0, -1, Number.MAX_SAFE_INTEGER, undefined]) {
    expect(areConditions({ strategyId })).toBe(true);
  }
  for (const strategyId of [0.5, NaN, null, "7", 2 ** 53]) {
    expect(areConditions({ strategyId } as object)).toBe(false);
    expect(areConditions({ strategyType: strategyId } as object)).toBe(false);
  }
});

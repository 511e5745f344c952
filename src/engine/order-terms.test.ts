import { expect, test } from "vitest";
import type { Lots, Ticks } from "./amount.ts";
import {
  areConditions,
  decideAnything,
  decisiveConditions,
  keptConditions,
  type OrderConditions,
  type OrderTrigger,
} from "./order-terms.ts";

test("an order's strategy is kept, and decides nothing", () => {
  const strategy = { strategyId: -7, strategyType: 1_000_000 };
  const iceberg = { displayLots: 3 as Lots };
  expect(keptConditions({ ...strategy, ...iceberg })).toEqual({ ...iceberg, ...strategy });
  expect(decisiveConditions({ ...strategy, ...iceberg })).toEqual(iceberg);
  expect(decisiveConditions(strategy)).toEqual({});
  expect(keptConditions({ strategyId: undefined })).toEqual({});
});

test("conditions are kept in one order, with their own fields and no others", () => {
  const given = {
    strategyId: 1,
    trigger: { kind: "stop", triggerTicks: 7 as Ticks, trailBps: 3 },
    later: true,
    expiresAtMs: 5,
    displayLots: 3 as Lots,
    selfTradePrevention: "decrement",
  } as OrderConditions;
  expect(JSON.stringify(keptConditions(given))).toBe(
    '{"selfTradePrevention":"decrement","displayLots":3,"expiresAtMs":5,"trigger":{"kind":"stop","triggerTicks":7},"strategyId":1}',
  );
  const trailing = { kind: "trailingStop", trailBps: 3, triggerTicks: 7 } as OrderTrigger;
  expect(keptConditions({ trigger: trailing })).toEqual({
    trigger: { kind: "trailingStop", trailBps: 3 },
  });
});

test("each condition decides something, but for the owner's numbers", () => {
  expect(decideAnything({})).toBe(false);
  expect(decideAnything({ strategyId: 1, strategyType: 2, displayLots: undefined })).toBe(false);
  expect(decideAnything({ selfTradePrevention: "decrement" })).toBe(true);
  expect(decideAnything({ displayLots: 3 as Lots })).toBe(true);
  expect(decideAnything({ expiresAtMs: 5 })).toBe(true);
  expect(decideAnything({ trigger: { kind: "trailingStop", trailBps: 1 } })).toBe(true);
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

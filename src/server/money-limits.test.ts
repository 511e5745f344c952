import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Amount } from "#engine/amount.ts";
import { createScene } from "#test/support/market-scene.ts";
import { moneyWarnings, watchMoneyLimits } from "./money-limits.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const HALF = "More than 50 % of all USD that an exchange can keep is given out.";
const MOST = "More than 90 % of all USD that an exchange can keep is given out.";

test("a coin that runs out is warned of in the health and once a step in the log", () => {
  const scene = createScene();
  const account = scene.open("simulated:maker", { BTC: "1000" });
  const give = (millions: number) => {
    const amount = (millions * 1e12) as Amount;
    scene.exchange.run({ type: "fundParticipant", account, assetId: 1, amount });
  };
  const warn = vi.fn();
  const stop = watchMoneyLimits(scene.views, { warn });
  give(4_500);
  vi.advanceTimersByTime(60_000);
  expect(moneyWarnings(scene.views)).toEqual([]);
  give(100);
  vi.advanceTimersByTime(180_000);
  expect(moneyWarnings(scene.views)).toEqual([HALF]);
  give(3_600);
  vi.advanceTimersByTime(180_000);
  expect(moneyWarnings(scene.views)).toEqual([MOST]);
  expect(warn.mock.calls.map(([, sentence]) => sentence as string)).toEqual([HALF, MOST]);
  stop();
});

test("money that is reclaimed counts no more", () => {
  const scene = createScene();
  const account = scene.open("anna", { USD: "4600000000" });
  expect(moneyWarnings(scene.views)).toEqual([HALF]);
  scene.exchange.run({ type: "reclaimPracticeFunds", account });
  expect(moneyWarnings(scene.views)).toEqual([]);
  expect(scene.views.accounts.available(account, 1)).toBe(0);
});

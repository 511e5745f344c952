import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AMOUNT_MAX, type Amount } from "#engine/amount.ts";
import { EXTERNAL_ACCOUNT } from "#engine/accounts/postings.ts";
import { createScene } from "#test/support/market-scene.ts";
import { moneyWarnings, watchMoneyLimits } from "./money-limits.ts";
import { Views } from "../views/views.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const HALF = "An account owns more than 50 % of the USD that one account can keep.";
const MOST = "An account owns more than 90 % of the USD that one account can keep.";

test("an account that nears the largest balance is warned of in the health and once a step in the log", () => {
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

test("an account that has given its money away is warned of no more", () => {
  const scene = createScene();
  const account = scene.open("anna", { USD: "4600000000" });
  expect(moneyWarnings(scene.views)).toEqual([HALF]);
  scene.exchange.run({ type: "reclaimPracticeFunds", account });
  expect(moneyWarnings(scene.views)).toEqual([]);
  expect(scene.views.accounts.available(account, 1)).toBe(0);
});

test("what all accounts own together is nothing to warn of; an account is, also after a restart", () => {
  const scene = createScene();
  scene.exchange.run({ type: "limitBalances", unitsMax: AMOUNT_MAX as Amount });
  for (let maker = 0; maker < 5; maker++) {
    scene.open(`simulated:maker ${maker}`, { USD: "4000000000" });
  }
  expect(moneyWarnings(scene.views)).toEqual([]);
  const account = scene.open("anna", { USD: "8000000000" });
  const restored = new Views();
  restored.restore(structuredClone(scene.views.state()));
  const warning = "An account owns more than 80 % of the USD that one account can keep.";
  expect(moneyWarnings(restored)).toEqual([warning]);
  expect(restored.accounts.sumOfAll(1)).toBe(0n);
  expect(restored.accounts.exactAvailable(EXTERNAL_ACCOUNT, 1)).toBe(-28_000_000_000_000_000n);
  const warn = vi.fn();
  watchMoneyLimits(restored, { warn })();
  expect(warn).toHaveBeenCalledExactlyOnceWith({ account, coin: "USD", percent: 80 }, warning);
});

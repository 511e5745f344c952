/** How much a plan's accounts withdraw, and the value of a coin towards that limit. */
import { describe, expect, test } from "vitest";
import {
  ANN,
  BOB,
  BTC,
  CAT,
  deposit,
  FIRST,
  funded,
  OLGA,
  order,
  record,
  reject,
  START_MS,
  TransferScene,
  withdrawal,
} from "#test/engine/transfer-scene.ts";
import { market, plan } from "#test/engine/commands.ts";
import type { Amount, Ticks } from "../amount.ts";

const DAY_MS = 86_400_000;

describe("the limits of a plan", () => {
  test("count what is withdrawn per UTC day and per UTC month", () => {
    const scene = new TransferScene();
    expect(scene.step(withdrawal(30_001))).toBe("withdrawalLimitReached");
    expect(scene.step(withdrawal(30_000))).toBe("held");
    expect(scene.step(withdrawal(20))).toBe("withdrawalLimitReached");
    // Both start again between 31 January and 1 February.
    scene.nowMs = Date.parse("2026-02-01T00:00:00Z");
    expect(scene.step(withdrawal(30_000))).toBe("held");
    scene.nowMs += DAY_MS;
    expect(scene.step(withdrawal(20_001))).toBe("withdrawalLimitReached");
    expect(scene.step(withdrawal(20_000))).toBe("held");
    scene.nowMs += DAY_MS;
    expect(scene.step(withdrawal(20))).toBe("withdrawalLimitReached");
    expect(scene.step(withdrawal(20, { account: BOB }))).toBe("held");
  });

  test("count no longer what was rejected, also a day later", () => {
    const scene = new TransferScene();
    scene.nowMs = Date.parse("2026-02-01T10:00:00Z");
    scene.apply(withdrawal(30_000));
    scene.nowMs += DAY_MS;
    scene.apply(withdrawal(20_000));
    expect(scene.step(withdrawal(20))).toBe("withdrawalLimitReached");
    scene.apply(reject());
    expect(scene.step(withdrawal(10_001))).toBe("withdrawalLimitReached");
    expect(scene.step(withdrawal(10_000))).toBe("held");
  });

  test("count other coins at their price, rounded up", () => {
    const scene = new TransferScene();
    expect(scene.apply(withdrawal(1_000, { assetId: BTC }))).toMatchObject({ value: 2_000 });
    scene.applyAll(order(BOB, "sell", 3, 10));
    scene.applyAll(order(CAT, "buy", 3, 10));
    expect(scene.apply(withdrawal(1_000, { assetId: BTC }))).toMatchObject({ value: 3_000 });
    scene.apply({ type: "listCoin", coin: funded("ODD") });
    const odd = { lotUnits: 10, tickLotUnits: 1, referenceTicks: 3 as Ticks, simulated: false };
    scene.apply({ type: "listMarket", market: market("ODD", odd) });
    scene.apply(deposit(900, { assetId: 4 }));
    scene.apply(record(900, OLGA, FIRST + 2));
    // 25 × 3 / 10
    expect(scene.apply(withdrawal(25, { assetId: 4 }))).toMatchObject({ value: 8 });
  });

  test("refuse what nothing says the value of; a plan without limits does not", () => {
    const scene = new TransferScene();
    scene.apply({ type: "listCoin", coin: funded("ODD") });
    scene.apply(deposit(900, { assetId: 4 }));
    scene.apply(record(900));
    expect(scene.step(withdrawal(100, { assetId: 4 }))).toBe("noReferencePrice");
    scene.apply({ type: "updatePlan", planId: 1, plan: plan("free", { currency: "USD" }) });
    expect(scene.step(withdrawal(100, { assetId: 4 }))).toBe("held");
  });

  test("are those of plans in the settlement coin, exact in its units", () => {
    const scene = new TransferScene();
    const define = (terms: Parameters<typeof plan>[1]): string =>
      scene.step({ type: "definePlan", plan: plan("more", terms) });
    expect(define({ withdrawalDailyMax: "1" })).toBe("invalidCommand");
    expect(define({ currency: "BTC", withdrawalMonthlyMax: "1" })).toBe("invalidCommand");
    expect(define({ currency: "USD", withdrawalDailyMax: "1.001" })).toBe("invalidAmount");
    expect(define({ currency: "USD", withdrawalDailyMax: "1.01" })).toBe("planDefined");
  });
});

describe("the price of a coin towards the limits", () => {
  /** Bob sells to Cat. */
  const trade = (scene: TransferScene, price: number) => {
    scene.applyAll(order(BOB, "sell", price, 10));
    scene.applyAll(order(CAT, "buy", price, 10));
  };
  /** The value of a withdrawal of 100 BTC units, which is then cancelled. */
  const worth = (scene: TransferScene): number => {
    const held = scene.apply(withdrawal(100, { assetId: BTC }));
    if (typeof held === "string" || held.type !== "transferChanged")
      throw new Error(JSON.stringify(held));
    scene.apply(reject(OLGA, held.transferId));
    return held.value / 100;
  };

  test("is not moved down by a trade", () => {
    const scene = new TransferScene();
    trade(scene, 1);
    // The reference price stands for the days before.
    expect(worth(scene)).toBe(2);
    for (let day = 1; day <= 7; day++) {
      scene.nowMs = START_MS + day * DAY_MS;
      trade(scene, 9);
    }
    trade(scene, 1);
    expect(worth(scene)).toBe(9);
    expect(worth(scene.restored())).toBe(9);
  });

  test("follows the ends of days once most of seven have changed, and the last price upwards at once", () => {
    const scene = new TransferScene();
    const seen: number[] = [];
    for (let day = 0; day < 6; day++) {
      scene.nowMs = START_MS + day * DAY_MS;
      seen.push(worth(scene));
      trade(scene, 1);
    }
    expect(seen).toEqual([2, 2, 2, 2, 1, 1]);
    trade(scene, 5);
    expect(worth(scene)).toBe(5);
  });

  test("is that of the days without trades too, and a refused command ends no day", () => {
    const scene = new TransferScene();
    trade(scene, 9);
    scene.nowMs = START_MS + 4 * DAY_MS;
    // `apply` throws if a refused command changes the state.
    expect(scene.apply(withdrawal(1))).toBe("amountTooSmall");
    trade(scene, 1);
    expect(worth(scene)).toBe(9);
  });

  test("is unknown before the end of the first day with a trade if there is no reference price", () => {
    const scene = new TransferScene();
    scene.apply({ type: "listCoin", coin: funded("ODD") });
    const terms = { lotUnits: 1, tickLotUnits: 1, notionalMin: 0 as Amount, simulated: false };
    scene.apply({ type: "listMarket", market: market("ODD", terms) });
    for (const [index, account] of [ANN, BOB].entries()) {
      scene.apply(deposit(400, { account, assetId: 4 }));
      scene.apply(record(400, OLGA, FIRST + index));
    }
    const odd = (side: "buy" | "sell", account: number) => ({
      ...order(account, side, 3, 10),
      marketId: 2,
    });
    scene.applyAll(odd("sell", BOB));
    scene.applyAll(odd("buy", CAT));
    expect(scene.step(withdrawal(100, { assetId: 4 }))).toBe("noReferencePrice");
    scene.nowMs += DAY_MS;
    expect(scene.apply(withdrawal(100, { assetId: 4 }))).toMatchObject({ value: 300 });
  });
});

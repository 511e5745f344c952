/** A market whose protection of triggered orders is widened while such orders wait. */
import { expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { SelfTradePrevention } from "#engine/order-terms.ts";
import { market } from "./commands.ts";
import { ANN, BOB, CAT, order, Scene } from "./work-scene.ts";

const TERMS = { lotUnits: 1, tickLotUnits: 1, notionalMin: 0 as Amount };

/** Ann's stop buys 10 lots, and holds 1 070: 10 at 107. Then the cap is raised to 152. */
function waiting(selfTradePrevention?: SelfTradePrevention): Scene {
  const scene = new Scene();
  scene.apply(order(BOB, "sell", 100));
  scene.apply(order(CAT, "buy", 100));
  scene.apply({
    ...order(ANN, "buy", 0),
    orderType: "market",
    timeInForce: "ioc",
    quantityLots: 10 as Lots,
    conditions: {
      trigger: { kind: "stop", triggerTicks: 101 as Ticks },
      ...(selfTradePrevention !== undefined && { selfTradePrevention }),
    },
  });
  const wider = market("BTC", { ...TERMS, protectionBps: 5_000 });
  scene.apply({ type: "updateMarket", marketId: 1, market: wider });
  return scene;
}

function sells(scene: Scene, account: number, lots: number, priceTicks: number): void {
  scene.apply({ ...order(account, "sell", priceTicks), quantityLots: lots as Lots });
}

/** A trade at 101. */
function reach(scene: Scene) {
  sells(scene, BOB, 1, 101);
  return scene.apply(order(CAT, "buy", 101));
}

test("an order that waits buys what its hold covers at the new cap, and no more", () => {
  const scene = waiting();
  sells(scene, BOB, 50, 140);
  const events = reach(scene);
  expect(events.filter(({ type }) => type === "orderActivated" || type === "orderEnded")).toEqual([
    expect.objectContaining({ type: "orderEnded" }),
    expect.objectContaining({ type: "orderEnded" }),
    expect.objectContaining({ type: "orderActivated", quantityLots: 10 }),
    expect.objectContaining({ type: "orderEnded", status: "expired", remainingLots: 3 }),
  ]);
  expect(scene.openOf(ANN)).toEqual([]);
  expect(scene.engine.read.balance(ANN, 1)).toEqual({ available: 100_000 - 7 * 140, held: 0 });
});

test("nor loses more to an own order than it holds", () => {
  const scene = waiting("decrement");
  sells(scene, ANN, 9, 140);
  sells(scene, BOB, 50, 141);
  const events = reach(scene);
  expect(events).toContainEqual(
    expect.objectContaining({ type: "selfTradePrevented", takerLots: 7, makerLots: 7 }),
  );
  expect(scene.engine.read.balance(ANN, 1)).toEqual({ available: 100_000, held: 0 });
});

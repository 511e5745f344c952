/**
 * A market has places for a number of orders that wait for a price. Orders that wait for their working order
 * have theirs from when they are placed, so that no one can take them before that order fills.
 */
import { expect, test } from "vitest";
import type { Command, OrderConditions } from "#engine/commands.ts";
import { plan } from "./commands.ts";
import { ANN, BOB, CAT, endedIn, order, Scene, typesOf } from "./work-scene.ts";

const TRAILING_MAX = 1_024;
const trailing: OrderConditions = { trigger: { kind: "trailingStop", trailBps: 5_000 } };

function sceneWith(...rules: readonly Command[]): Scene {
  const scene = new Scene();
  const roomy = plan("free", { openOrdersMax: 2 * TRAILING_MAX });
  scene.apply({ type: "updatePlan", planId: 1, plan: roomy });
  for (const command of rules) scene.apply(command);
  scene.apply(order(BOB, "sell", 100));
  scene.apply(order(CAT, "buy", 100));
  return scene;
}

const adopted = { type: "adoptRules", spentOrdersStop: true, pendingTakePlaces: true } as const;

/** Buys at 90, and then sells by a trailing stop. */
function guarded(account: number): Command {
  const entry = order(account, "buy", 90);
  const stop = { ...order(account, "sell", 0, trailing), orderType: "market" } as const;
  const pending = { ...stop, timeInForce: "ioc" } as const;
  return { type: "placeOrderList", account, marketId: 1, kind: "oto", orders: [entry, pending] };
}

function fillWithTrailingStops(scene: Scene): number {
  for (let count = 0; ; count++) {
    const stop = { ...order(BOB, "sell", 0, trailing), orderType: "market" } as const;
    const [event] = scene.apply({ ...stop, timeInForce: "ioc" });
    if (event.type !== "commandRejected") continue;
    expect(event.reason).toBe("limitReached");
    return count;
  }
}

const fillEntry = (scene: Scene) => scene.apply(order(CAT, "sell", 90));

test("a pending order keeps its place when others fill the market", () => {
  const scene = sceneWith(adopted);
  expect(typesOf(scene.apply(guarded(ANN)))).toContain("orderListPlaced");
  expect(fillWithTrailingStops(scene)).toBe(TRAILING_MAX - 1);
  for (const each of [scene.restored(), scene]) {
    const types = typesOf(fillEntry(each));
    expect(types).toContain("orderActivated");
    expect(each.openOf(ANN)).toHaveLength(1);
    expect(fillWithTrailingStops(each)).toBe(0);
  }
});

test("a list finds no place where all are taken, and gives its own back when it ends", () => {
  const scene = sceneWith(adopted);
  scene.apply(guarded(ANN));
  expect(fillWithTrailingStops(scene)).toBe(TRAILING_MAX - 1);
  expect(scene.apply(guarded(CAT))[0]).toMatchObject({ reason: "limitReached" });
  const [entry] = scene.openOf(ANN);
  const ended = scene.apply({ type: "cancelOrder", account: ANN, orderId: entry });
  expect(endedIn(ended)).toHaveLength(2);
  for (const each of [scene.restored(), scene]) expect(fillWithTrailingStops(each)).toBe(1);
});

test("until the rule is adopted, a pending order ends where no place is left", () => {
  const scene = sceneWith({ type: "adoptRules", spentOrdersStop: true });
  scene.apply(guarded(ANN));
  expect(fillWithTrailingStops(scene)).toBe(TRAILING_MAX);
  expect(fillEntry(scene).at(-1)).toMatchObject({ type: "orderEnded", reason: "limitReached" });
  expect(scene.openOf(ANN)).toEqual([]);
});

test("an order that was pending when the rule is adopted has its place", () => {
  const scene = sceneWith();
  scene.apply(guarded(ANN));
  scene.apply(adopted);
  expect(fillWithTrailingStops(scene)).toBe(TRAILING_MAX - 1);
  expect(typesOf(fillEntry(scene))).toContain("orderActivated");
});

/** A market of more orders than one command may end closes at once, and its orders end one after the other. */
import { describe, expect, test } from "vitest";
import { ADVANCE, ANN, BOB, CAT, endedIn, order, Scene, typesOf } from "#test/engine/work-scene.ts";
import type { Lots, Ticks } from "../amount.ts";
import type { Command, MarketStatus } from "../commands.ts";

const IN_PARTS = { ordersMax: 2, marketsInParts: true };
const set = (status: MarketStatus): Command => ({
  type: "setMarketStatus",
  marketId: 1,
  status,
  forMs: 0,
  byAdmin: "olga",
  reason: "a test",
});
const freeze = (isFrozen: boolean, cancelsOrders = isFrozen): Command => ({
  type: "setAccountFreeze",
  account: ANN,
  isFrozen,
  cancelsOrders,
  byAdmin: "olga",
  reason: "a test",
});

/** Orders 1, 3, 5 of Bob and 2, 4, 6 of Ann, and 7, a stop of Cat's. */
function market(limit: { ordersMax: number; levelsMax?: number; marketsInParts?: boolean }): Scene {
  const scene = new Scene(limit);
  for (let orders = 0; orders < 3; orders++) {
    scene.apply(order(BOB, "sell", 110));
    scene.apply(order(ANN, "buy", 90));
  }
  return scene;
}

describe("closing a market of more orders than one command may end", () => {
  test("ends the rest with the next commands, account by account, the oldest first", () => {
    const scene = market(IN_PARTS);
    const first = scene.apply(set("closed"));
    expect(typesOf(first)).toEqual(["marketStatusChanged", "orderEnded", "orderEnded"]);
    expect(scene.engine.nextDueMs).toBe(scene.engine.timestampMs);
    const parts = [first, ...[1, 2, 3].map(() => scene.apply(ADVANCE))];
    expect(parts.map(endedIn)).toEqual([[2, 4], [1, 6], [3, 5], []]);
    expect(scene.engine.nextDueMs).toBe(Infinity);
    expect(scene.engine.read.balance(ANN, 1)).toMatchObject({ available: 100_000, held: 0 });
  });

  test("ends all at once in order of placement where the limit lets it, or was not meant for it", () => {
    for (const limit of [
      { ordersMax: 6, marketsInParts: true },
      { ordersMax: 2 },
      { ordersMax: 1, marketsInParts: false },
    ]) {
      expect(endedIn(market(limit).apply(set("closed")))).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  test("takes no order, and no other state, until the last has ended", () => {
    const scene = market(IN_PARTS);
    scene.apply(set("closed"));
    expect(scene.apply(order(CAT, "buy", 120)).at(-1)).toMatchObject({
      reason: "marketNotTrading",
    });
    const reopened = scene.apply(set("trading"));
    expect(endedIn(reopened)).toEqual([3, 5]);
    expect(typesOf(reopened)).toContain("marketStatusChanged");
    const again = market(IN_PARTS);
    again.apply(set("closed"));
    expect(again.apply(set("trading")).at(-1)).toMatchObject({ reason: "marketBusy" });
    expect(again.engine.read.marketState(1).status).toBe("closed");
  });

  test("lets an owner cancel an order whose turn has not come", () => {
    const scene = market(IN_PARTS);
    scene.apply(set("closed"));
    expect(endedIn(scene.apply({ type: "cancelOrder", account: BOB, orderId: 5 }))).toEqual([
      1, 6, 5,
    ]);
    expect(endedIn(scene.apply(ADVANCE))).toEqual([3]);
  });

  test("ends in a restored exchange too, and counts in the state's hash", () => {
    const scene = market(IN_PARTS);
    scene.apply(set("closed"));
    const restored = scene.restored();
    expect(restored.engine.stateHash()).toBe(scene.engine.stateHash());
    for (const each of [scene, restored]) {
      expect(endedIn(each.apply(ADVANCE))).toEqual([1, 6]);
      expect(endedIn(each.apply(ADVANCE))).toEqual([3, 5]);
    }
    expect(restored.engine.stateHash()).toBe(scene.engine.stateHash());
  });

  test("looks at no more accounts and orders than an order looks at levels", () => {
    const scene = market({ ordersMax: 100, levelsMax: 4, marketsInParts: true });
    // Ann and her three orders, then Bob and his, which are all visited, then Cat.
    expect(endedIn(scene.apply(set("closed")))).toEqual([2, 4, 6]);
    expect(endedIn(scene.apply(ADVANCE))).toEqual([1, 3, 5]);
    expect(scene.engine.nextDueMs).toBe(scene.engine.timestampMs);
    scene.apply(ADVANCE);
    expect(scene.engine.nextDueMs).toBe(Infinity);
  });

  test("ends an order that waits for a price, reached or not, and the rest of a list with it", () => {
    const scene = new Scene(IN_PARTS);
    scene.apply(order(ANN, "sell", 100));
    scene.apply(order(BOB, "buy", 100));
    const trigger = { kind: "stop", triggerTicks: 105 as Ticks } as const;
    for (let orders = 0; orders < 4; orders++) scene.apply(order(CAT, "buy", 95, { trigger }));
    scene.apply({
      type: "placeOrderList",
      account: BOB,
      marketId: 1,
      kind: "oto",
      orders: [order(BOB, "buy", 80), { ...order(BOB, "sell", 130), quantityLots: 0 as Lots }],
    });
    scene.apply(order(ANN, "sell", 105));
    scene.apply(order(BOB, "buy", 105));
    expect(scene.engine.nextDueMs).toBe(scene.engine.timestampMs);
    scene.apply(set("closed"));
    for (let part = 0; part < 4; part++) scene.apply(ADVANCE);
    expect(scene.engine.read.openOrderCount).toBe(0);
    for (const account of [ANN, BOB, CAT]) {
      expect(scene.engine.read.balance(account, 1).held).toBe(0);
    }
    expect(scene.engine.nextDueMs).toBe(Infinity);
  });

  test("lets what is due by its time end first", () => {
    const scene = market(IN_PARTS);
    const conditions = { expiresAtMs: scene.nowMs + 1000 };
    scene.apply({ ...order(CAT, "buy", 80, conditions), marketId: 1 });
    scene.apply(set("closed"));
    scene.nowMs += 1000;
    expect(endedIn(scene.apply(ADVANCE))).toEqual([7, 6]);
  });
});

describe("freezing an account of more orders than one command may end", () => {
  test("ends the rest with the next commands, and none that it places once it is free again", () => {
    const scene = new Scene(IN_PARTS);
    for (let orders = 0; orders < 9; orders++) scene.apply(order(ANN, "buy", 90));
    expect(endedIn(scene.apply(freeze(true)))).toEqual([1, 2]);
    expect(scene.apply(order(ANN, "buy", 90)).at(-1)).toMatchObject({ reason: "accountFrozen" });
    expect(endedIn(scene.apply(freeze(false)))).toEqual([5, 6]);
    expect(endedIn(scene.apply(order(ANN, "buy", 90)))).toEqual([7, 8]);
    expect(endedIn(scene.apply(ADVANCE))).toEqual([9]);
    expect(scene.openOf(ANN)).toEqual([10]);
    expect(scene.engine.nextDueMs).toBe(Infinity);
  });

  test("ends all at once where the limit was not meant for it", () => {
    const scene = market({ ordersMax: 1 });
    expect(endedIn(scene.apply(freeze(true)))).toEqual([2, 4, 6]);
  });

  test("comes before the rest of a market that was closed before", () => {
    const scene = market(IN_PARTS);
    const other = { ...order(ANN, "buy", 90), marketId: 2 };
    for (let orders = 0; orders < 3; orders++) scene.apply(other);
    scene.apply(set("closed"));
    // Due timers come first, then the first part of the freeze.
    expect(endedIn(scene.apply(freeze(true)))).toEqual([1, 6, 7, 8]);
    expect(endedIn(scene.apply(ADVANCE))).toEqual([9, 3]);
    expect(endedIn(scene.apply(ADVANCE))).toEqual([5]);
    expect(scene.engine.nextDueMs).toBe(Infinity);
  });
});

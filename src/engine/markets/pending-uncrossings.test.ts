/**
 * An auction of more pairs than one command may trade: the price is determined at once, the trades follow.
 */
import { describe, expect, test } from "vitest";
import {
  activatedIn,
  ADVANCE,
  ANN,
  BOB,
  CAT,
  endedIn,
  order,
  Scene,
  typesOf,
} from "#test/engine/work-scene.ts";
import type { Amount, Lots, Ticks } from "../amount.ts";
import type { Command, MarketStatus } from "../commands.ts";
import type { ExchangeEvent } from "../events.ts";

const set = (status: MarketStatus, forMs = 0): Command => ({
  type: "setMarketStatus",
  marketId: 1,
  status,
  forMs,
  byAdmin: "olga",
  reason: "a test",
});
const tradesIn = (events: readonly ExchangeEvent[]) =>
  events.flatMap((event) => (event.type === "traded" ? [event] : []));

/** An auction with orders 1 to 5 to sell at 96 to 100 and 6 to 10 to buy at 104 to 100. */
function auction(limit: { ordersMax: number; marketsInParts?: boolean }, forMs = 0): Scene {
  const scene = new Scene(limit);
  scene.apply(set("auction", forMs));
  for (const away of [4, 3, 2, 1, 0]) scene.apply(order(ANN, "sell", 100 - away));
  for (const away of [4, 3, 2, 1, 0]) scene.apply(order(BOB, "buy", 100 + away));
  return scene;
}
const IN_PARTS = { ordersMax: 2, marketsInParts: true };

describe("an auction of more pairs than one command may trade", () => {
  test("trades them with the next commands at its one price, and the market trades after the last", () => {
    const scene = auction(IN_PARTS);
    const first = scene.apply(set("trading"));
    expect(typesOf(first).slice(0, 3)).toEqual([
      "marketStatusChanged",
      "auctionUncrossed",
      "traded",
    ]);
    expect(first[1]).toMatchObject({ priceTicks: 100, volumeLots: 5 });
    const parts = [first, scene.apply(ADVANCE), scene.apply(ADVANCE)].map(tradesIn);
    expect(parts.map((trades) => trades.length)).toEqual([2, 2, 1]);
    expect(new Set(parts.flat().map(({ priceTicks }) => priceTicks))).toEqual(new Set([100]));
    expect(scene.engine.nextDueMs).toBe(Infinity);
    expect(scene.engine.read.openOrderCount).toBe(0);
    expect(typesOf(scene.apply(order(CAT, "buy", 90)))).toEqual(["orderPlaced", "orderRested"]);
  });

  test("reaches what one command would have reached", () => {
    const [parts, whole] = [true, false].map((marketsInParts) => {
      const scene = auction({ ordersMax: 2, marketsInParts });
      scene.apply(order(CAT, "buy", 99));
      scene.apply(set("trading"));
      for (let part = 0; part < 3; part++) scene.apply(ADVANCE);
      scene.apply({ type: "limitWork", ordersMax: 2, levelsMax: 9 });
      return scene.engine.stateHash();
    });
    expect(parts).toBe(whole);
  });

  test("is due now, also in an exchange that was restored in the middle of it", () => {
    const scene = auction(IN_PARTS);
    scene.apply(set("postOnly"));
    const restored = scene.restored();
    expect(restored.engine.stateHash()).toBe(scene.engine.stateHash());
    for (const each of [scene, restored]) {
      expect(each.engine.nextDueMs).toBe(each.engine.timestampMs);
      expect(each.engine.read.marketState(1).status).toBe("postOnly");
      expect(tradesIn(each.apply(ADVANCE))).toHaveLength(2);
      expect(tradesIn(each.apply(ADVANCE))).toHaveLength(1);
      expect(each.engine.read.marketState(1)).toMatchObject({ status: "postOnly", lastTicks: 100 });
    }
    expect(restored.engine.stateHash()).toBe(scene.engine.stateHash());
  });

  test("begins and continues by itself where a timer ends the auction", () => {
    const scene = auction(IN_PARTS, 1000);
    scene.nowMs += 1000;
    expect([1, 2, 3].map(() => tradesIn(scene.apply(ADVANCE)).length)).toEqual([2, 2, 1]);
    expect(scene.engine.nextDueMs).toBe(Infinity);
  });

  test("leaves what it had before: the state's hash counts how much is left", () => {
    const scene = auction(IN_PARTS);
    scene.apply(set("trading"));
    const before = scene.engine.stateHash();
    scene.apply(ADVANCE);
    expect(scene.engine.stateHash()).not.toBe(before);
  });
});

describe("while an auction trades", () => {
  function trading(): Scene {
    const scene = auction(IN_PARTS);
    scene.apply(set("trading"));
    return scene;
  }
  const refused = { type: "commandRejected", reason: "marketBusy" };

  test("its orders can be neither cancelled nor amended nor replaced, and no order comes in", () => {
    // At most three parts remain: each is checked in a separate auction.
    const asked: Command[] = [
      { type: "cancelOrder", account: BOB, orderId: 10 },
      {
        type: "amendOrder",
        account: BOB,
        orderId: 10,
        priceTicks: 90 as Ticks,
        quantityLots: 0 as Lots,
      },
      {
        type: "replaceOrder",
        account: BOB,
        orderId: 10,
        mode: "stopOnFailure",
        marketId: 1,
        order: order(BOB, "buy", 90),
      },
      order(CAT, "buy", 110),
      {
        type: "placeOrderList",
        account: CAT,
        marketId: 1,
        kind: "oto",
        orders: [order(CAT, "buy", 110), order(CAT, "sell", 120)],
      },
      set("halted"),
    ];
    for (const command of asked) {
      const scene = trading();
      expect(scene.apply(command).at(-1)).toMatchObject(refused);
      expect(tradesIn(scene.apply(ADVANCE))).toHaveLength(1);
      expect(scene.engine.read.openOrderCount).toBe(0);
    }
  });

  test("cancelling all leaves its orders open, and ends those that have not traded when asked again", () => {
    const scene = auction(IN_PARTS);
    scene.apply(order(BOB, "buy", 91));
    scene.apply(set("trading"));
    const all = { type: "cancelAllOrders", account: BOB, marketId: 0 } as const;
    const first = scene.apply(all);
    expect(tradesIn(first)).toHaveLength(2);
    expect(first.at(-1)).toMatchObject({ type: "ordersLeftOpen", upToOrderId: 11 });
    const rest = scene.apply({ ...all, upToOrderId: 11 });
    expect(rest.at(-1)).toMatchObject({ type: "orderEnded", orderId: 11, reason: "byOwner" });
  });

  test("no order expires, no cancel timer fires and a freeze ends none before the last pair", () => {
    const scene = new Scene(IN_PARTS);
    scene.apply(set("auction"));
    const gtd = { expiresAtMs: scene.nowMs + 1000 };
    for (let orders = 0; orders < 5; orders++) scene.apply(order(ANN, "sell", 100));
    for (let orders = 0; orders < 4; orders++) scene.apply(order(BOB, "buy", 100));
    scene.apply(order(BOB, "buy", 100, gtd));
    scene.apply(order(CAT, "buy", 90, gtd));
    scene.apply({ type: "setCancelTimer", account: BOB, marketId: 0, delayMs: 1000 });
    scene.apply(set("trading"));
    scene.nowMs += 1000;
    const frozen = scene.apply({
      type: "setAccountFreeze",
      account: BOB,
      isFrozen: true,
      cancelsOrders: true,
      byAdmin: "olga",
      reason: "a test",
    });
    expect(tradesIn(frozen)).toHaveLength(2);
    const last = scene.apply(ADVANCE);
    expect(tradesIn(last)).toHaveLength(1);
    // 11 expires in the same command, once the auction is over; all others have traded.
    expect(last.flatMap((event) => (event.type === "orderEnded" ? [event.status] : []))).toEqual([
      "filled",
      "filled",
      "expired",
    ]);
    expect(typesOf(scene.apply(ADVANCE))).toEqual(["cancelTimerFired", "timeAdvanced"]);
    expect(scene.engine.nextDueMs).toBe(Infinity);
    expect(scene.engine.read.openOrderCount).toBe(0);
  });

  test("triggers wait for its last pair, after which its price reaches them", () => {
    const scene = new Scene(IN_PARTS);
    scene.apply(order(ANN, "sell", 90));
    scene.apply(order(BOB, "buy", 90));
    const trigger = { kind: "stop", triggerTicks: 100 as Ticks } as const;
    scene.apply(order(CAT, "buy", 80, { trigger }));
    const [stop] = scene.openOf(CAT);
    scene.apply(set("auction"));
    for (let orders = 0; orders < 3; orders++) scene.apply(order(ANN, "sell", 100));
    for (let orders = 0; orders < 3; orders++) scene.apply(order(BOB, "buy", 100));
    expect(activatedIn(scene.apply(set("trading")))).toEqual([]);
    expect(activatedIn(scene.apply(ADVANCE))).toEqual([stop]);
  });

  test("another market trades and takes cancels", () => {
    const scene = auction(IN_PARTS);
    scene.apply({ ...set("auction"), marketId: 2 } as Command);
    scene.apply(set("trading"));
    expect(scene.apply({ ...order(CAT, "buy", 90), marketId: 2 }).at(-1)).toMatchObject({
      type: "orderRested",
    });
    const [orderId] = scene.openOf(CAT);
    const cancelled = scene.apply({ type: "cancelOrder", account: CAT, orderId });
    expect(endedIn(cancelled)).toContain(orderId);
  });

  test("money that could lift an account beyond what it may own comes after the last pair", () => {
    const scene = auction(IN_PARTS);
    scene.apply({ type: "limitBalances", unitsMax: 300_010 as Amount });
    scene.apply(set("trading"));
    const funded = scene.apply({
      type: "fundParticipant",
      account: BOB,
      assetId: 2,
      amount: 200_003 as Amount,
    });
    expect(tradesIn(funded)).toHaveLength(3);
    // With the five lots that it has bought, its limit leaves room for two more.
    expect(funded.at(-1)).toMatchObject({ type: "participantFunded" });
    expect(scene.engine.nextDueMs).toBe(Infinity);
  });

  test("an auction that could lift an account beyond what it may own trades all at once", () => {
    const scene = auction(IN_PARTS);
    scene.apply({ type: "limitBalances", unitsMax: 250_000 as Amount });
    expect(tradesIn(scene.apply(set("trading")))).toHaveLength(5);
  });
});

/** Work beyond the limit of one command follows with the next ones, in the same order. */
import { describe, expect, test } from "vitest";
import {
  activatedIn,
  ADVANCE,
  ANN,
  BOB,
  CANCEL_ALL,
  endedIn,
  NOW_MS,
  order,
  Scene,
  typesOf,
  WIDE,
} from "#test/engine/work-scene.ts";
import type { Amount, Lots, Ticks } from "../amount.ts";
import type { Command, PlaceOrder, Side } from "../commands.ts";
import type { ExchangeEvent } from "../events.ts";

describe("cancelling all orders", () => {
  test("ends the oldest, and the rest when it is asked again, but none placed later", () => {
    const scene = new Scene(2);
    for (let orders = 0; orders < 5; orders++) scene.apply(order(ANN, "buy", 90));
    const first = scene.apply(CANCEL_ALL);
    expect(endedIn(first)).toEqual([1, 2]);
    expect(first.at(-1)).toMatchObject({ type: "ordersLeftOpen", account: ANN, upToOrderId: 5 });
    scene.apply(order(ANN, "buy", 91));
    const rest = { ...CANCEL_ALL, upToOrderId: 5 };
    expect(endedIn(scene.apply(rest))).toEqual([3, 4]);
    expect(typesOf(scene.apply(rest))).toEqual(["orderEnded"]);
    expect(scene.openOf(ANN)).toEqual([6]);
    expect(scene.apply(rest)).toMatchObject([{ reason: "unknownOrder" }]);
  });

  test("tells an equal request up to which order some were left open", () => {
    const scene = new Scene(2);
    for (let orders = 0; orders < 3; orders++) scene.apply(order(ANN, "buy", 90));
    scene.apply(CANCEL_ALL, "all");
    expect(scene.apply(CANCEL_ALL, "all")).toMatchObject([{ type: "requestRepeated", orderId: 3 }]);
    scene.apply(CANCEL_ALL, "rest");
    expect(scene.apply(CANCEL_ALL, "rest")).toMatchObject([
      { type: "requestRepeated", orderId: 0 },
    ]);
  });

  test("without a limit ends all at once, as it always did", () => {
    const scene = new Scene();
    for (let orders = 0; orders < 12; orders++) scene.apply(order(ANN, "buy", 90));
    expect(endedIn(scene.apply(CANCEL_ALL))).toHaveLength(12);
  });
});

describe("a cancel timer that ends more orders than one command may", () => {
  test("fires again at the next commands, between which others have theirs", () => {
    const scene = new Scene(2);
    for (let orders = 0; orders < 5; orders++) scene.apply(order(ANN, "buy", 90));
    scene.apply({ type: "setCancelTimer", account: ANN, marketId: 0, delayMs: 1000 });
    scene.nowMs += 1000;
    expect(typesOf(scene.apply(ADVANCE))).toEqual(["orderEnded", "orderEnded", "timeAdvanced"]);
    expect(scene.engine.nextDueMs).toBeLessThanOrEqual(scene.nowMs);
    const restored = scene.restored();
    for (const { apply, engine } of [scene, restored].map((each) => ({
      engine: each.engine,
      apply: (command: Command) => each.apply(command),
    }))) {
      expect(typesOf(apply(order(BOB, "buy", 80)))).toEqual([
        "orderEnded",
        "orderEnded",
        "orderPlaced",
        "orderRested",
      ]);
      expect(typesOf(apply(ADVANCE))).toEqual(["cancelTimerFired", "orderEnded", "timeAdvanced"]);
      expect(engine.nextDueMs).toBe(Infinity);
    }
    expect(restored.engine.stateHash()).toBe(scene.engine.stateHash());
  });
});

describe("orders that expire at one time", () => {
  test("end a few with each command, the oldest first", () => {
    const scene = new Scene(2);
    const conditions = { expiresAtMs: NOW_MS + 5000 };
    for (let orders = 0; orders < 5; orders++) scene.apply(order(ANN, "buy", 90, conditions));
    scene.nowMs += 5000;
    expect([1, 2, 3].map(() => endedIn(scene.apply(ADVANCE)))).toEqual([[1, 2], [3, 4], [5]]);
  });
});

describe("orders that one trade sets free", () => {
  const stop = { trigger: { kind: "stop", triggerTicks: 101 as Ticks } } as const;

  function cascade(...ordersMax: readonly number[]): { scene: Scene; first: ExchangeEvent[] } {
    const scene = new Scene(...ordersMax);
    scene.apply(order(ANN, "sell", 100));
    scene.apply(order(ANN, "buy", 100));
    scene.apply(order(BOB, "buy", 100));
    for (let orders = 0; orders < 5; orders++) scene.apply(order(BOB, "buy", 95, stop));
    scene.apply(order(ANN, "sell", 101));
    return { scene, first: scene.apply(order(BOB, "buy", 101)) };
  }

  test("are activated a few with each command, in the order in which they were placed", () => {
    const { scene, first } = cascade(2);
    const ids = scene.openOf(BOB);
    expect(activatedIn(first)).toEqual(ids.slice(0, 2));
    expect(scene.engine.nextDueMs).toBe(scene.engine.timestampMs);
    expect(activatedIn(scene.apply(order(ANN, "buy", 80)))).toEqual(ids.slice(2, 4));
    expect(activatedIn(scene.apply(ADVANCE))).toEqual(ids.slice(4));
    expect(scene.engine.nextDueMs).toBe(Infinity);
    expect(activatedIn(cascade().first)).toEqual(ids);
  });

  test("is not amended: it goes to the market as it is when its turn has come", () => {
    const { scene } = cascade(2);
    const [next, last] = scene.openOf(BOB).slice(2);
    const asked = { type: "amendOrder", everyKind: true, account: BOB } as const;
    const kept = { priceTicks: 0 as Ticks, quantityLots: 0 as Lots };
    for (const each of [scene, scene.restored()]) {
      const before = each.engine.stateHash();
      each.apply({ type: "limitWork", ordersMax: 1, levelsMax: 1000 });
      expect(before).not.toBe(each.engine.stateHash());
      const amended = each.apply({ ...asked, ...kept, orderId: last, triggerTicks: 110 as Ticks });
      expect(amended.at(-1)).toMatchObject({ reason: "orderNotResting" });
      const priced = each.apply({ ...asked, ...kept, orderId: next, priceTicks: 96 as Ticks });
      expect(activatedIn([...amended, ...priced])).toHaveLength(2);
    }
  });

  test("are still to be activated after a restart from a snapshot, whatever the price", () => {
    const { scene } = cascade(2);
    const ids = scene.openOf(BOB);
    const restored = scene.restored();
    expect(restored.engine.stateHash()).toBe(scene.engine.stateHash());
    expect(restored.engine.nextDueMs).toBe(restored.engine.timestampMs);
    for (const each of [scene, restored]) {
      // Another trade at their trigger price releases none of them a second time.
      each.apply(order(ANN, "sell", 101));
      expect(activatedIn(each.apply(order(BOB, "buy", 101)))).toEqual(ids.slice(4));
    }
    expect(restored.engine.stateHash()).toBe(scene.engine.stateHash());
  });

  describe("more than one command may activate, at different prices", () => {
    /** Stops at falling prices, so that the last one placed is reached first. */
    function ladder(...ordersMax: readonly number[]): Scene {
      const scene = new Scene(...ordersMax);
      scene.apply(order(ANN, "sell", 100));
      scene.apply(order(BOB, "buy", 100));
      for (const ticks of [105, 104, 104, 103, 102]) {
        const trigger = { kind: "stop", triggerTicks: ticks as Ticks } as const;
        scene.apply(order(BOB, "buy", 95, { trigger }));
      }
      scene.apply(order(ANN, "sell", 110));
      return scene;
    }

    test("are activated as the price reached them, those at one price as they were placed", () => {
      const scene = ladder(2);
      const [a, b, c, d, e] = scene.openOf(BOB);
      expect(activatedIn(scene.apply(order(BOB, "buy", 110)))).toEqual([e, d]);
      const restored = scene.restored();
      for (const each of [scene, restored]) {
        expect(activatedIn(each.apply(ADVANCE))).toEqual([b, c]);
        expect(activatedIn(each.apply(ADVANCE))).toEqual([a]);
      }
      expect(restored.engine.stateHash()).toBe(scene.engine.stateHash());
    });

    test("are activated as they were placed where the limit lets all be", () => {
      for (const scene of [ladder(), ladder(5)]) {
        const ids = scene.openOf(BOB);
        expect(activatedIn(scene.apply(order(BOB, "buy", 110)))).toEqual(ids);
      }
    });

    test("leave one that was placed after the trade to wait for a trade of its own", () => {
      const scene = ladder(1);
      const reached = scene.openOf(BOB);
      scene.apply(order(BOB, "buy", 96));
      scene.apply(order(BOB, "buy", 110));
      scene.apply(order(ANN, "sell", 96));
      const trigger = { kind: "stop", triggerTicks: 104 as Ticks } as const;
      scene.apply(order(BOB, "buy", 95, { trigger }));
      expect(scene.engine.nextDueMs).toBe(scene.engine.timestampMs);
      const rest = [1, 2].flatMap(() => activatedIn(scene.apply(ADVANCE)));
      expect(rest).toEqual([reached[2], reached[0]]);
      expect(scene.engine.nextDueMs).toBe(Infinity);
    });

    test("are passed over in a restored exchange too if they ended before their turn", () => {
      const scene = ladder(2);
      const [a, b, c] = scene.openOf(BOB);
      scene.apply(order(BOB, "buy", 110));
      const cancelled = scene.apply({ type: "cancelOrder", account: BOB, orderId: a });
      expect(endedIn(cancelled)).toEqual([a]);
      expect(activatedIn(cancelled)).toEqual([b, c]);
      const restored = scene.restored();
      expect(restored.engine.stateHash()).toBe(scene.engine.stateHash());
      expect([scene, restored].map((each) => activatedIn(each.apply(ADVANCE)))).toEqual([[], []]);
      expect(scene.engine.nextDueMs).toBe(Infinity);
    });
  });

  test("are passed over if they were cancelled before their turn", () => {
    const { scene } = cascade(2);
    const ids = scene.openOf(BOB);
    const cancelled = scene.apply({ type: "cancelOrder", account: BOB, orderId: ids[4] });
    expect(endedIn(cancelled)).toEqual([ids[4]]);
    expect(activatedIn(cancelled)).toEqual(ids.slice(2, 4));
    expect(activatedIn(scene.apply(ADVANCE))).toEqual([]);
    expect(scene.engine.nextDueMs).toBe(Infinity);
  });

  test("count in the state's hash while they wait for their turn", () => {
    const { scene } = cascade(2);
    const limited = scene.engine.stateHash();
    scene.apply(ADVANCE);
    expect(scene.engine.stateHash()).not.toBe(limited);
  });
});

describe("an order that must know before it trades looks at so many levels", () => {
  const market = (side: Side, more: Partial<PlaceOrder>): PlaceOrder => ({
    ...order(BOB, side, 0),
    orderType: "market",
    timeInForce: "ioc",
    quantityLots: 0 as Lots,
    ...more,
  });

  function threeLevels(levelsMax: number): Scene {
    const scene = new Scene();
    scene.apply({ ...WIDE, levelsMax });
    for (const away of [1, 2, 3]) {
      scene.apply(order(ANN, "sell", 100 + away));
      scene.apply(order(ANN, "buy", 100 - away));
    }
    return scene;
  }

  test("to fill or be killed", () => {
    const fok = { ...order(BOB, "buy", 110), timeInForce: "fok", quantityLots: 3 as Lots } as const;
    expect(threeLevels(2).apply(fok)).toMatchObject([{ reason: "wouldNotFill" }]);
    expect(threeLevels(3).apply(fok).at(-1)).toMatchObject({ status: "filled" });
  });

  test("to buy at the market, and trades with no more", () => {
    const [short, whole] = [2, 3].map((levelsMax) =>
      threeLevels(levelsMax).apply(market("buy", { quantityLots: 3 as Lots })),
    );
    expect(short[0]).toMatchObject({ type: "orderPlaced", heldAmount: 203 });
    expect(typesOf(short).filter((type) => type === "traded")).toHaveLength(2);
    expect(short.at(-1)).toMatchObject({ status: "expired", remainingLots: 1, releasedAmount: 0 });
    expect(whole[0]).toMatchObject({ heldAmount: 306 });
    expect(whole.at(-1)).toMatchObject({ status: "filled" });
  });

  test("to receive an amount at the market, and trades with no more", () => {
    const [short, whole] = [2, 3].map((levelsMax) =>
      threeLevels(levelsMax).apply(market("sell", { quoteAmount: 294 as Amount })),
    );
    expect(short[0]).toMatchObject({ type: "orderPlaced", heldAmount: 2 });
    expect(typesOf(short).filter((type) => type === "traded")).toHaveLength(2);
    expect(short.at(-1)).toMatchObject({ status: "expired" });
    expect(typesOf(whole).filter((type) => type === "traded")).toHaveLength(3);
    expect(whole.at(-1)).toMatchObject({ status: "filled" });
  });
});

test("a limit of less than one is refused, and every limit counts in the state's hash", () => {
  const scene = new Scene();
  for (const wrong of [0, -1, 0.5, NaN, Infinity]) {
    for (const limit of [{ ordersMax: wrong }, { levelsMax: wrong }]) {
      expect(scene.apply({ ...WIDE, ...limit })).toMatchObject([
        { type: "commandRejected", reason: "invalidCommand" },
      ]);
    }
  }
  const hashes = new Set([scene.engine.stateHash()]);
  for (const limit of [{}, { ordersMax: 7 }, { levelsMax: 7 }]) {
    expect(scene.apply({ ...WIDE, ...limit })).toMatchObject([
      { ...WIDE, type: "workLimited", ...limit },
    ]);
    hashes.add(scene.engine.stateHash());
    expect(scene.restored().engine.stateHash()).toBe(scene.engine.stateHash());
  }
  expect(hashes.size).toBe(4);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import { trailedTicks } from "#engine/book/triggers.ts";
import type { EventOf } from "#engine/events.ts";
import { applyChange, applyEnd, type OrderState, placedOrder } from "./orders.ts";
import { TrailingStops } from "./trailing-stops.ts";

const reference = { orderId: 7, account: 16, marketId: 1 } as const;

function placed(side: "buy" | "sell", trailBps: number): OrderState {
  return placedOrder({
    type: "orderPlaced",
    sequence: 1,
    timestampMs: 1,
    ...reference,
    side,
    orderType: "market",
    timeInForce: "ioc",
    postOnly: false,
    priceTicks: 0 as Ticks,
    quantityLots: 10 as Lots,
    quoteAmount: 0 as Amount,
    heldAmount: 0 as Amount,
    makerFeeBps: 0,
    takerFeeBps: 0,
    feeSource: "plan",
    clientOrderId: "",
    conditions: { trigger: { kind: "trailingStop", trailBps } },
  });
}

/** Makes the order wait, as it does from its placement at the last price. */
function letWait(order: OrderState, lastTicks: number): void {
  const triggerTicks = trailedTicks(lastTicks, 500, order.side === "buy") as Ticks;
  const { orderId, account, marketId, side } = order;
  applyChange(order, {
    type: "orderWaiting",
    sequence: 1,
    timestampMs: 1,
    orderId,
    account,
    marketId,
    side,
    waitsFor: "trigger",
    triggerTicks,
  });
}

function traded(priceTicks: number, sequence: number, marketId = 1): EventOf<"traded"> {
  return { type: "traded", sequence, marketId, priceTicks } as EventOf<"traded">;
}

test("a waiting trailing stop has the trigger price of the best price since it was placed", () => {
  const prices = fc.array(fc.integer({ min: 96_000, max: 104_000 }), { minLength: 1 });
  fc.assert(
    fc.property(fc.constantFrom("buy" as const, "sell" as const), prices, (side, trades) => {
      const order = placed(side, 500);
      letWait(order, 100_000);
      const stops = new TrailingStops();
      stops.note(order);
      let best = 100_000;
      for (const [index, price] of trades.entries()) {
        const isReached =
          side === "buy" ? price >= order.triggerTicks : price <= order.triggerTicks;
        const before = order.triggerTicks;
        const moved = stops.follow(traded(price, index + 2));
        if (isReached) break;
        best = side === "buy" ? Math.min(best, price) : Math.max(best, price);
        expect(order.triggerTicks).toBe(trailedTicks(best, 500, side === "buy"));
        expect(moved).toEqual(order.triggerTicks === before ? [] : [order]);
      }
    }),
  );
});

test("what trades in another market, or later in the command that reached it, moves it no more", () => {
  const order = placed("sell", 500);
  letWait(order, 100_000);
  const stops = new TrailingStops();
  stops.note(order);
  expect(stops.follow(traded(200_000, 2, 9))).toEqual([]);
  stops.follow(traded(95_000, 3));
  stops.follow(traded(120_000, 3));
  expect(order.triggerTicks).toBe(95_000);
});

test("nor does any trade after its end", () => {
  const order = placed("sell", 500);
  letWait(order, 100_000);
  const stops = new TrailingStops();
  stops.note(order);
  applyEnd(order, {
    type: "orderEnded",
    sequence: 2,
    timestampMs: 2,
    ...reference,
    side: "sell",
    status: "cancelled",
    reason: "byOwner",
  } as EventOf<"orderEnded">);
  stops.note(order);
  expect(stops.follow(traded(110_000, 3))).toEqual([]);
  expect(order.triggerTicks).toBe(95_000);
});

test("stops that a trade can neither reach nor move are not visited by it", () => {
  const stops = new TrailingStops();
  let visits = 0;
  for (let orderId = 1; orderId <= 100; orderId++) {
    const side = orderId % 2 === 0 ? "buy" : "sell";
    const order = { ...placed(side, 500), orderId };
    letWait(order, 100_000);
    let { triggerTicks } = order;
    Object.defineProperty(order, "triggerTicks", {
      get: () => (visits++, triggerTicks),
      set(ticks: Ticks) {
        triggerTicks = ticks;
      },
    });
    stops.note(order);
  }
  expect(stops.follow(traded(100_000, 2))).toEqual([]);
  visits = 0;
  for (let sequence = 3; sequence < 1_000; sequence++) stops.follow(traded(100_000, sequence));
  expect(visits).toBe(0);
  expect(stops.follow(traded(101_000, 1_000))).toHaveLength(50);
  visits = 0;
  for (const [index, price] of [100_500, 101_000, 100_001].entries()) {
    expect(stops.follow(traded(price, 1_001 + index))).toEqual([]);
  }
  expect(visits).toBe(0);
  expect(stops.follow(traded(99_000, 1_004))).toHaveLength(50);
});
